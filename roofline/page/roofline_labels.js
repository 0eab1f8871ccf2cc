// The names on the roofline, none over another: bandwidths on their slopes, flat roofs beside the plot
// with leaders to their lines, variants beside their markers: part of roofline_chart.js, which says what a
// page gives.

function labelSize(width) {
  if (isNarrow(width)) return 10;
  return width < 1300 ? 12 : 14;  // those in the last row read along
}

/** Width and height of a text of one line. */
function textExtent(text, size) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `${size}px ${cssColour('sans')}`;
  return {width: pen.measureText(text).width + 3, height: 1.2 * size + 1};
}

/** From values to pixels right of and below the top left corner of the plot. */
function onScreen(ranges, frame) {
  const share = (value, [low, high]) => Math.log(value / low) / Math.log(high / low);
  return {x: (value) => frame.width * share(value, ranges.x),
          y: (value) => frame.height * (1 - share(value, ranges.y))};
}

/** Lines of a trace, from point to point. */
function segments(trace, screen) {
  const at = trace.x.map((x, i) => ({x: screen.x(x), y: screen.y(trace.y[i])}));
  return at.slice(1).map((end, i) => ({x1: at[i].x, y1: at[i].y, x2: end.x, y2: end.y}));
}

/** A roof is straight on this chart, whatever the number of its points. */
function straight({x, y}) {
  return {x: [x[0], x.at(-1)], y: [y[0], y.at(-1)]};
}

function roofText(text, size, settings) {
  return {showarrow: false, borderpad: 0, font: {size, color: cssColour('ink-soft')},
          bgcolor: cssColour('paper'), text: forPlotly(text), ...settings};
}

/** The angle, in degrees, at which a line of slope one rises on this chart. */
function slopeOnScreen(ranges, frame) {
  const decades = ([low, high]) => Math.log10(high / low);
  return Math.atan2(frame.height / decades(ranges.y), frame.width / decades(ranges.x)) * 180 / Math.PI;
}

/** A label that interrupts its line, and the places along the line where it might. */
function onLine(text, size, angle, from, to, screen) {
  const {width, height} = textExtent(text, size);
  const [sin, cos] = [Math.sin(angle * Math.PI / 180), Math.cos(angle * Math.PI / 180)];
  const shares = Array.from({length: 33}, (_, i) => i / 32);
  const places = shares.map((share) => {
    const x = from.x * (to.x / from.x) ** share;
    const y = from.y * (to.y / from.y) ** share;
    return {x, y, share, box: boxAround(screen.x(x), screen.y(y), width * cos + height * sin,
                                        width * sin + height * cos)};
  });
  return {places, annotation: (place) => roofText(text, size, {
    x: Math.log10(place.x), y: Math.log10(place.y), textangle: -angle, name: 'roof'})};
}

/** Bandwidths in rising order, those together whose names would cover each other: within 10% of the lowest. */
function bandwidthGroups(view, machine) {
  const groups = [];
  const rising = bandwidthCeilings(view, machine).filter((roof) => isNumber(roof.measured))
                   .sort((a, b) => a.measured - b.measured);
  for (const roof of rising) {
    if (groups.length && roof.measured < 1.1 * groups.at(-1)[0].measured) groups.at(-1).push(roof);
    else groups.push([roof]);
  }
  return groups;
}

/** "L2 9.46 TB/s"; of several "L1 and shared memory 33 TB/s", the rate where two digits of it are the same.
 * Where that is long for its line, "L1 and shared". */
function bandwidthText(view, roofs, size, length) {
  if (roofs.length === 1) return `${roofs[0].label} ${withUnit(roofs[0].measured, `${trafficUnit(view)}/s`)}`;
  const names = roofs.map((roof) => roof.label);
  const rates = new Set(roofs.map((roof) => withUnit(roof.measured, `${trafficUnit(view)}/s`, 2)));
  const text = [names.join(' and '), ...(rates.size === 1 ? rates : [])].join(' ');
  if (textExtent(text, size).width < 0.7 * length) return text;
  return names.map((name) => name.split(' ')[0]).join(' and ');
}

/** Names of bandwidths, on their slopes and rather low, where few points are. */
function slopeLabels(view, machine, ranges, frame, screen) {
  const peak = Math.max(...computeCeilings(view, machine).map((roof) => roof.measured).filter(isNumber), 0);
  const angle = slopeOnScreen(ranges, frame);
  return bandwidthGroups(view, machine).flatMap((roofs) => {
    const [roof] = roofs;
    const low = Math.max(ranges.x[0], ranges.y[0] / roof.measured);
    const high = Math.min(ranges.x[1], Math.min(peak || Infinity, ranges.y[1]) / roof.measured);
    if (low >= high) return [];
    const [from, to] = [low, high].map((x) => ({x, y: x * roof.measured}));
    const length = Math.hypot(screen.x(to.x) - screen.x(from.x), screen.y(to.y) - screen.y(from.y));
    const label = onLine(bandwidthText(view, roofs, frame.size, length), frame.size, angle, from, to, screen);
    for (const place of label.places) place.cost = Math.abs(place.share - 0.3);
    return [label];
  });
}

/** Flat roofs whose lines are in view, each with its machine and where its line starts. */
function flatRoofs(view, machines, ranges) {
  return machines.flatMap((machine) => computeCeilings(view, machine).filter((roof) => isNumber(roof.measured))
    .map((roof) => ({roof, y: roof.measured, start: Math.max(ranges.x[0], roof.measured / steepest(view, machine)),
                     owner: machines.length > 1 ? `, ${shortened(machine.label, 16)}` : ''})))
    .filter(({y, start}) => start < ranges.x[1] && y >= ranges.y[0] && y <= ranges.y[1])
    .sort((a, b) => b.y - a.y);
}

/** "scalar, FMA" of "FP64 scalar, FMA": the chart is one of FP64. */
function withoutTitle(view, label) {
  const {title} = shownModel(view);
  return (title && label.startsWith(title) && label.slice(title.length).replace(/^[ ,]+/, '')) || label;
}

/** Names of flat roofs on their lines, rather far to the right, where the margin has no room for them. */
function flatLabelsInside(view, machines, ranges, frame, screen) {
  return flatRoofs(view, machines, ranges).map(({roof, y, start, owner}) => {
    const text = shortened(withoutTitle(view, roof.label), 24) + owner;
    const label = onLine(text, frame.size, 0, {x: start, y}, {x: ranges.x[1], y}, screen);
    for (const place of label.places) place.cost = 1 - place.share;
    return label;
  });
}

const leaderLength = 26;
const toolbar = 18;  // how far Plotly's reaches down beside the plot

function besideTexts(view, {roof, owner}) {
  return [shortened(roof.label, 30), `${withUnit(roof.measured, shownModel(view).rate)}${owner}`];
}

/** Names of the flat roofs in the margin on the right, each with a leader to its roof. */
function flatLabelsBeside(view, machines, ranges, frame, screen) {
  const roofs = flatRoofs(view, machines, ranges);
  const height = 2.6 * frame.size + 4;
  const wanted = roofs.map(({y}) => screen.y(y));
  const places = spreadOut(wanted, height, toolbar + height / 2, frame.height - height / 2);
  return roofs.map((one, i) => roofText('', frame.size, {
    text: besideTexts(view, one).map(forPlotly).join('<br>'), align: 'left', name: 'roof',
    xref: 'paper', x: 1, y: Math.log10(one.y), xanchor: 'left', yanchor: 'middle',
    showarrow: true, arrowhead: 0, arrowwidth: 1, arrowcolor: cssColour('roof-soft'),
    ax: leaderLength, ay: places[i] - wanted[i]}));
}

/** How far the margin on the right has to reach for them. */
function marginBeside(view, machines, ranges, size) {
  const widths = flatRoofs(view, machines, ranges).flatMap((one) => besideTexts(view, one)).map((text) => textExtent(text, size).width);
  return leaderLength + 4 + Math.max(0, ...widths);
}

/** Around a marker first, then `distances` away from there with a leader. */
function namePlaces({x, y}, {width, height}, reach, distances) {
  const place = (dx, dy, cost) => ({dx, dy, cost, box: boxAround(x + dx, y + dy, width, height)});
  const [right, below] = [reach + width / 2, reach + height / 2];
  const near = [[1, 0], [0, -1], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, -1], [-1, 1]]
    .map(([across, down], i) => place(across * right, down * below, 0.1 * i));
  const far = distances.flatMap((distance, ring) => Array.from({length: 24}, (_, i) => {
    const angle = 2 * Math.PI * i / 24;
    const [dx, dy] = [(right + distance) * Math.cos(angle), (below + distance) * Math.sin(angle)];
    return {...place(dx, dy, 1.5 + 0.5 * ring), leader: {x1: x, y1: y, x2: x + dx, y2: y + dy}};
  }));
  return [...near, ...far];
}

/** Names of walls along their lines, rather low; walls that several machines have once. */
function wallLabels(view, machines, ranges, frame, screen) {
  const highest = new Map();
  for (const wall of machines.flatMap((machine) => wallsOf(view, machine)))
    if (!(highest.get(wall.label)?.top >= wall.top)) highest.set(wall.label, wall);
  return [...highest.values()].flatMap(({label: text, intensity: x, top}) => {
    const [low, high] = [ranges.y[0], Math.min(top, ranges.y[1])];
    if (low >= high || x < ranges.x[0] || x > ranges.x[1]) return [];
    const label = onLine(text, frame.size, 90, {x, y: low}, {x, y: high}, screen);
    for (const place of label.places) place.cost = place.share;
    return [label];
  });
}

/** The names of these points' variants beside them. */
function nameLabels(points, ranges, frame, screen) {
  const inView = ({x, y}) => x >= ranges.x[0] && x <= ranges.x[1] && y >= ranges.y[0] && y <= ranges.y[1];
  const distances = frame.narrow ? [8, 14] : [10, 18, 28, 40];  // long leaders would fill a phone
  return points.filter((point) => point && inView(point)).map((point) => {
    const {variant, series} = point.row;
    const at = {x: screen.x(point.x), y: screen.y(point.y)};
    return {
      places: namePlaces(at, textExtent(variant, frame.size), frame.reach, distances),
      annotation: ({dx, dy, leader}) => ({
        name: 'variant', x: Math.log10(point.x), y: Math.log10(point.y), text: forPlotly(variant),
        font: {size: frame.size, color: seriesColour(series)}, borderpad: 0, bgcolor: cssColour('paper'),
        ...(leader ? {showarrow: true, arrowhead: 0, arrowwidth: 0.8, arrowcolor: cssColour('ink-soft'),
                      standoff: frame.reach, ax: dx, ay: dy} :
                     {showarrow: false, xshift: dx, yshift: -dy})}),
    };
  });
}

/** Texts of these labels that found room; their places are taken from now on. */
function placed(labels, room) {
  const places = placeLabels(labels.map((label) => label.places), room);
  const found = labels.map((label, i) => ({label, place: places[i]})).filter(({place}) => place);
  room.boxes.push(...found.map(({place}) => place.box));
  return found.map(({label, place}) => label.annotation(place));
}

/** The last part of an arrow, with its head: without it nobody sees where it leads. */
function arrowHead({x1, y1, x2, y2}, reach) {
  const share = Math.min(1, (reach + 10) / (Math.hypot(x2 - x1, y2 - y1) || 1));
  return {x1: x2 - share * (x2 - x1), y1: y2 - share * (y2 - y1), x2, y2};
}

/** Lines that no label should cover; heads of arrows count more than once. */
function linesToSpare(traces, screen, reach) {
  const roofs = traces.filter((trace) => trace.meta.roof).flatMap((trace) => segments(straight(trace), screen));
  const walls = traces.filter((trace) => trace.meta.wall).flatMap((trace) => segments(straight(trace), screen));
  const arrows = traces.filter((trace) => trace.meta.arrows).flatMap((trace) => segments(trace, screen));
  const heads = arrows.map((arrow) => arrowHead(arrow, reach));
  return [...roofs, ...walls, ...arrows, ...heads, ...heads];
}

/** Where markers stand, and dashes, which are no higher than their line. */
function markerBoxes(traces, frame, screen) {
  return traces.filter((trace) => trace.meta.level || trace.meta.dashes).flatMap((trace) => trace.x.map((x, i) =>
    boxAround(screen.x(x), screen.y(trace.y[i]), 2 * frame.reach, trace.meta.level ? 2 * frame.reach : 4)));
}

/** All texts for what is in view: `traces` are drawn, `frame` has the size of the plot and of the text. Each
 * variant is named once, at its outermost level: there the steps differ most. */
function rooflineLabels(view, rows, machines, traces, ranges, frame) {
  const screen = onScreen(ranges, frame);
  const room = {frame: {left: 0, top: 0, right: frame.width, bottom: frame.height},
                boxes: markerBoxes(traces, frame, screen), lines: linesToSpare(traces, screen, frame.reach)};
  const outermost = rows.map((row) => pointsOf(view, row).at(-1));
  return [
    ...placed(machines.flatMap((machine) => slopeLabels(view, machine, ranges, frame, screen)), room),
    ...placed(wallLabels(view, machines, ranges, frame, screen), room),
    ...(frame.beside ? flatLabelsBeside(view, machines, ranges, frame, screen) :
                       placed(flatLabelsInside(view, machines, ranges, frame, screen), room)),
    ...placed(nameLabels(outermost, ranges, frame, screen), room)];
}
