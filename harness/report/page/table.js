// The tables of results, sortable by every column.

function spread(row) {
  const {low, high, median} = row.result.time_s;
  return row.timed && isNumber(low) ? 50 * (high - low) / median : null;
}

function stallCell(row) {
  const stall = row.verdict.top_stall;
  return stall ? `${stallLabel(stall.name)} ${plain(stall.warps_per_issue)}` : unknown;
}

/** After each underscore a line may break. */
function breakable(text) {
  return text.split(/(?<=_)/).flatMap((part, i) => i ? [el('wbr'), part] : [part]);
}

/** Whose row it is, in both tables. */
const rowNames = [
  column('variant', (row) => row.variant, (row) => row.variant, {numeric: false}),
  column('model', (row) => row.model, (row) => row.model, {numeric: false}),
  column('machine', (row) => row.machine.label, (row) => row.machine.label, {numeric: false}),
];

const resultColumns = [
  rowNames[0],
  column('step', (row) => breakable(ownStep(row)), (row) => ownStep(row) || null, {numeric: false}),
  ...rowNames.slice(1),
  column('time', (row) => withUnit(row.seconds, 's'), (row) => row.seconds, {note: 'median of the timed runs'}),
  column('±', (row) => isDisturbed(row.result) ? 'disturbed' : percent(spread(row), 2), spread,
         {note: 'half the 95% interval of the median; disturbed: others took more than 5% of the processor'}),
  column(rateUnit, (row) => power(row.result.terms_per_s), (row) => row.result.terms_per_s),
  column('speedup', (row) => times(row.result.speedup), (row) => row.result.speedup,
         {note: `over ${baselineText()} of the same model and device`}),
  column(report.published.device, (row) => times(publishedSpeedup(row.variant)),
         (row) => publishedSpeedup(row.variant), {note: report.published.legend}),
  column('registers', (row) => each(row.launch, 'registers'), (row) => ofLargest(row.launch, 'registers')),
  column('occupancy', (row) => each(row.launch, 'occupancy', (x) => `${Math.round(100 * x)}%`),
         (row) => ofLargest(row.launch, 'occupancy')),
  column('error', (row) => power(row.result.check.max_relative_error, 2),
         (row) => row.result.check.max_relative_error, {note: 'largest relative error of all sums'}),
];

/** A column for each level that a model has; those that say nothing are left out. */
const roofColumns = () => [
  ...rowNames,
  column('rate', rateText, (row) => row.roofline?.flops_per_s),
  column('of roof', (row) => percent(row.roofline?.percent_of_roof), (row) => row.roofline?.percent_of_roof,
         {note: 'of the lowest roof of all levels'}),
  column('held back by', (row) => verdictLabel(row.verdict.by), (row) => row.verdict.by,
         {numeric: false, note: 'a roof where half of it or of the FP64 pipe was used, else latency, scalar code or division'}),
  column('top stall', stallCell, (row) => row.verdict.top_stall?.name,
         {numeric: false, note: 'warps that waited for it, for each instruction issued'}),
  ...levelsOfModels().map(({name: level, label}) =>
    column(`AI ${label}`, (row) => general(row.roofline?.intensity[level]),
           (row) => row.roofline?.intensity[level], {note: `${anyArithmetic() ? 'FLOP' : 'bytes of DRAM'} per byte at ${label}`})),
  column('FP64 pipe', (row) => percent(row.metrics.fp64_pipe), (row) => row.metrics.fp64_pipe),
];

const tables = {
  'results-table': {columns: () => resultColumns, caption: 'Results of every variant that passed its check'},
  'roofs-table': {columns: roofColumns, caption: 'Every variant under its roofs'},
  'instructions-table': {columns: () => [...rowNames, ...instructionColumns()], caption: 'Instructions of every variant',
                         rows: (row) => row.facts},
};

/** Machines are named where there are several. */
function shownColumns(columns, rows) {
  return usefulColumns(columns, rows).filter((one) => one.title !== 'machine' || allMachines.length > 1);
}

const textOrder = variantOrder;

/** Leads to the step. */
function variantCell(one, row) {
  return el('th', {scope: 'row'}, el('a', {href: `#${stepId(row.variant)}`}, one.show(row)));
}

/** One of the tables, or nothing where no row has a place in it. */
function tableOf(id, rows) {
  const {columns, caption, rows: filter = () => true} = tables[id];
  const own = rows.filter(filter);
  const useful = shownColumns(columns(), own);
  if (useful.every((one) => rowNames.includes(one))) return null;
  const all = Object.values(tables).flatMap((table) => table.columns());
  return sortableTable(id, caption, useful, sortedRows(own, all), variantCell);
}

function fillTables() {
  const rows = shownRows().filter((row) => row.timed);
  keepingFocus(() => {
    for (const one of Object.keys(tables)) {
      const table = tableOf(one, rows);
      const box = document.getElementById(`${one}-box`);
      if (!box) continue;  // of a section that has nothing to show
      box.hidden = !table;
      box.replaceChildren(...(table ? [table] : []));
    }
  });
}

function tableBox(id) {
  return el('div', {id: `${id}-box`, class: 'scroll', tabindex: 0, role: 'region', 'aria-label': tables[id].caption});
}

function tableSection() {
  return section('results', 'All results',
                 'Every variant that passed its check, and below where it stands under its roofs. A click on a ' +
                   'heading sorts, a second one turns the order.',
                 tableBox('results-table'), tableBox('roofs-table'));
}
