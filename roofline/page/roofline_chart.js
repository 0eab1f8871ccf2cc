// The hierarchical roofline: one marker for each row and level of memory, arrows from row to row where
// they have an order. A page gives rows {variant, series, rooflines, seconds}, `variant` being the name
// beside the markers, and machines {kind, label, ceilings}; and of its own allRows, allMachines,
// shownRows(), shownMachines(), models(), seriesOf(rows), seriesColour(key), seriesLabel(row),
// nameOf(row), heldBackBy(row, place), and switches with `precision`, `levels` and `theoretical`.

/** The precisions that some variant has a point of, in the order of the models. */
function precisionsMet() {
  const names = [...new Set(models().map((model) => model.name))];
  return names.filter((name) => allRows.some((row) => row.rooflines[name]));
}

/** The model that is shown of a machine; undefined where it has none of this precision. */
function modelOf(machine) {
  return models().find((model) => model.device === machine.kind && model.name === switches.precision);
}

/** The place of a row in the precision that is shown. */
function placeOf(row) {
  return row.rooflines[switches.precision] ?? null;
}

/** Rows that have a place in it. */
function placedRows() {
  return shownRows().filter(placeOf);
}

/** The model whose titles the axes have: all of one precision say the same. */
function shownModel() {
  return models().find((model) => model.name === switches.precision) ?? {title: '', unit: 'FLOP', across: '', up: ''};
}

/** Roofs of this precision; those of others are in the table of ceilings. */
function computeCeilings(machine) {
  const model = modelOf(machine);
  const names = model ? [model.peak, ...model.thin] : [];
  return (machine.ceilings?.list ?? []).filter((one) => one.kind === 'compute' && names.includes(one.name));
}

function bandwidthCeilings(machine) {
  const levels = (modelOf(machine)?.levels ?? []).filter((level) => switches.levels.has(level.name));
  return (machine.ceilings?.list ?? []).filter(
    (one) => one.kind === 'bandwidth' && levels.some((level) => level.roof === one.name));
}

function pointsOf(row) {
  const at = placeOf(row);
  return Object.keys(at.intensity).sort(levelOrder)
    .filter((level) => switches.levels.has(level) && at.intensity[level] > 0)
    .map((level) => ({row, level, x: at.intensity[level], y: at.flops_per_s}));
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
  return {x: [Math.min(...xs) / 2, Math.max(...xs) * 2], y: [Math.min(...ys) / 2, Math.max(...ys) * 1.5]};
}

function ceilingHover(machine, roof) {
  const unit = roof.kind === 'compute' ? `${shownModel().unit}/s` : 'B/s';
  return hover(`${roof.label} of ${machine.label}`, [
    ['measured', withUnit(roof.measured, unit)],
    ['theoretical', withUnit(roof.theoretical, unit)],
    ['measured of theoretical', percent(100 * roof.measured / (roof.theoretical || NaN))],
    ['clock', roof.clock_mhz ? `${plain(roof.clock_mhz, 4)} MHz` : ''],
  ]);
}

/** Roofs below the peak, which points are not measured against. */
function isThin(machine, roof) {
  return roof.kind === 'compute' && roof.name !== modelOf(machine)?.peak;
}

/** Points enough along a line for a mouse to find it. */
function along(from, to) {
  const steps = 24;
  return Array.from({length: steps + 1}, (_, i) => from * (to / from) ** (i / steps));
}

/** One roof: solid at what was measured, dashed at what the data sheet allows. */
function roofTrace(machine, roof, value, peak, ranges, dashed) {
  const compute = roof.kind === 'compute';
  const soft = dashed || isThin(machine, roof);
  const x = compute ? along(Math.max(ranges.x[0], value / steepest(machine)), ranges.x[1]) :
    along(ranges.x[0], Math.max(ranges.x[0] * 1.01, Math.min(peak / value, ranges.x[1])));
  return {type: 'scatter', mode: 'lines', name: `${roof.label}${dashed ? ', theoretical' : ''}`, x,
          y: x.map((intensity) => compute ? value : intensity * value),
          line: {color: cssColour(soft ? 'roof-soft' : 'roof'), width: soft ? 1 : 1.6,
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

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

function pointHover({row, level}) {
  const at = placeOf(row);
  const {unit, title} = shownModel();
  return hover(`${nameOf(row)} at ${levelLabel(level)}`, [
    ['on', seriesLabel(row)],
    ['launches', row.launches ? integer(row.launches) : ''],
    ['rate', withUnit(at.flops_per_s, `${unit}/s`)],
    [`${title} of all operations`, at.share < 1 ? percent(100 * at.share) : ''],
    ['intensity', `${general(at.intensity[level])} ${unit}/B`],
    ['moved', withUnit(at.bytes[level], 'B')],
    ['of this roof', percent(at.percent[level])],
    ['of its lowest roof', percent(at.percent_of_roof)],
    ['nearest roof', levelLabel(at.bound_by)],
    ['held back by', heldBackBy(row, at)],
    ['roof of its FMA mix', withUnit(at.fma_mix_ceiling, `${unit}/s`)],
    ['time', withUnit(row.seconds, 's')],
    ['source', at.analytic ? 'computed, not counted by hardware' : 'counted by hardware'],
  ]);
}

function markerSize(width) {
  return isNarrow(width) ? 8 : 11;
}

/** From the middle of a marker to its rim; a diamond's tips stand out a little. */
function markerReach(width) {
  return 0.55 * markerSize(width) + 1;
}

/** Filled markers have a rim in the colour of the paper, which tells those that lie close apart. */
function pointTrace(series, level, points, width) {
  return {type: 'scatter', mode: 'markers', name: `${series.label}, ${levelLabel(level)}`,
          x: points.map((point) => point.x), y: points.map((point) => point.y),
          hovertemplate: points.map(pointHover),
          meta: {level, variants: points.map((point) => point.row.variant)},
          marker: {size: markerSize(width), color: seriesColour(series.key),
                   line: {width: 1.2, color: cssColour('paper')},
                   symbol: points.map((point) =>
                     levelSymbol(level) + (placeOf(point.row).analytic ? '-open' : ''))}};
}

/** Thin arrows from each step to the next, short of the markers; heads only where they find room. */
function arrowTrace(series, points, width, screen) {
  const far = (a, b) => Math.hypot(screen.x(a.x) - screen.x(b.x), screen.y(a.y) - screen.y(b.y)) >
    2 * markerReach(width) + 8;
  return {type: 'scatter', mode: 'lines+markers', hoverinfo: 'skip',
          x: points.map((point) => point.x), y: points.map((point) => point.y), opacity: 0.6,
          line: {color: seriesColour(series.key), width: 1},
          marker: {symbol: 'arrow', angleref: 'previous', standoff: markerReach(width),
                   color: seriesColour(series.key), line: {width: 0},
                   size: points.map((point, i) => i > 0 && far(points[i - 1], point) ? 8 : 0)}, meta: {arrows: true}};
}

/** Thin lines through the levels of each row, where no arrows tell which markers belong together. */
function joinTrace(series) {
  const points = series.rows.map(pointsOf).flatMap((own) => [...own, {x: null, y: null}]);
  return {type: 'scatter', mode: 'lines', hoverinfo: 'skip', opacity: 0.5, meta: {joins: true},
          x: points.map((point) => point.x), y: points.map((point) => point.y),
          line: {color: seriesColour(series.key), width: 1, dash: 'dot'}};
}

/** Arrows below all markers; of several series only at the outermost level, where the names are. */
function seriesTraces(rows, width, screen) {
  const shown = seriesOf(rows);
  const levels = [...switches.levels].sort(levelOrder);
  const arrows = [];
  const markers = [];
  for (const series of shown) {
    if (!series.inOrder) arrows.push(joinTrace(series));
    const points = series.rows.flatMap(pointsOf);
    const met = levels.filter((level) => points.some((point) => point.level === level));
    for (const level of met) {
      const own = points.filter((point) => point.level === level);
      if (series.inOrder && (shown.length === 1 || level === met.at(-1))) arrows.push(arrowTrace(series, own, width, screen));
      markers.push(pointTrace(series, level, own, width));
    }
  }
  return [...arrows, ...markers];
}

/** Size of the ticks' texts where each pixel counts. */
const narrowTicks = 9;

/** The plot's size and how its labels are set; beside the plot there has to be room for them. */
function rooflineFrame(width, machines, ranges) {
  const [size, beside] = [labelSize(width), width >= 760];
  const height = isNarrow(width) ? 600 : width < 1300 ? 620 : 700;
  const left = textExtent(`500 G${shownModel().unit}/s`, isNarrow(width) ? narrowTicks : 13).width + (isNarrow(width) ? 5 : 34);
  const margin = {...margins(width), l: left, ...(beside ? {r: marginBeside(machines, ranges, size)} : {})};
  return {size, beside, margin, outerHeight: height, reach: markerReach(width), narrow: isNarrow(width),
          width: width - margin.l - margin.r, height: height - margin.t - margin.b};
}

function drawRoofline(width) {
  const rows = placedRows();
  const {across: intensity, up: rate, unit} = shownModel();
  const machines = shownMachines().filter((machine) => machine.ceilings);
  const ranges = rooflineRanges(rows.flatMap(pointsOf), machines);
  const frame = rooflineFrame(width, machines, ranges);
  const traces = [...machines.flatMap((machine) => roofTraces(machine, ranges)),
                  ...seriesTraces(rows, width, onScreen(ranges, frame))];
  const labels = (view) => rooflineLabels(rows, machines, traces, view, frame);
  const across = `${frame.narrow ? '' : 'arithmetic intensity: '}${intensity}`;
  const small = frame.narrow ? {tickfont: {size: narrowTicks}} : {};
  const minor = {...small, minor: {tickmode: 'linear', dtick: 'D1', showgrid: true, gridcolor: cssColour('grid-minor')}};
  return {traces, labels, units: {xaxis: `${unit}/B`, yaxis: `${unit}/s`}, layout: {
    height: frame.outerHeight, margin: frame.margin, annotations: labels(ranges),
    xaxis: logAxis(across, ranges.x, minor),
    yaxis: logAxis(frame.narrow ? '' : rate, ranges.y, minor)}};
}

/** Levels that some variant has a point at or some machine a roof for. */
function knownLevels() {
  const levels = new Set(allRows.flatMap((row) => Object.values(row.rooflines))
    .flatMap((at) => Object.keys(at.intensity)));
  for (const machine of allMachines)
    for (const roof of machine.ceilings?.list ?? [])
      if (roof.kind === 'bandwidth') levels.add(roof.name);
  return [...levels].sort(levelOrder);
}

/** Which operations are shown, where there is a choice: each has roofs of its own. */
function precisionSwitch() {
  const met = precisionsMet();
  const title = (name) => models().find((model) => model.name === name).title;
  return met.length > 1 ? radios('precision', 'Operations', met.map((name) => [name, title(name)])) : null;
}

function levelLegend() {
  return legend(knownLevels().map((level) => ({label: levelLabel(level), shape: levelSymbol(level)})), true);
}
