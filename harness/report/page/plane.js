// The time plane: each variant by the time of its arithmetic and that of its bytes at one level of memory
// (Wang et al. 2020; roofline/charts/plane_drawing.h has the formulas).

/** Levels that some variant has a time at, the outermost last. */
function planeLevels() {
  const levels = new Set(allRows.flatMap((row) => Object.entries(row.roofline?.level_seconds ?? {})
    .filter(([, seconds]) => seconds > 0).map(([level]) => level)));
  return [...levels].sort(levelOrder);
}

/** Where operations and bytes lie at the roofs, and the time taken on the same intensity; null where it has none. */
function planeOf(row) {
  const [compute, bandwidth] = [row.roofline?.compute_seconds, row.roofline?.level_seconds?.[switches.plane]];
  if (!(compute > 0 && bandwidth > 0 && row.seconds > 0)) return null;
  const longest = Math.max(compute, bandwidth);
  return {row, least: {x: compute, y: bandwidth},
          taken: {x: compute / longest * row.seconds, y: bandwidth / longest * row.seconds}};
}

function planePoints() {
  return shownRows().map(planeOf).filter(Boolean);
}

/** What one launch costs on a machine, seconds; null where nobody measured it. */
function launchCost(machine) {
  const seconds = machine.ceilings?.launch?.seconds;
  return seconds > 0 ? seconds : null;
}

/** How often a variant launches a kernel: OpenMP and libraries do not tell, and count as once. */
function launchesOf(row) {
  return row.result.launch?.length || 1;
}

/** What launching alone takes, by machine and number of launches: [{machine, launches, seconds}]. */
function launchBoxes(points) {
  const boxes = new Map();
  for (const {row} of points) {
    const [cost, launches] = [launchCost(row.machine), launchesOf(row)];
    if (cost) boxes.set(`${row.machine.key} ${launches}`, {machine: row.machine, launches, seconds: launches * cost});
  }
  return [...boxes.values()].sort((a, b) => a.seconds - b.seconds);
}

/** A box farther below the smallest marker than this is told of, not drawn: it would leave the markers no room. */
const farthestBox = 1000;

function planeValues(points) {
  return points.flatMap(({least, taken}) => [least.x, least.y, taken.x, taken.y]);
}

/** Of more than three the smallest and the largest. */
function drawnBoxes(points) {
  const least = Math.min(...planeValues(points)) / farthestBox;
  const near = launchBoxes(points).filter((box) => box.seconds >= least);
  return near.length > 3 ? [near[0], near.at(-1)] : near;
}

function planeHover({row, least, taken}) {
  const [cost, known] = [launchCost(row.machine), row.result.launch?.length > 0];
  const level = levelLabel(switches.plane);
  return hover(nameOf(row), [
    ['on', seriesLabel(row)], ['time taken', withUnit(row.seconds, 's')],
    ['operations need', withUnit(least.x, 's')], [`bytes of ${level} need`, withUnit(least.y, 's')],
    ['compute time', withUnit(taken.x, 's')], ['bandwidth time', withUnit(taken.y, 's')],
    ['held by', least.x >= least.y ? 'compute' : level],
    ['launches', known ? `${launchesOf(row)}${cost ? `, ${withUnit(launchesOf(row) * cost, 's')} of them alone` : ''}` : ''],
    ['source', row.roofline.analytic ? 'computed, not counted by hardware' : 'counted by hardware'],
  ]);
}

function planeMarkers(series, points, place, open, width) {
  const colour = seriesColour(series.key);
  return {type: 'scatter', mode: 'markers', name: series.label, hovertemplate: points.map(planeHover),
          x: points.map((point) => point[place].x), y: points.map((point) => point[place].y),
          meta: {place, variants: points.map(({row}) => row.variant)},
          marker: {size: markerSize(width), color: colour, symbol: levelSymbol(switches.plane) + (open ? '-open' : ''),
                   line: {width: open ? 1.8 : 1.2, color: open ? colour : cssColour('paper')}}};
}

function linkTrace(series, points) {
  const both = points.flatMap(({least, taken}) => [least, taken, {x: null, y: null}]);
  return {type: 'scatter', mode: 'lines', hoverinfo: 'skip', x: both.map(({x}) => x), y: both.map(({y}) => y),
          line: {color: seriesColour(series.key), width: 1, dash: 'dot'}, meta: {links: true}};
}

/** Corners on the diagonal: both times overlap, and the longer is the run time. */
function runTimeTrace(seconds, low) {
  return {type: 'scatter', mode: 'lines', hoverinfo: 'skip', x: [low, seconds, seconds], y: [seconds, seconds, low],
          line: {color: cssColour('rule'), width: 1}, meta: {runTime: seconds}};
}

function boxTrace({machine, launches, seconds}, low) {
  return {type: 'scatter', mode: 'lines', fill: 'toself', x: [low, seconds, seconds, low, low], y: [low, low, seconds, seconds, low],
          fillcolor: cssColour('grid'), line: {color: cssColour('roof-soft'), width: 1}, hoveron: 'fills', hoverinfo: 'text',
          text: forPlotly(`${launchText(launches)} of ${machine.label}: ${withUnit(seconds, 's')}`), meta: {box: launches}};
}

function launchText(launches) {
  return launches === 1 ? '1 launch' : `${integer(launches)} launches`;
}

/** Round values within a range: powers of ten, with 2 and 5 times them where there are few. */
function runTimes([low, high]) {
  const digits = high / low < 300 ? [1, 2, 5] : [1];
  const powers = Array.from({length: Math.ceil(Math.log10(high / low)) + 1}, (_, i) => Math.floor(Math.log10(low)) + i);
  return powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`))).filter((x) => x > low && x < high);
}

/** Names of boxes to the right of the widest, below each other, with leaders to their corners. */
function boxLabels(boxes, frame, screen) {
  const {height} = textExtent('1', frame.size);
  const falling = [...boxes].reverse();
  const corners = falling.map(({seconds}) => ({x: screen.x(seconds), y: screen.y(seconds)}));
  // Below the diagonal, which leaves the widest box at its corner.
  const places = spreadOut(corners.map(({y}) => y + 0.6 * height), height, height / 2, frame.height - height / 2);
  return falling.map(({launches, seconds}, i) => ({
    name: 'box', text: `${launchText(launches)} ${withUnit(seconds, 's')}`, xanchor: 'left', yanchor: 'middle', borderpad: 2,
    x: Math.log10(seconds), y: Math.log10(seconds), showarrow: true, arrowhead: 0, arrowwidth: 0.8,
    arrowcolor: cssColour('roof-soft'), ax: corners[0].x + 10 - corners[i].x, ay: places[i] - corners[i].y,
    font: {size: frame.size, color: cssColour('ink-soft')}}));
}

/** Where those stand, which other labels keep clear of. */
function boxLabelRoom(labels, frame, screen) {
  return labels.map(({text, x, y, ax, ay}) => {
    const {width, height} = textExtent(text, frame.size);
    const [left, middle] = [screen.x(10 ** x) + ax, screen.y(10 ** y) + ay];
    return {left, top: middle - height / 2, right: left + width, bottom: middle + height / 2};
  });
}

function planeLabels(points, boxes, ranges, frame) {
  const screen = onScreen(ranges, frame);
  const markers = points.flatMap(({least, taken}) => [least, taken]).map(({x, y}) =>
    boxAround(screen.x(x), screen.y(y), 2 * frame.reach, 2 * frame.reach));
  const links = points.map(({least, taken}) => ({x1: screen.x(least.x), y1: screen.y(least.y),
                                                 x2: screen.x(taken.x), y2: screen.y(taken.y)}));
  const seen = boxes.filter(({seconds}) => [ranges.x, ranges.y].every(([low, high]) => seconds > low && seconds < high));
  const named = seen.length ? boxLabels(seen, frame, screen) : [];
  const room = {frame: {left: 0, top: 0, right: frame.width, bottom: frame.height},
                boxes: [...markers, ...boxLabelRoom(named, frame, screen)], lines: links};
  return [...named, ...placed(nameLabels(points.map(({row, taken}) => ({row, ...taken})), ranges, frame, screen), room)];
}

function planeFrame(width) {
  const margin = {...margins(width), l: textExtent('500 ms', isNarrow(width) ? narrowTicks : 13).width + (isNarrow(width) ? 5 : 34)};
  const outerHeight = isNarrow(width) ? 440 : 600;
  return {size: labelSize(width), margin, outerHeight, reach: markerReach(width), narrow: isNarrow(width),
          width: width - margin.l - margin.r, height: outerHeight - margin.t - margin.b};
}

function drawPlane(width) {
  const points = planePoints();
  const boxes = drawnBoxes(points);
  const values = [...planeValues(points), ...boxes.map((box) => box.seconds / 1.5)];
  const [low, high] = logRange(values);
  const frame = planeFrame(width);
  const traces = [
    ...[...boxes].reverse().map((box) => boxTrace(box, low)),
    ...runTimes([low, high]).map((seconds) => runTimeTrace(seconds, low)),
    {type: 'scatter', mode: 'lines', hoverinfo: 'skip', x: [low, high], y: [low, high], meta: {balance: true},
     line: {color: cssColour('roof'), width: 1.2, dash: 'dash'}}];
  for (const series of seriesOf(points.map(({row}) => row))) {
    const own = points.filter(({row}) => row.series === series.key);
    traces.push(linkTrace(series, own), planeMarkers(series, own, 'least', false, width),
                planeMarkers(series, own, 'taken', true, width));
  }
  const labels = (view) => planeLabels(points, boxes, view, frame);
  const small = {showgrid: false, ...(frame.narrow ? {tickfont: {size: narrowTicks}} : {})};
  return {traces, labels, units: {xaxis: 's', yaxis: 's'}, layout: {
    height: frame.outerHeight, margin: frame.margin, annotations: labels({x: [low, high], y: [low, high]}),
    xaxis: logAxis(frame.narrow ? 'compute time' : 'compute time: operations at the measured peak', [low, high], small),
    yaxis: logAxis(frame.narrow ? '' : `bandwidth time: bytes of ${levelLabel(switches.plane)} at its roof`, [low, high], small)}};
}

/** Why a machine has no box of launches. */
function withoutBox(machine) {
  return machine.kind === 'host' ? `nothing is launched on ${machine.label}` :
    `what a launch costs on ${machine.label} was not measured when it was recorded`;
}

function planeNotes() {
  const points = planePoints();
  const machines = shownMachines().filter((machine) => points.some(({row}) => row.machine === machine));
  const lacking = machines.filter((machine) => !launchCost(machine));
  const unknown = points.map(({row}) => row).filter((row) => launchCost(row.machine) && !row.result.launch?.length);
  const least = Math.min(...planeValues(points)) / farthestBox;
  const far = launchBoxes(points).filter((box) => box.seconds < least);
  return [
    lacking.length ? `No box of launches: ${lacking.map(withoutBox).join('; ')}.` : '',
    unknown.length ? `How often these launch kernels is not known, so the box is of one launch: ${
      seriesOf(unknown).map((one) => one.label).join('; ')}.` : '',
    far.length ? `Launching takes far less than is drawn: ${
      far.map((box) => `${withUnit(box.seconds, 's')} for ${launchText(box.launches)}`).join(', ')}.` : '',
  ].filter(Boolean);
}

/** The legend, whose markers are those of the level, and what is to be said of launches. */
function fillPlaneNote() {
  const note = document.getElementById('plane-note');
  if (!note) return;
  note.textContent = planeNotes().join(' ');
  document.getElementById('plane-legend').replaceChildren(legend([
    {label: `operations and bytes of ${levelLabel(switches.plane)}, at the roofs`, shape: levelSymbol(switches.plane)},
    {label: 'time taken', shape: 'open'}, {label: 'equal run time', shape: 'corner'},
    {label: 'both times equal', shape: 'diagonal'},
    ...(drawnBoxes(planePoints()).length ? [{label: 'taken by launches alone', shape: 'block', colour: 'grid'}] : [])], true));
}

function planeSection() {
  if (!planeLevels().length) return null;
  const title = 'Arithmetic against memory';
  if (!anyArithmetic())
    return section('plane', title, null, notice('Nothing is computed here, so all time is that of memory, and no variant ' +
      'has a place between the two. What the bytes of each level need is told under “Where the time goes”.'));
  return section(
    'plane', title,
    'To the right what the arithmetic takes, up what the bytes of one level take. The filled marker is the least of both, ' +
      'at the measured roofs: left of the diagonal memory needs longer, right of it arithmetic. The open one is the ' +
      'measured time on the same intensity; the distance between the two is what was not reached. All on one corner take ' +
      'the same time. What lies in the box of launches takes no longer than launching.',
    planeLevels().length > 1 ? radios('plane', 'Memory', planeLevels().map((level) => [level, levelLabel(level)])) : null,
    el('div', {id: 'plane-legend'}),
    chart('plane-chart', 'Time plane: time of the bytes over time of the arithmetic, at the roofs and as taken', 'plane.svg',
          drawPlane),
    el('p', {class: 'small', id: 'plane-note'}));
}
