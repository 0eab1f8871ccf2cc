// Which counters explain a step: those that say why time changed, told on the page too. A counter is
// asked for the seconds that it accounts for, before and after, and those have to move with the time.

/** Of a counter, as a logarithm: less may be chance. */
const leastChange = Math.log(1.05);
/** Of a run, before or after: less cannot be what it waited for. */
const leastShare = 0.1;
/** Of the change of time: less leaves nearly all of it to something else. */
const leastEffect = 0.1;

const explanationRule =
  'Only what can cause time is asked: FP64 work, warp instructions, bytes at each level of memory, warps’ ' +
  'stalls, occupancy, hit rates, spills. Clock, cycles and how busy a pipe was say how fast something ran, ' +
  'not why; FP16 instructions of an FP64 kernel load constants. A counter accounts for seconds: bytes and ' +
  'operations for the time they need at the measured roof, instructions for that of their pipe or of the ' +
  'issue slots, a stall for its share of the warps’ time. It explains a step if it changed by at least 5% ' +
  'in the direction of the time (more of a cost where time rose, less of a rate where it rose), if its ' +
  'seconds are at least a tenth of the run, before or after, and if they changed by at least a tenth of ' +
  'what the time changed. A hit rate explains through the wait for memory (long scoreboard), spills through ' +
  'the bytes of L1: only where that explains too. Occupancy counts by its ratio. The two that account for ' +
  'most are marked. Where two medians differ by less than 1%, or their 95% intervals overlap, there is ' +
  'nothing to explain. The rule finds what goes along with a change; it proves no cause.';

function busySeconds(row, unit) {
  return isNumber(row.metrics[unit]) ? row.metrics[unit] / 100 * row.seconds : null;
}

function levelSeconds(row, level) {
  return row.roofline?.level_seconds?.[level] ?? null;
}

function sharedSeconds(row) {
  const roof = row.machine.ceilings?.list.find((one) => one.name === 'shared');
  return roof?.measured > 0 && isNumber(row.metrics.shared_bytes) ? row.metrics.shared_bytes / roof.measured : null;
}

/** Costs that have seconds of their own. Of one kind only the one that accounts for most is marked. */
const costs = {
  fp64_pipe_instructions: {kind: 'arithmetic', seconds: (row) => busySeconds(row, 'fp64_pipe')},
  instructions: {kind: 'issue', seconds: (row) => busySeconds(row, 'issue')},
  dram_bytes: {kind: 'dram', seconds: (row) => levelSeconds(row, 'dram')},
  l2_sm_bytes: {kind: 'l2', seconds: (row) => levelSeconds(row, 'l2')},
  shared_bytes: {kind: 'shared', seconds: sharedSeconds},
  l1_bytes: {kind: 'l1', seconds: (row) => levelSeconds(row, 'l1')},
};
/** What explains through another counter alone. */
const indirect = {
  l1_hit: {kind: 'hits', through: 'stall_long_scoreboard', rate: true},
  l2_hit: {kind: 'hits', through: 'stall_long_scoreboard', rate: true},
  'spills per thread': {kind: 'spills', through: 'l1_bytes', rate: false},
};
const occupancies = ['occupancy', 'launch occupancy'];
/** Warps that issue, or could have, wait for nothing. */
const noStalls = ['stall_selected', 'stall_not_selected'];

/** The share of their time that warps spent so. */
function stallSeconds(row, name) {
  const stalls = Object.keys(row.metrics).filter((one) => one.startsWith('stall_'));
  const all = stalls.reduce((sum, one) => sum + row.metrics[one], 0);
  return all > 0 ? row.metrics[name] / all * row.seconds : null;
}

/** What the counter may do to time: {kind, seconds} or {kind, through} or {kind}, or null for nothing. */
function causeOf(name) {
  if (occupancies.includes(name)) return {kind: 'occupancy', rate: true};
  if (name.startsWith('stall_') && !noStalls.includes(name))
    return {kind: name, rate: false, seconds: (row) => stallSeconds(row, name)};
  const model = models().find((one) => one.work === name && !one.moves);
  if (model)
    return {kind: 'arithmetic', seconds: (row) => row.rooflines[model.name]?.compute_seconds ?? null};
  return costs[name] ?? indirect[name] ?? null;
}

/** Metrics and launch facts of a row: {name: {value, unit}}. */
function evidence(row) {
  const all = {};
  for (const {name, unit} of report.metrics)
    // Counting slows kernels down: its seconds are not to be compared.
    if (isNumber(row.metrics[name]) && name !== 'seconds') all[name] = {value: row.metrics[name], unit};
  for (const [name, value] of Object.entries(row.metrics))
    if (!metricRow(name) && isNumber(value)) all[name] = {value, unit: metricUnit(name)};
  const spills = ofLargest(row.launch, 'spill_bytes');
  const occupancy = ofLargest(row.launch, 'occupancy');
  if (isNumber(occupancy)) all['launch occupancy'] = {value: 100 * occupancy, unit: '%'};
  if (isNumber(spills)) all['spills per thread'] = {value: spills, unit: 'B'};
  return all;
}

function timeChanged(before, after) {
  const [a, b] = [before.result.time_s, after.result.time_s];
  if (Math.abs(b.median / a.median - 1) < 0.01) return false;
  const known = [a.low, a.high, b.low, b.high].every(isNumber);
  return !known || a.high < b.low || b.high < a.low;
}

/** As a logarithm; from nothing to something is the largest change there is. */
function changeOf(before, after) {
  return before === after ? 0 : Math.log(after / before);
}

/** The share of the change of time that a counter accounts for; 0 where it explains nothing. */
function effectOf(name, old, now, before, after) {
  const cause = causeOf(name);
  if (!cause || !old[name] || !now[name]) return 0;
  const change = changeOf(old[name].value, now[name].value);
  const slower = after.seconds > before.seconds;
  if (Math.abs(change) < leastChange || (change > 0) !== (slower === !cause.rate)) return 0;
  // Behind what it acts through.
  if (cause.through) return 0.99 * effectOf(cause.through, old, now, before, after);
  if (!cause.seconds) return Math.min(1, Math.abs(change / Math.log(after.seconds / before.seconds)));
  const [first, second] = [cause.seconds(before), cause.seconds(after)];
  if (!isNumber(first) || !isNumber(second)) return 0;
  if (Math.max(first / before.seconds, second / after.seconds) < leastShare) return 0;
  const effect = (second - first) / (after.seconds - before.seconds);
  return effect >= leastEffect ? effect : 0;
}

/** [{name, unit, before, after, change, marked}] of what both rows have, in the order of the metrics. */
function compareEvidence(before, after) {
  const [old, now] = [evidence(before), evidence(after)];
  const list = Object.keys(now).filter((name) => old[name]).map((name) => ({
    name, unit: old[name].unit, before: old[name].value, after: now[name].value, marked: false,
    change: changeOf(old[name].value, now[name].value)}));
  if (!timeChanged(before, after)) return list;
  const ranked = list.map((one) => ({one, effect: effectOf(one.name, old, now, before, after)}))
    .filter(({effect}) => effect > 0).sort((a, b) => b.effect - a.effect);
  const kinds = new Set();
  for (const {one} of ranked) {
    if (kinds.size === 2) break;
    const {kind} = causeOf(one.name);
    one.marked = !kinds.has(kind);
    kinds.add(kind);
  }
  return list;
}
