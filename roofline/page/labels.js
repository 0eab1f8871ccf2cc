// Places labels of charts where there is room, in pixels from the plot's top left.

const leaderLength = 26;

function boxAround(x, y, width, height) {
  return {left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2};
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** True if part of the line is in the box, by clipping at each side (Liang, Barsky). */
function crosses({x1, y1, x2, y2}, box) {
  let [from, to] = [0, 1];
  for (const [step, room] of [[x1 - x2, x1 - box.left], [x2 - x1, box.right - x1], [y1 - y2, y1 - box.top], [y2 - y1, box.bottom - y1]]) {
    if (step === 0 && room <= 0) return false;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to;
}

/** Takes the first free place of a label and marks it as used; null if there is none. */
function takePlace(places, room) {
  const free = ({box, leader}) => box.left >= 0 && box.top >= 0 && box.right <= room.width && box.bottom <= room.height &&
    !room.boxes.some((other) => overlap(box, other)) && !room.leaders.some((other) => crosses(other, box)) &&
    !(leader && room.boxes.some((other) => crosses(leader, other) &&
      !(leader.x1 >= other.left && leader.x1 <= other.right && leader.y1 >= other.top && leader.y1 <= other.bottom)));
  const all = places.filter(free);
  const place = all.find(({box}) => !room.lines.some((line) => crosses(line, box))) ?? all[0] ?? null;
  if (place) {
    room.boxes.push(place.box);
    if (place.leader) room.leaders.push(place.leader);
  }
  return place;
}

/** Places around a marker, and then farther away with a leader line. */
function namePlaces({x, y}, {width, height}, {reach, narrow}) {
  const place = (dx, dy) => ({dx, dy, box: boxAround(x + dx, y + dy, width, height)});
  const [right, below] = [reach + width / 2, reach + height / 2];
  const near = [[1, 0], [0, -1], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, -1], [-1, 1]].map(([across, down]) => place(across * right, down * below));
  const far = (narrow ? [8, 14, 22] : [10, 18, 28, 40, 56]).flatMap((distance) => Array.from({length: 24}, (_, i) => {
    const angle = 2 * Math.PI * i / 24;
    const [dx, dy] = [(right + distance) * Math.cos(angle), (below + distance) * Math.sin(angle)];
    return {...place(dx, dy), leader: {x1: x, y1: y, x2: x + dx, y2: y + dy}};
  }));
  return [...near, ...far];
}

/** A label's centre in pixels, from its place in values, for every width and zoom. */
function middleOf({x, y, dx, dy}, chart, {left, right, bottom, top, width, height}) {
  const shifted = ({logarithmic, low, high}, from, share) => logarithmic ? from * (high / low) ** share : from + share * (high - low);
  return {x: shifted(chart.x, x, dx / (width - left - right)), y: shifted(chart.y, y, dy / (height - bottom - top))};
}

/** Places along the labelled line, the program's own first: {dx, dy, box}. */
function linePlaces(middle, angle, {width, height}) {
  const [sin, cos] = [Math.sin(angle * Math.PI / 180), Math.cos(angle * Math.PI / 180)];
  const steps = Array.from({length: 41}, (_, i) => (i % 2 ? 1 : -1) * Math.ceil(i / 2) * 24);
  return steps.map((step) => ({dx: step * cos, dy: -step * sin, box: boxAround(
    middle.x + step * cos, middle.y - step * sin, width * cos + height * Math.abs(sin), width * Math.abs(sin) + height * cos)}));
}

/** The angle in degrees of a line of slope one on this screen. */
function slopeOnScreen({ranges, plot}) {
  const decades = ([low, high]) => Math.log10(high / low);
  return Math.atan2(plot.height / decades(ranges.y), plot.width / decades(ranges.x)) * 180 / Math.PI;
}

/** Spreads ascending positions so that they are at least `gap` apart, between `low` and `high`. */
function spreadOut(wanted, gap, low, high) {
  const places = [];
  for (const place of wanted) places.push(Math.max(place, low, places.length ? places.at(-1) + gap : low));
  for (let i = places.length - 1, most = high; i >= 0; --i, most -= gap) places[i] = Math.min(places[i], most);
  return places;
}

/** A text at a position in values, in Plotly's form. */
function annotation({text, colour}, {x, y}, {plot, logarithmic}, settings) {
  return {x: logarithmic.x ? Math.log10(x) : x, y: logarithmic.y ? Math.log10(y) : y, text: forPlotly(text), showarrow: false, borderpad: 0,
          bgcolor: cssColour('paper'), font: {size: plot.text, color: cssColour(colour || 'ink-soft')}, ...settings};
}

/** Labels beside the plot, one below the other, each with a leader to its line. */
function outsideLabels(labels, screen) {
  const falling = [...labels].sort((a, b) => b.y - a.y);
  const wanted = falling.map(({y}) => screen.y(y));
  const gap = 4 + 1.3 * screen.plot.text;
  const places = spreadOut(wanted, gap, 18 + gap / 2, screen.plot.height - gap / 2);  // space
  return falling.map((label, i) => annotation(label, label, screen, {
    name: 'roof', align: 'left', xref: 'paper', x: 1, xanchor: 'left', yanchor: 'middle', showarrow: true, arrowhead: 0, arrowwidth: 1,
    arrowcolor: cssColour('roof-soft'), ax: leaderLength, ay: places[i] - wanted[i]}));
}

/** A name along its line, if there is room. */
function onLine(label, chart, screen, room) {
  const at = middleOf(label, chart, screen.plot.frame);
  const angle = label.angle && Math.abs(label.angle) !== 90 ? slopeOnScreen(screen) : label.angle;
  const place = takePlace(linePlaces({x: screen.x(at.x), y: screen.y(at.y)}, angle, textExtent(label.text, screen.plot.text)), room);
  return place ? [annotation(label, at, screen, {name: 'roof', xshift: place.dx, yshift: -place.dy, textangle: -angle})] : [];
}

function besideMark(mark, screen, room) {
  const label = {text: mark.name, colour: mark.colour};
  const at = {x: screen.x(mark.x), y: screen.y(mark.y)};
  const place = takePlace(namePlaces(at, textExtent(mark.name, screen.plot.text), screen.plot), room);
  if (!place) return [];
  const {dx, dy, leader} = place;
  return [annotation(label, mark, screen, leader ?
    {name: 'name', showarrow: true, arrowhead: 0, arrowwidth: 0.8, arrowcolor: cssColour('ink-soft'), standoff: screen.plot.reach, ax: dx, ay: dy} :
    {name: 'name', xshift: dx, yshift: -dy})];
}

/** The marks with visible names: each name and colour once, at the last visible mark. */
function namedMarks(marks) {
  return [...new Map(marks.filter(({name, small}) => name && !small).map((mark) => [`${mark.colour} ${mark.name}`, mark])).values()];
}

/** Line segments that labels should avoid. */
function segmentsOf(lines, screen) {
  return lines.filter(({item}) => ['roof', 'thin roof', 'wall', 'arrow'].includes(item)).flatMap(({x, y}) => x.slice(1).map((_, i) => (
    {x1: screen.x(x[i]), y1: screen.y(y[i]), x2: screen.x(x[i + 1]), y2: screen.y(y[i + 1])})));
}

function takenBoxes({marks, boxes}, chart, screen) {
  const {reach} = screen.plot;
  const bars = chart.x.logarithmic ? [] : boxes.map(({left, right, bottom, top}) => ({
    left: screen.x(left), right: screen.x(right), top: Math.min(screen.y(bottom), screen.y(top)), bottom: Math.max(screen.y(bottom), screen.y(top))}));
  return [...marks.map(({x, y, shape}) => boxAround(screen.x(x), screen.y(y), 2 * reach, shape === 'bar' ? 4 : 2 * reach)), ...bars];
}

/** All visible texts. Names of marks get new places; other labels keep the program's. */
function annotationsOf(chart, part, screen) {
  const {plot, ranges} = screen;
  const inView = ({x, y}) => x >= ranges.x[0] && x <= ranges.x[1] && y >= ranges.y[0] && y <= ranges.y[1];
  const marks = part.marks.filter(inView);
  const room = {width: plot.width, height: plot.height, leaders: [], lines: segmentsOf(part.lines, screen),
                boxes: takenBoxes({marks, boxes: part.boxes}, chart, screen)};
  const ofMarks = new Set(chart.marks.filter(({name}) => name).map(({x, y}) => `${x} ${y}`));
  const labels = plot.labels.filter((label) => isShown(label.tags) && !ofMarks.has(`${label.x} ${label.y}`));
  return [...labels.filter(({outside}) => !outside).flatMap((label) => onLine(label, chart, screen, room)),
          ...outsideLabels(labels.filter((label) => label.outside && label.y >= ranges.y[0] && label.y <= ranges.y[1]), screen),
          ...namedMarks(marks).flatMap((mark) => besideMark(mark, screen, room))];
}
