// Which counters explain a step. The rule, also told on the page:
//   A change explains the time when it points the same way: more of a cost (operations, bytes,
//   instructions, stalls, spills) where time rose, less where it fell; more of a rate (hit
//   rates, occupancy, pipe use) where time fell, less where it rose. Of those the two that changed
//   most, relative to before, are marked, if they changed by 5% or more. A stall counts only where it
//   is at least a tenth of all stalls before or after, a percentage where it is 1% or more. Where the
//   medians differ by less than 1% or their intervals overlap there is nothing to explain.

const leastChange = Math.log(1.05);

const explanationRule =
  'A change explains the time when it points the same way: more of a cost (operations, bytes, ' +
  'instructions, stalls, spills) where time rose, less where it fell; more of a rate (hit rates, ' +
  'occupancy, use of a pipe) where time fell, less where it rose. Of those, the two with the largest ' +
  'relative change are marked, if it is 5% or more. A stall counts only where it is at least a tenth of ' +
  'all stalls before or after, a percentage where it is at least 1%. Where two medians differ by less than ' +
  '1%, or their 95% intervals overlap, there is nothing to explain and nothing is marked. The rule finds ' +
  'what goes along with a change; it proves no cause.';

/** 'cost', 'rate' or 'neither', from a metric's name and unit. */
function direction(name, unit) {
  if (name.startsWith('stall_')) return 'cost';
  if (/^(cycles|seconds|clock)$/.test(name)) return 'neither';  // time itself, in other words
  if (unit === '%') return 'rate';
  return ['FLOP', 'B', 'instruction'].includes(unit) ? 'cost' : 'neither';
}

/** Metrics and launch facts of a row: {name: {value, unit, kind}}. */
function evidence(row) {
  const all = {};
  for (const {name, unit} of report.metrics)
    // Counting slows kernels down: its seconds are not to be compared.
    if (isNumber(row.metrics[name]) && name !== 'seconds')
      all[name] = {value: row.metrics[name], unit, kind: direction(name, unit)};
  for (const [name, value] of Object.entries(row.metrics))
    if (!metricRow(name) && isNumber(value)) all[name] = {value, unit: '', kind: direction(name, '')};
  const spills = ofLargest(row.launch, 'spill_bytes');
  const occupancy = ofLargest(row.launch, 'occupancy');
  if (isNumber(occupancy)) all['launch occupancy'] = {value: 100 * occupancy, unit: '%', kind: 'rate'};
  if (isNumber(spills)) all['spills per thread'] = {value: spills, unit: 'B', kind: 'cost'};
  return all;
}

function stallSum(row) {
  return stallNames([row]).reduce((sum, name) => sum + row.metrics[name], 0);
}

/** Large enough to matter, before or after. */
function matters(name, before, after, rows) {
  if (name.startsWith('stall_'))
    return before.value >= 0.1 * stallSum(rows.before) || after.value >= 0.1 * stallSum(rows.after);
  return before.unit !== '%' || before.value >= 1 || after.value >= 1;
}

function timeChanged(before, after) {
  const [a, b] = [before.result.time_s, after.result.time_s];
  if (Math.abs(b.median / a.median - 1) < 0.01) return false;
  const known = [a.low, a.high, b.low, b.high].every(isNumber);
  return !known || a.high < b.low || b.high < a.low;
}

/** [{name, unit, before, after, ratio, marked}] of what both rows have, in the order of the metrics. */
function compareEvidence(before, after) {
  const [old, now] = [evidence(before), evidence(after)];
  const slower = after.seconds > before.seconds;
  const list = Object.keys(now).filter((name) => old[name]).map((name) => {
    const [a, b] = [old[name], now[name]];
    // From nothing to something is the largest change there is.
    const change = a.value === b.value ? 0 : Math.log(b.value / a.value);
    const explains = a.kind === 'neither' ? false : (change > 0) === (slower === (a.kind === 'cost'));
    return {name, unit: a.unit, before: a.value, after: b.value, change, marked: false,
            candidate: explains && Math.abs(change) >= leastChange &&
              matters(name, a, b, {before, after})};
  });
  if (timeChanged(before, after))
    list.filter((one) => one.candidate).sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
      .slice(0, 2).forEach((one) => { one.marked = true; });
  return list;
}
