// Kernels as rows of tables and charts; numbers name them, because their names are long.

const switches = {
  profile: '0', precision: 'fp64', levels: new Set(), theoretical: true, all: false,
  sort: {column: '', descending: false},
};

/** What is shown of the profile that was chosen. */
let shown;
let allRows = [];
let allMachines = [];

/** Rows and roofs of a profile, and the switches as they begin. */
function chooseProfile(key) {
  shown = report.profiles[Number(key)];
  allRows = shown.kernels.map(rowOf);
  allMachines = [{kind: shown.kind, label: shown.ceilings?.device ?? '', ceilings: shown.ceilings}];
  switches.precision = leadingPrecision();
  switches.levels = new Set(knownLevels());
  switches.all = false;
  switches.sort = {column: '', descending: false};
}

/** A chart shows the precisions that the program found worth drawing. */
function rowOf(kernel) {
  const drawn = (points) => Object.fromEntries(Object.entries(points).filter(([name]) => kernel.drawn.includes(name)));
  return {kernel, variant: kernel.number, series: 'kernels', seconds: kernel.seconds, launches: kernel.launches,
          rooflines: drawn(kernel.rooflines), instructions: drawn(kernel.instruction_rooflines),
          facts: kernel.instructions, noInstructions: kernel.no_instructions};
}

function models() {
  return shown.models;
}

function instructionModels() {
  return shown.instruction_models;
}

/** Those with numbers in charts. */
function firstRows() {
  return allRows.slice(0, report.most_shown);
}

function chartRows() {
  return firstRows();
}

function shownMachines() {
  return allMachines;
}

/** The precision that takes most of the time of those that are drawn. */
function leadingPrecision() {
  const seconds = (name) => allRows.filter((row) => Object.keys(row.rooflines)[0] === name)
    .reduce((sum, row) => sum + row.seconds, 0);
  return precisionsMet().reduce((best, name) => seconds(name) > seconds(best) ? name : best, precisionsMet()[0] ?? 'fp64');
}

function seriesOf(rows) {
  return rows.length ? [{key: 'kernels', label: 'kernels', rows, inOrder: false}] : [];
}

function seriesColour() {
  return colourAt(0);
}

function seriesLabel() {
  return shown.device;
}

/** "2 cache_blocking_kernel" */
function nameOf(row) {
  return `${row.kernel.number} ${row.kernel.short}`;
}

/** Nothing is said of it: a profile has no stalls. */
function heldBackBy() {
  return '';
}

function staticCharts() {
  return shown.charts;
}

function textOrder(a, b) {
  return a.localeCompare(b, 'en', {numeric: true});
}

function shareOfTime(row) {
  return isNumber(row.seconds) && shown.seconds > 0 ? 100 * row.seconds / shown.seconds : null;
}
