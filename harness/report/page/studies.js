// The records, flattened: one row per variant, model and machine, with what every part needs.

/** The roofline models of the program, as roofline/models/ has them. */
function models() {
  return report.models ?? [];
}

/** What a row does per second: operations, or bytes where it does none. */
function rateText(row) {
  const at = row.roofline;
  return withUnit(at?.flops_per_s, models().find((one) => one.name === at?.precision)?.rate ?? 'FLOP/s');
}

/** Whether anything that is studied computes; else it only moves bytes. */
function anyArithmetic() {
  return allRows.some((row) => row.roofline?.compute_seconds > 0);
}

/** Those of instructions, which are no work that time is asked for. */
function instructionModels() {
  return report.instruction_models ?? [];
}

/** Images by the names of their files, where the program was built without Plotly. */
function staticCharts() {
  return report.charts;
}

/** The places of variants on the published ladder of the first study that has one. */
const ladderPlaces = new Map(
  (report.studies?.find(({study}) => study.ladder)?.study.ladder.rows ?? []).map((row, place) => [row.variant, place]));

/** As the published ladder has them; else v2 before v10, numbered steps before names. */
function variantOrder(a, b) {
  if (ladderPlaces.has(a) && ladderPlaces.has(b)) return ladderPlaces.get(a) - ladderPlaces.get(b);
  const number = (id) => Number(/^v(\d+)$/.exec(id)?.[1] ?? Infinity);
  return number(a) === number(b) ? a.localeCompare(b) : number(a) - number(b);
}

/** "Intel Xeon" for "Intel(R) Xeon(R) Processor". */
function shortDevice(name) {
  const short = name.replaceAll(/\((R|TM|r|tm)\)/g, '').replace(/ Processor\b/, '').replace(/ @ .*$/, '');
  return short.replaceAll(/\s+/g, ' ').trim() || name;
}

/** A model that may run on the host is labelled where it ran on a GPU, as in the program. */
function modelLabel(result) {
  return result.kind === 'gpu' && result.model === 'omp' ? 'omp gpu' : result.model;
}

/** What ran a part of a study: its GPU or its processor. */
function machinesOf(studies) {
  const machines = [];
  studies.forEach(({name, study}, index) => {
    for (const kind of ['gpu', 'host']) {
      const ran = study.results.find((result) => result.kind === kind && result.device);
      if (!ran) continue;
      machines.push({key: `${index} ${kind}`, index, kind, study, studyName: name,
                     device: ran.device, label: shortDevice(ran.device),
                     ceilings: study.ceilings?.[kind] ?? null});
    }
  });
  const count = (label) => machines.filter((machine) => machine.label === label).length;
  const shared = machines.map((machine) => count(machine.label) > 1);
  machines.forEach((machine, i) => {
    if (shared[i]) machine.label += ` (${machine.studyName})`;
  });
  return machines;
}

/**
 * A result's points by precision: all of them, or the one of a record that knows no others. Of small shares of
 * the operations the record alone tells.
 */
function rooflinesOf(result) {
  const all = Object.entries(result.rooflines ?? {})
    .filter(([, at]) => isNumber(at.flops) && (at.share ?? 1) >= report.least_share_shown);
  if (all.length) return Object.fromEntries(all);
  return isNumber(result.roofline?.flops) ? {[result.roofline.precision ?? 'fp64']: result.roofline} : {};
}

/** Rows of a variant's kernels, where several share its time. */
function kernelRowsOf(row) {
  return (row.verdict.kernels ?? []).map((kernel) => {
    const recorded = row.result.kernels[kernel.place];
    const rooflines = rooflinesOf(recorded);
    return {...row, part: kernel, launches: recorded.launches, seconds: recorded.seconds, verdict: kernel,
            variant: `${row.variant} ${kernel.name}`, series: `${row.series}${kernelSeries}`, step: '',
            rooflines, roofline: Object.values(rooflines)[0] ?? null,
            instructions: recorded.instruction_rooflines ?? {}};
  });
}

/** The end of the key of a series of kernels, which has the colour of its variants. */
const kernelSeries = ' kernels';

function rowOf(result, machine) {
  const place = machine.study.results.indexOf(result);
  const {verdicts, lines} = report.studies[machine.index];
  const verdict = verdicts[place];
  const model = modelLabel(result);
  const timed = result.status === 'passed' && isNumber(result.time_s.median);
  return {result, machine, model, timed, variant: result.variant, step: result.step,
          series: `${machine.key} ${model}`, seconds: timed ? result.time_s.median : null,
          // A variant that did not pass has no place on a chart, whatever its record holds.
          roofline: timed && isNumber(result.roofline?.flops) ? result.roofline : null,
          rooflines: timed ? rooflinesOf(result) : {},
          instructions: timed ? result.instruction_rooflines ?? {} : {},
          lines: timed ? lines[place] : null,
          facts: timed ? verdict.instructions ?? null : null,
          noInstructions: timed ? verdict.no_instructions ?? [] : [],
          verdict: timed ? verdict : {by: null, text: null, top_stall: null, advice: null},
          metrics: timed ? result.metrics ?? {} : {},
          launch: timed ? largeLaunches(result.launch ?? []) : []};
}

/** What a step is called beside its variant: nothing where one name stands for both, as in "my_idea". */
function ownStep({variant, step}) {
  return step === variant ? '' : step;
}

/** "v7 reciprocal", "my_idea" */
function nameOf(row) {
  return [row.variant, ownStep(row)].filter(Boolean).join(' ');
}

function threadsOf(launch) {
  return launch.blocks * launch.threads_per_block;
}

/** Those that do the work, largest first: not the one block that adds up what they leave. */
function largeLaunches(launches) {
  const most = Math.max(...launches.map(threadsOf), 0);
  return launches.filter((launch) => threadsOf(launch) >= 0.01 * most)
    .sort((a, b) => threadsOf(b) - threadsOf(a));
}

/** Everything that ran, in order of machine, model and step. */
function rowsOf(machines) {
  return machines.flatMap((machine) => machine.study.results
    .filter((result) => result.kind === machine.kind && result.status !== 'unavailable')
    .map((result) => rowOf(result, machine))
    .sort((a, b) => a.model.localeCompare(b.model) || variantOrder(a.variant, b.variant)));
}

/** The machine and model of a row, in words. */
function seriesLabel(row) {
  return `${row.machine.label}, ${row.model}`;
}

/** The lines of a chart: rows of one machine and model. */
function seriesOf(rows) {
  const series = new Map();
  for (const row of rows) {
    if (!series.has(row.series))
      series.set(row.series, {key: row.series, label: seriesLabel(row), rows: [], inOrder: !row.part});
    series.get(row.series).rows.push(row);
  }
  return [...series.values()];
}

function seriesColour(key) {
  const own = key.endsWith(kernelSeries) ? key.slice(0, -kernelSeries.length) : key;
  return colourAt(allSeries.findIndex((series) => series.key === own));
}

/** The row that this one was made from, where it was timed; else the timed step before it. */
function stepBefore(row, rows) {
  const timed = rows.filter((other) => other.series === row.series && other.timed);
  const source = report.sources[`${row.result.model} ${row.variant}`];
  const parent = timed.find((other) => other.variant === source?.predecessor);
  if (parent) return parent;
  if (!/^v\d+$/.test(row.variant)) return null;
  return timed.filter((other) => variantOrder(other.variant, row.variant) < 0).at(-1) ?? null;
}

/** A number of the largest launch, where one number must stand for all. */
function ofLargest(launches, key) {
  return launches[0]?.[key] ?? null;
}

/** Each different value of all large launches, as in "128, 118". */
function each(launches, key, format = String) {
  const values = launches.map((launch) => launch[key]).filter(isNumber);
  return values.length ? [...new Set(values.map(format))].join(', ') : unknown;
}

/** Metrics that hold warp stalls, in the order of the table of metrics. */
function stallNames(rows) {
  const names = new Set(rows.flatMap((row) => Object.keys(row.metrics)));
  // Issuing is no stall, though the counters list it among them.
  return [...names].filter((name) => name.startsWith('stall_') && name !== 'stall_selected');
}

function metricLabel(name) {
  return metricRow(name)?.label ?? name.replaceAll('_', ' ');
}

/** What holds a row back, as the program puts it, in the page's names of levels. */
function verdictLabel(text) {
  return text?.replace(/(?<=^|of )\w+\b/, levelLabel) ?? unknown;
}

/** What held a row back, told of the precision that does most of its work. */
function heldBackBy(row, place) {
  return place.precision === row.roofline.precision ? verdictLabel(row.verdict.text) : '';
}

function metricRow(name) {
  return report.metrics.find((metric) => metric.name === name) ?? null;
}

/** The report describes the metrics of GPUs alone; of a processor's the names tell the units. */
function metricUnit(name) {
  const known = metricRow(name)?.unit;
  if (known) return known;
  if (name.endsWith('_bytes')) return 'B';
  if (/_flop(_|$)/.test(name)) return 'FLOP';
  return name.endsWith('_fraction') || name === 'division_time' ? '1' : '';
}
