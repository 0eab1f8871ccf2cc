// Where labels find room: geometry alone, in pixels from the left and from the top, and nothing left to
// chance. Boxes are {left, top, right, bottom}, lines {x1, y1, x2, y2}.

function boxAround(x, y, width, height) {
  return {left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2};
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function within(box, frame) {
  return box.left >= frame.left && box.right <= frame.right &&
    box.top >= frame.top && box.bottom <= frame.bottom;
}

function holds(box, {x, y}) {
  return within({left: x, top: y, right: x, bottom: y}, box);
}

/** Whether some of the line lies in the box: what is left of it after a cut at each side (Liang, Barsky). */
function crosses({x1, y1, x2, y2}, box) {
  let [from, to] = [0, 1];
  for (const [step, room] of [[x1 - x2, x1 - box.left], [x2 - x1, box.right - x1],
                              [y1 - y2, y1 - box.top], [y2 - y1, box.bottom - y1]]) {
    if (step === 0 && room <= 0) return false;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to;
}

/** A place is free where it covers nothing and its leader, if it has one, passes over nothing. */
function isFree({box, leader}, room) {
  if (!within(box, room.frame)) return false;
  if (room.boxes.some((one) => overlap(box, one))) return false;
  if (room.leaders.some((one) => crosses(one, box))) return false;
  if (!leader) return true;
  // An obstacle over the leader's start lies over the marker itself: no leader could go around it.
  const start = {x: leader.x1, y: leader.y1};
  return !room.boxes.some((one) => crosses(leader, one) && !holds(one, start));
}

/** The cheapest place; lines below its text make it dearer, lines below its leader a little. */
function cheapest(places, lines) {
  const cost = ({box, leader, cost: own}) => own +
    0.6 * lines.filter((line) => crosses(line, box)).length +
    (leader ? 0.15 * lines.filter((line) => meet(line, leader)).length : 0);
  const costs = places.map(cost);
  return places[costs.indexOf(Math.min(...costs))] ?? null;
}

/** Whether two lines cross: each has the other's ends on both its sides. */
function meet(a, b) {
  const side = (line, x, y) => (line.x2 - line.x1) * (y - line.y1) - (line.y2 - line.y1) * (x - line.x1);
  return side(a, b.x1, b.y1) * side(a, b.x2, b.y2) < 0 && side(b, a.x1, a.y1) * side(b, a.x2, a.y2) < 0;
}

/** The place of each label, the cheapest that those before it in `order` have left; else null. */
function placeInOrder(order, labels, room) {
  const taken = {frame: room.frame, boxes: [...room.boxes], leaders: []};
  const result = labels.map(() => null);
  for (const index of order) {
    const place = cheapest(labels[index].filter((one) => isFree(one, taken)), room.lines);
    if (!place) continue;
    result[index] = place;
    taken.boxes.push(place.box);
    if (place.leader) taken.leaders.push(place.leader);
  }
  return result;
}

/**
 * The place of each label, or null where it finds no room. `labels` holds for each one the places that it
 * might take, {box, cost} or {box, cost, leader}, a leader starting at what it names. `room` holds the
 * frame, the boxes that none may cover, and the lines that none should cover. Labels with little choice
 * go first; then those that found the places they had taken, as long as more are named so.
 */
function placeLabels(labels, room) {
  const empty = {frame: room.frame, boxes: room.boxes, leaders: []};
  const free = labels.map((places) => places.filter((place) => isFree(place, empty)));
  const count = (places) => places.filter(Boolean).length;
  let order = free.map((_, index) => index).sort((a, b) => free[a].length - free[b].length || a - b);
  let best = placeInOrder(order, free, room);
  for (let more = true; more;) {
    const late = order.filter((index) => free[index].length && !best[index]);
    order = [...late, ...order.filter((index) => !late.includes(index))];
    const other = placeInOrder(order, free, room);
    more = count(other) > count(best);
    if (more) best = other;
  }
  return best;
}

/**
 * Moves what stands too close apart, and as little as can be: `wanted` in rising order becomes places in
 * rising order, `gap` apart or more, from `low` to `high`.
 */
function spreadOut(wanted, gap, low, high) {
  const groups = [];
  // The start of a group that stands gap by gap, as near as can be to where its members want to be.
  const start = ({members}) => {
    const mean = members.reduce((sum, place, i) => sum + place - i * gap, 0) / members.length;
    return Math.max(low, Math.min(mean, high - (members.length - 1) * gap));
  };
  for (const place of wanted) {
    let group = {members: [place]};
    while (groups.length && start(groups.at(-1)) + groups.at(-1).members.length * gap > start(group))
      group = {members: [...groups.pop().members, ...group.members]};
    groups.push(group);
  }
  return groups.flatMap((group) => group.members.map((_, i) => start(group) + i * gap));
}
