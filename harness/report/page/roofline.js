// The hierarchical roofline: one marker per variant and level of memory, arrows from step to step.

/** Roofs of FP64 work; those of other precisions are in the table of ceilings. */
function computeCeilings(machine) {
  return (machine.ceilings?.list ?? []).filter((one) => one.kind === 'compute' && /^fp64/.test(one.name));
}

function bandwidthCeilings(machine) {
  return (machine.ceilings?.list ?? []).filter(
    (one) => one.kind === 'bandwidth' && switches.levels.has(one.name));
}

function pointsOf(row) {
  return Object.keys(row.roofline.intensity).sort(levelOrder)
    .filter((level) => switches.levels.has(level) && row.roofline.intensity[level] > 0)
    .map((level) => ({row, level, x: row.roofline.intensity[level], y: row.roofline.flops_per_s}));
}

/** Room for every point and for the ridge of every bandwidth shown. */
function rooflineRanges(points, machines) {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  for (const machine of machines) {
    const peaks = computeCeilings(machine).flatMap((one) => [one.measured, one.theoretical]);
    const peak = Math.max(...peaks.filter(isNumber), 0);
    if (!peak) continue;
    ys.push(peak);
    for (const roof of bandwidthCeilings(machine)) xs.push(peak / roof.measured);
  }
  return {x: [Math.min(...xs) / 3, Math.max(...xs) * 3], y: [Math.min(...ys) / 4, Math.max(...ys) * 1.8]};
}

function ceilingHover(machine, roof) {
  const unit = roof.kind === 'compute' ? 'FLOP/s' : 'B/s';
  return hover(`${roof.label} of ${machine.label}`, [
    ['measured', withUnit(roof.measured, unit)],
    ['theoretical', withUnit(roof.theoretical, unit)],
    ['measured of theoretical', percent(100 * roof.measured / (roof.theoretical || NaN))],
    ['clock', roof.clock_mhz ? `${plain(roof.clock_mhz, 4)} MHz` : ''],
  ]);
}

/** Points enough along a line for a mouse to find it. */
function along(from, to) {
  const steps = 24;
  return Array.from({length: steps + 1}, (_, i) => from * (to / from) ** (i / steps));
}

/** One roof: solid at what was measured, dashed at what the data sheet allows. */
function roofTrace(machine, roof, value, peak, ranges, dashed) {
  const compute = roof.kind === 'compute';
  const x = compute ? along(Math.max(ranges.x[0], value / steepest(machine)), ranges.x[1]) :
    along(ranges.x[0], Math.max(ranges.x[0] * 1.01, Math.min(peak / value, ranges.x[1])));
  return {type: 'scatter', mode: 'lines', name: `${roof.label}${dashed ? ', theoretical' : ''}`, x,
          y: x.map((intensity) => compute ? value : intensity * value),
          line: {color: cssColour(dashed ? 'roof-soft' : 'roof'), width: dashed ? 1 : 1.6,
                 dash: dashed ? 'dash' : 'solid'},
          hovertemplate: ceilingHover(machine, roof), meta: {roof: roof.name, dashed}};
}

/** The largest bandwidth shown: left of it no compute roof can be reached. */
function steepest(machine) {
  const rates = bandwidthCeilings(machine).map((roof) => roof.measured).filter(isNumber);
  return rates.length ? Math.max(...rates) : Infinity;
}

function roofTraces(machine, ranges) {
  const compute = computeCeilings(machine);
  const highest = (key) => Math.max(...compute.map((roof) => roof[key]).filter(isNumber), 0);
  const traces = [];
  for (const roof of [...bandwidthCeilings(machine), ...compute]) {
    if (switches.theoretical && isNumber(roof.theoretical))
      traces.push(roofTrace(machine, roof, roof.theoretical, highest('theoretical') || highest('measured'),
                            ranges, true));
    if (isNumber(roof.measured))
      traces.push(roofTrace(machine, roof, roof.measured, highest('measured'), ranges, false));
  }
  return traces;
}

/** Names along the slopes, beside their lines. */
function slopeLabels(machine, ranges, frame) {
  const peak = Math.max(...computeCeilings(machine).map((roof) => roof.measured).filter(isNumber), 0);
  const angle = slopeOnScreen(ranges, frame);
  const aside = 10;  // pixels from the line
  return bandwidthCeilings(machine).filter((roof) => isNumber(roof.measured)).map((roof) => {
    const low = Math.log10(Math.max(ranges.x[0], ranges.y[0] / roof.measured));
    const high = Math.log10(Math.min(ranges.x[1], (peak || ranges.y[1]) / roof.measured));
    const x = low + 0.3 * (high - low);
    return {showarrow: false, font: {size: 11, color: cssColour('ink-soft')}, borderpad: 0,
            bgcolor: cssColour('paper'), opacity: 0.9, x, y: x + Math.log10(roof.measured), textangle: -angle,
            xshift: -aside * Math.sin(angle * Math.PI / 180), yshift: aside * Math.cos(angle * Math.PI / 180),
            text: forPlotly(`${roof.label} ${withUnit(roof.measured, 'B/s')}`)};
  });
}

/** Names of the flat roofs in the margin on the right, moved apart where roofs lie close. */
function flatLabels(machines, ranges, frame) {
  const lineHeight = 30;
  const up = (value) => frame.height * Math.log10(value / ranges.y[0]) / Math.log10(ranges.y[1] / ranges.y[0]);
  const labels = machines.flatMap((machine) => computeCeilings(machine)
    .filter((roof) => isNumber(roof.measured) && roof.measured > ranges.y[0])
    .map((roof) => ({at: up(roof.measured), roof, machine})))
    .sort((a, b) => b.at - a.at);
  let free = Infinity;
  return labels.map(({at, roof, machine}) => {
    const place = Math.min(at, free);
    free = place - lineHeight;
    const owner = machines.length > 1 ? `, ${shortened(machine.label, 16)}` : '';
    return {showarrow: false, font: {size: 11, color: cssColour('ink-soft')}, align: 'left',
            xref: 'paper', x: 1, xanchor: 'left', xshift: 8, yanchor: 'middle',
            y: Math.log10(roof.measured), yshift: place - at,
            text: `${forPlotly(shortened(roof.label, 30))}<br>` +
              `${withUnit(roof.measured, 'FLOP/s')}${forPlotly(owner)}`};
  });
}

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function pointHover({row, level}) {
  const at = row.roofline;
  return hover(`${row.variant} ${row.step} at ${levelLabel(level)}`, [
    ['on', seriesLabel(row)],
    ['rate', withUnit(at.flops_per_s, 'FLOP/s')],
    ['intensity', `${general(at.intensity[level])} FLOP/B`],
    ['moved', withUnit(at.bytes[level], 'B')],
    ['of this roof', percent(at.percent[level])],
    ['of its lowest roof', percent(at.percent_of_roof)],
    ['bound by', levelLabel(at.bound_by)],
    ['roof of its FMA mix', withUnit(at.fma_mix_ceiling, 'FLOP/s')],
    ['time', withUnit(row.seconds, 's')],
    ['source', at.analytic ? 'computed, not counted by hardware' : 'counted by hardware'],
  ]);
}

function pointTrace(series, level, points) {
  const colour = seriesColour(series.key);
  return {type: 'scatter', mode: 'markers', name: `${series.label}, ${levelLabel(level)}`,
          x: points.map((point) => point.x), y: points.map((point) => point.y),
          hovertemplate: points.map(pointHover),
          meta: {level, variants: points.map((point) => point.row.variant)},
          marker: {size: 11, color: colour, line: {width: 1.5, color: colour},
                   symbol: points.map((point) =>
                     levelSymbol(level) + (point.row.roofline.analytic ? '-open' : ''))}};
}

/** Thin arrows from each step to the next, short of the markers. */
function arrowTrace(series, points) {
  return {type: 'scatter', mode: 'lines+markers', hoverinfo: 'skip',
          x: points.map((point) => point.x), y: points.map((point) => point.y), opacity: 0.75,
          line: {color: seriesColour(series.key), width: 1},
          marker: {symbol: 'arrow', angleref: 'previous', standoff: 7, color: seriesColour(series.key), line: {width: 0},
                   size: points.map((_, i) => i === 0 ? 0 : 8)}, meta: {arrows: true}};
}

/** Each variant's name once, beside its rightmost marker. */
function nameTrace(points) {
  const rightmost = new Map();
  for (const point of points) {
    const key = `${point.row.series} ${point.row.variant}`;
    if (!rightmost.has(key) || rightmost.get(key).x < point.x) rightmost.set(key, point);
  }
  const named = [...rightmost.values()];
  return {type: 'scatter', mode: 'text', hoverinfo: 'skip', textposition: 'middle right',
          x: named.map((point) => point.x), y: named.map((point) => point.y),
          text: named.map((point) => `  ${forPlotly(point.row.variant)}`),
          textfont: {size: 11, color: named.map((point) => seriesColour(point.row.series))}};
}

function drawRoofline(width) {
  const rows = shownRows().filter((row) => row.roofline);
  const points = rows.flatMap(pointsOf);
  const machines = shownMachines().filter((machine) => machine.ceilings);
  const ranges = rooflineRanges(points, machines);
  const height = isNarrow(width) ? 460 : 620;
  const margin = {...margins(width), ...(isNarrow(width) ? {} : {r: 190})};
  const frame = {width: width - margin.l - margin.r, height: height - margin.t - margin.b};
  const traces = machines.flatMap((machine) => roofTraces(machine, ranges));
  for (const series of seriesOf(rows))
    for (const level of switches.levels) {
      const own = points.filter((point) => point.row.series === series.key && point.level === level);
      if (own.length) traces.push(arrowTrace(series, own), pointTrace(series, level, own));
    }
  traces.push(nameTrace(points));
  const annotations = [
    ...machines.flatMap((machine) => slopeLabels(machine, ranges, frame)),
    ...flatLabels(machines, ranges, frame)];
  return {traces, layout: {
    height, margin, annotations: isNarrow(width) ? [] : annotations,
    xaxis: logAxis('arithmetic intensity, FLOP per byte moved at the level', ranges.x),
    yaxis: logAxis('FLOP/s (FP64)', ranges.y, {exponentformat: 'SI'})}};
}

/** The angle, in degrees, at which a line of slope one rises on this chart. */
function slopeOnScreen(ranges, frame) {
  const decades = ([low, high]) => Math.log10(high / low);
  return Math.atan2(frame.height / decades(ranges.y), frame.width / decades(ranges.x)) * 180 / Math.PI;
}

/** Levels that some variant has a point at or some machine a roof for. */
function knownLevels() {
  const levels = new Set(allRows.filter((row) => row.roofline)
    .flatMap((row) => Object.keys(row.roofline.intensity)));
  for (const machine of allMachines)
    for (const roof of machine.ceilings?.list ?? [])
      if (roof.kind === 'bandwidth') levels.add(roof.name);
  return [...levels].sort(levelOrder);
}

function rooflineDefects() {
  return allRows.flatMap((row) => [...(row.roofline?.defects ?? []), ...(row.result.counting?.defects ?? [])]
    .map((defect) => el('li', {}, `${row.variant} (${seriesLabel(row)}): ${defect}`)));
}

function rooflineSection() {
  const title = 'The hierarchical roofline';
  if (!allRows.some((row) => row.roofline)) return section('roofline', title, null, withoutCounters());
  const defects = rooflineDefects();
  return section(
    'roofline', title,
    'Each variant stands once per level of memory: the same rate, over the bytes moved at that level. ' +
      'Solid roofs were measured on the machine, dashed ones follow from its data sheet and clock. ' +
      'Arrows lead from step to step. Hollow markers were computed, not counted by hardware.',
    checks('levels', 'Levels', knownLevels().map((level) => [level, levelLabel(level)])),
    toggle('theoretical', 'Theoretical roofs'),
    levelLegend(),
    chart('roofline-chart', 'Hierarchical roofline: rate over arithmetic intensity at each level of memory',
          'roofline.svg', drawRoofline),
    defects.length ? el('div', {class: 'notice'}, 'Defects of the measurement:', el('ul', {}, defects)) : null);
}

/** Why charts of counters are missing, in the studies' own words, and how to get them. */
function withoutCounters() {
  const reasons = [...new Set(allRows.map((row) => row.result.counting?.reason).filter(Boolean))];
  return notice(
    'Nothing was counted in ', report.studies.length === 1 ? 'this study' : 'these studies',
    ', so that no variant can be placed under a roof. ',
    reasons.length ? `The reason on record: ${reasons.join('; ')}. ` : '',
    'A new ', el('code', {}, 'gpp study'), ' counts by itself where it can; ',
    el('code', {}, 'gpp doctor'), ' says what this machine lacks for it.');
}

function levelLegend() {
  return legend(knownLevels().map((level) => ({label: levelLabel(level), shape: levelSymbol(level)})), true);
}
