// Rooflines: one marker for each row and level of memory, arrows from row to row where they have an order.
// A page gives rows {variant, series, rooflines, seconds}, `variant` being the name beside the markers, and
// machines {kind, label, ceilings}; and of its own allRows, allMachines, chartRows(), shownMachines(),
// models(), seriesOf(rows), seriesColour(key), seriesLabel(row), nameOf(row), heldBackBy(row, place), and
// switches with `precision`, `levels` and `theoretical`. A row with `part` is a part of another one: its
// markers are smaller, with a dot, and have no name beside them.
//
// What a chart is of comes as a view: {models, place, levels}, the models of its name by kind of device,
// the place of a row in them or null, and the names of the levels that are shown.

/** The precisions that some variant has a point of, in the order of the models. */
function precisionsMet() {
  const names = [...new Set(models().map((model) => model.name))];
  return names.filter((name) => allRows.some((row) => row.rooflines[name]));
}

/** The hierarchical roofline of the precision that is chosen. */
function operationsView() {
  const name = switches.precision;
  return {models: models().filter((model) => model.name === name), place: (row) => row.rooflines[name] ?? null,
          levels: switches.levels};
}

/** The model that is shown of a machine; undefined where it has none. */
function modelOf(view, machine) {
  return view.models.find((model) => model.device === machine.kind);
}

/** The model whose titles the axes have: all of one name say the same. */
function shownModel(view) {
  return view.models[0] ?? {title: '', rate: 'FLOP/s', unit: 'FLOP', across: '', up: '', levels: []};
}

/** What moves at a level: bytes, or transactions of several each. */
function trafficUnit(view) {
  return shownModel(view).transactions ? 'txn' : 'B';
}

function intensityUnit(view) {
  const {transactions, unit} = shownModel(view);
  return transactions ? 'inst/txn' : `${unit}/B`;
}

function labelOfLevel(view, level) {
  return shownModel(view).levels.find((one) => one.name === level)?.label ?? levelLabel(level);
}

/** Its roofs; those of other models are in the table of ceilings. Work that only moves bytes has a level's as its peak. */
function computeCeilings(view, machine) {
  const model = modelOf(view, machine);
  if (model?.moves)
    return (machine.ceilings?.list ?? []).filter((one) => one.name === model.peak).map((one) => ({...one, kind: 'compute'}));
  const names = model ? [model.peak, ...model.thin] : [];
  return (machine.ceilings?.list ?? []).filter((one) => one.kind === 'compute' && names.includes(one.name));
}

/** A roof in what a level counts: bytes as it is, else transactions, by the name of the level. */
function asCounted(roof, {name, label, bytes_each: each = 1}) {
  const part = (value) => isNumber(value) ? value / each : null;
  return each === 1 ? roof : {...roof, name, label, measured: part(roof.measured), theoretical: part(roof.theoretical)};
}

function bandwidthCeilings(view, machine) {
  const levels = (modelOf(view, machine)?.levels ?? []).filter((level) => view.levels.has(level.name));
  return (machine.ceilings?.list ?? []).filter((one) => one.kind === 'bandwidth').flatMap((roof) =>
    levels.filter((level) => level.roof === roof.name).map((level) => asCounted(roof, level)));
}

/** How high a marker stands: of instructions the rate without lanes that were switched off. */
function heightOf(at) {
  return at.active_per_s ?? at.flops_per_s;
}

function pointsOf(view, row) {
  const at = view.place(row);
  return Object.keys(at.intensity).sort(levelOrder)
    .filter((level) => view.levels.has(level) && at.intensity[level] > 0)
    .map((level) => ({row, level, x: at.intensity[level], y: heightOf(at)}));
}

/** The walls of a machine, each up to the roof of its level: [{label, intensity, top}]. */
function wallsOf(view, machine) {
  const peak = Math.max(...computeCeilings(view, machine).map((roof) => roof.measured).filter(isNumber), 0);
  const roofs = bandwidthCeilings(view, machine);
  return (modelOf(view, machine)?.walls ?? []).flatMap(({label, level, intensity}) => {
    const roof = roofs.find((one) => one.name === level && isNumber(one.measured));
    return peak && roof ? [{label, intensity, top: Math.min(peak, intensity * roof.measured)}] : [];
  });
}

/** Room for every point and for the ridge of every bandwidth shown; of instructions for pipes and walls, too. */
function rooflineRanges(view, points, machines) {
  const xs = points.map((point) => point.x);
  const ys = points.flatMap((point) => [point.y, view.place(point.row).flops_per_s]);
  for (const machine of machines) {
    const roofs = computeCeilings(view, machine);
    const peak = Math.max(...roofs.flatMap((one) => [one.measured, one.theoretical]).filter(isNumber), 0);
    if (!peak) continue;
    ys.push(peak);
    for (const roof of bandwidthCeilings(view, machine)) xs.push(peak / roof.measured);
    if (shownModel(view).transactions) ys.push(...roofs.map((roof) => roof.measured).filter(isNumber));
    for (const wall of wallsOf(view, machine)) {
      xs.push(wall.intensity);
      ys.push(wall.top);
    }
  }
  return {x: [Math.min(...xs) / 2, Math.max(...xs) * 2], y: [Math.min(...ys) / 2, Math.max(...ys) * 1.5]};
}

function ceilingHover(view, machine, roof) {
  const unit = roof.kind === 'compute' ? shownModel(view).rate : `${trafficUnit(view)}/s`;
  return hover(`${roof.label} of ${machine.label}`, [
    ['measured', withUnit(roof.measured, unit)],
    ['theoretical', withUnit(roof.theoretical, unit)],
    ['measured of theoretical', percent(100 * roof.measured / (roof.theoretical || NaN))],
    ['clock', roof.clock_mhz ? `${plain(roof.clock_mhz, 4)} MHz` : ''],
  ]);
}

/** Roofs below the peak, which points are not measured against. */
function isThin(view, machine, roof) {
  return roof.kind === 'compute' && roof.name !== modelOf(view, machine)?.peak;
}

/** Points enough along a line for a mouse to find it. */
function along(from, to) {
  const steps = 24;
  return Array.from({length: steps + 1}, (_, i) => from * (to / from) ** (i / steps));
}

/** One roof: solid at what was measured, dashed at what the data sheet allows. */
function roofTrace(view, machine, roof, value, peak, ranges, dashed) {
  const compute = roof.kind === 'compute';
  const soft = dashed || isThin(view, machine, roof);
  const x = compute ? along(Math.max(ranges.x[0], value / steepest(view, machine)), ranges.x[1]) :
    along(ranges.x[0], Math.max(ranges.x[0] * 1.01, Math.min(peak / value, ranges.x[1])));
  return {type: 'scatter', mode: 'lines', name: `${roof.label}${dashed ? ', theoretical' : ''}`, x,
          y: x.map((intensity) => compute ? value : intensity * value),
          line: {color: cssColour(soft ? 'roof-soft' : 'roof'), width: soft ? 1 : 1.6,
                 dash: dashed ? 'dash' : 'solid'},
          hovertemplate: ceilingHover(view, machine, roof), meta: {roof: roof.name, dashed}};
}

/** The largest bandwidth shown: left of it no compute roof can be reached. */
function steepest(view, machine) {
  const rates = bandwidthCeilings(view, machine).map((roof) => roof.measured).filter(isNumber);
  return rates.length ? Math.max(...rates) : Infinity;
}

function roofTraces(view, machine, ranges) {
  const compute = computeCeilings(view, machine);
  const highest = (key) => Math.max(...compute.map((roof) => roof[key]).filter(isNumber), 0);
  const traces = [];
  for (const roof of [...bandwidthCeilings(view, machine), ...compute]) {
    if (switches.theoretical && isNumber(roof.theoretical))
      traces.push(roofTrace(view, machine, roof, roof.theoretical, highest('theoretical') || highest('measured'),
                            ranges, true));
    if (isNumber(roof.measured))
      traces.push(roofTrace(view, machine, roof, roof.measured, highest('measured'), ranges, false));
  }
  return traces;
}

/** One wall: a pattern of access, whatever else a kernel does. */
function wallTrace(view, machine, wall, ranges) {
  const y = along(ranges.y[0], wall.top);
  const text = hover(`${wall.label}, a pattern of access`, [
    ['intensity', `${general(wall.intensity)} ${intensityUnit(view)}`],
    [`at most, on ${machine.label}`, withUnit(wall.top, shownModel(view).rate)]]);
  return {type: 'scatter', mode: 'lines', name: wall.label, x: y.map(() => wall.intensity), y, hovertemplate: text,
          line: {color: cssColour('roof'), width: 1.2, dash: 'dot'}, meta: {wall: wall.label}};
}

function wallTraces(view, machine, ranges) {
  return wallsOf(view, machine).filter((wall) => wall.top > ranges.y[0])
    .map((wall) => wallTrace(view, machine, wall, ranges));
}

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** What only instructions have: the lanes, and how near the nearest wall is. */
function instructionLines(at, row, model) {
  if (!model.transactions) return [];
  const wall = row.facts?.walls[model.name];
  return [
    ['with lanes that were switched off', isNumber(at.active_per_s) ? withUnit(at.flops_per_s, model.rate) : ''],
    ['of their lanes', isNumber(at.active_per_s) ? percent(100 * at.active_per_s / at.flops_per_s) : ''],
    ['nearest wall', wall ? wallText(wall) : ''],
  ];
}

function pointHover(view, {row, level}) {
  const at = view.place(row);
  const model = shownModel(view);
  return hover(`${nameOf(row)} at ${labelOfLevel(view, level)}`, [
    ['on', seriesLabel(row)],
    ['launches', row.launches ? integer(row.launches) : ''],
    ['rate', withUnit(heightOf(at), model.rate)],
    ...instructionLines(at, row, model),
    [`${model.title} of all operations`, at.share < 1 ? percent(100 * at.share) : ''],
    ['intensity', `${general(at.intensity[level])} ${intensityUnit(view)}`],
    ['moved', withUnit(at.bytes[level], trafficUnit(view))],
    ['of this roof', percent(at.percent[level])],
    ['of its lowest roof', percent(at.percent_of_roof)],
    ['nearest roof', at.bound_by === 'compute' ? 'compute' : labelOfLevel(view, at.bound_by)],
    ['held back by', model.transactions ? '' : heldBackBy(row, at)],
    ['roof of its FMA mix', withUnit(at.fma_mix_ceiling, model.rate)],
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
function pointTrace(view, series, level, points, width) {
  return {type: 'scatter', mode: 'markers', name: `${series.label}, ${labelOfLevel(view, level)}`,
          x: points.map((point) => point.x), y: points.map((point) => point.y),
          hovertemplate: points.map((point) => pointHover(view, point)),
          meta: {level, variants: points.map((point) => point.row.variant)},
          marker: {size: points.map((point) => (point.row.part ? 0.75 : 1) * markerSize(width)),
                   color: seriesColour(series.key), line: {width: 1.2, color: cssColour('paper')},
                   symbol: points.map((point) =>
                     levelSymbol(level) + (view.place(point.row).analytic ? '-open' : point.row.part ? '-dot' : ''))}};
}

/** A dash above each marker, as high as it would be were no lane switched off. */
function dashTrace(view, series, points, width) {
  const known = points.filter(({row}) => isNumber(view.place(row).active_per_s));
  return {type: 'scatter', mode: 'markers', hoverinfo: 'skip', meta: {dashes: true},
          x: known.map((point) => point.x), y: known.map((point) => view.place(point.row).flops_per_s),
          // Such a line is 1.4 times its size long.
          marker: {symbol: 'line-ew', size: markerSize(width) / 1.4, line: {width: 2.4, color: seriesColour(series.key)}}};
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
function joinTrace(view, series) {
  const points = series.rows.map((row) => pointsOf(view, row)).flatMap((own) => [...own, {x: null, y: null}]);
  return {type: 'scatter', mode: 'lines', hoverinfo: 'skip', opacity: 0.5, meta: {joins: true},
          x: points.map((point) => point.x), y: points.map((point) => point.y),
          line: {color: seriesColour(series.key), width: 1, dash: 'dot'}};
}

/** Arrows below all markers; of several series only at the outermost level, where the names are. */
function seriesTraces(view, rows, width, screen) {
  const shown = seriesOf(rows);
  const levels = [...view.levels].sort(levelOrder);
  const alone = shown.filter((series) => series.inOrder).length === 1;
  const arrows = [];
  const markers = [];
  for (const series of shown) {
    if (!series.inOrder) arrows.push(joinTrace(view, series));
    const points = series.rows.flatMap((row) => pointsOf(view, row));
    const met = levels.filter((level) => points.some((point) => point.level === level));
    for (const level of met) {
      const own = points.filter((point) => point.level === level);
      if (series.inOrder && (alone || level === met.at(-1))) arrows.push(arrowTrace(series, own, width, screen));
      markers.push(pointTrace(view, series, level, own, width));
      if (own.some(({row}) => isNumber(view.place(row).active_per_s))) arrows.push(dashTrace(view, series, own, width));
    }
  }
  return [...arrows, ...markers];
}

/** Size of the ticks' texts where each pixel counts. */
const narrowTicks = 9;

/** The title of the horizontal axis, in two lines where one has no room. */
function acrossTitle(view, width, narrow) {
  const {across, transactions} = shownModel(view);
  if (!narrow) return `${transactions ? 'instruction' : 'arithmetic'} intensity: ${across}`;
  if (textExtent(across, 13).width < width) return across;
  const words = across.split(' ');
  const half = words.findIndex((_, i) => 2 * words.slice(0, i + 1).join(' ').length >= across.length);
  return `${words.slice(0, half).join(' ')}<br>${words.slice(half).join(' ')}`;
}

/** The plot's size and how its labels are set; beside the plot there has to be room for them. */
function rooflineFrame(view, width, machines, ranges) {
  const [size, beside] = [labelSize(width), width >= 760];
  const few = shownModel(view).levels.length === 1;  // points of one level need less
  const height = (few ? 0.75 : 1) * (isNarrow(width) ? 600 : width < 1300 ? 620 : 700);
  const left = textExtent(`500 G${shownModel(view).rate}`, isNarrow(width) ? narrowTicks : 13).width + (isNarrow(width) ? 5 : 34);
  const margin = {...margins(width), l: left, ...(beside ? {r: marginBeside(view, machines, ranges, size)} : {})};
  const across = acrossTitle(view, width - margin.l - margin.r, isNarrow(width));
  if (across.includes('<br>')) margin.b += 16;
  return {size, beside, margin, across, outerHeight: height, reach: markerReach(width), narrow: isNarrow(width),
          width: width - margin.l - margin.r, height: height - margin.t - margin.b};
}

function drawRoofline(view, width) {
  const rows = chartRows().filter(view.place);
  const {up: rate, rate: unit} = shownModel(view);
  const machines = shownMachines().filter((machine) => machine.ceilings);
  const ranges = rooflineRanges(view, rows.flatMap((row) => pointsOf(view, row)), machines);
  const frame = rooflineFrame(view, width, machines, ranges);
  const traces = [...machines.flatMap((machine) => [...roofTraces(view, machine, ranges), ...wallTraces(view, machine, ranges)]),
                  ...seriesTraces(view, rows, width, onScreen(ranges, frame))];
  const labels = (shown) => rooflineLabels(view, rows.filter((row) => !row.part), machines, traces, shown, frame);
  const small = frame.narrow ? {tickfont: {size: narrowTicks}} : {};
  const minor = {...small, minor: {tickmode: 'linear', dtick: 'D1', showgrid: true, gridcolor: cssColour('grid-minor')}};
  return {traces, labels, units: {xaxis: intensityUnit(view), yaxis: unit}, layout: {
    height: frame.outerHeight, margin: frame.margin, annotations: labels(ranges),
    xaxis: logAxis(frame.across, ranges.x, minor),
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
