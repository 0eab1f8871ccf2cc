// The parts of the page: what ran, the tables of kernels, the charts, the roofs, what is missing.

const counters = {cupti: 'CUPTI', ncu: 'Nsight Compute', rocprof: 'rocprof'};

function plural(count, word) {
  return `${integer(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** The nearest roof of a kernel: of most of its work, or of its memory where it has none. */
function nearestOf(kernel) {
  const [at] = Object.values(kernel.rooflines);
  if (at) return {roof: at.bound_by, percent: at.percent_of_roof};
  return kernel.busiest ? {roof: kernel.busiest.level, percent: kernel.busiest.percent} : null;
}

function roofLabel(roof) {
  return roof === 'compute' ? 'compute' : levelLabel(roof);
}

function figure(what, large, ...small) {
  return el('div', {class: 'figure', style: '--series: var(--accent)'}, el('div', {class: 'what'}, what),
            el('div', {class: 'large'}, large), small.filter(Boolean).map((text) => el('div', {class: 'small'}, text)));
}

function figures() {
  const launches = shown.kernels.reduce((sum, kernel) => sum + kernel.launches, 0);
  const [first] = allRows;
  const nearest = first && nearestOf(first.kernel);
  return el('div', {class: 'figures', id: 'figures'},
    figure('All kernels', shown.seconds > 0 ? withUnit(shown.seconds, 's') : unknown,
           `${plural(shown.kernels.length, 'kernel')}, ${plural(launches, 'launch').replace('launchs', 'launches')}`),
    first ? figure('Most time', percent(shareOfTime(first)), nameOf(first)) : null,
    nearest ? figure(`Its nearest roof: ${roofLabel(nearest.roof)}`, percent(nearest.percent), 'of it is reached') : null);
}

/** Above everything: what ran and where, and what to know of all of it. */
function whatRan() {
  const {program, device, source, created} = shown;
  return [
    el('h1', {}, device || 'A device without a name'),
    el('p', {class: 'lead'}, el('code', {class: 'program'}, program || 'A program without a name'),
       ` Counted by ${counters[source] ?? source}. Recorded ${created.slice(0, 10)}.`),
    shown.notes.length ? el('ul', {class: 'lead notes'}, shown.notes.map((note) => el('li', {}, note))) : null,
    otherRoofs(),
    figures(),
  ].filter(Boolean);
}

function otherRoofs() {
  if (!shown.ceilings || !shown.device || shown.ceilings.device === shown.device) return null;
  return notice(`The roofs are those of ${shown.ceilings.device}, not of the device that ran.`);
}

/** The short name; the whole one behind it, where it tells more. */
function kernelName(row) {
  const {short, name} = row.kernel;
  if (short === name) return el('span', {class: 'kernel'}, short);
  return el('details', {class: 'kernel'}, el('summary', {title: name.slice(0, 400)}, short), el('code', {dir: 'ltr'}, name));
}

function numberCell(one, row) {
  return el('th', {scope: 'row', class: 'number'}, one.show(row));
}

const firstColumns = [
  column('#', (row) => row.kernel.number, (row) => Number(row.kernel.number), {note: 'the number in the charts'}),
  column('kernel', kernelName, (row) => row.kernel.short, {numeric: false, note: 'a click shows the whole name'}),
];

const kernelColumns = () => [
  ...firstColumns,
  column('launches', (row) => integer(row.launches), (row) => row.launches),
  column('time', (row) => withUnit(row.seconds, 's'), (row) => row.seconds, {note: 'of all launches together'}),
  column('share', (row) => percent(shareOfTime(row)), shareOfTime, {note: 'of the time of all kernels'}),
  ...levelsOfModels().map(({name, label}) =>
    column(label, (row) => withUnit(row.kernel.bytes[name], 'B'), (row) => row.kernel.bytes[name] ?? null,
           {note: `bytes moved at ${label}`})),
  column('nearest', (row) => nearestOf(row.kernel) ? roofLabel(nearestOf(row.kernel).roof) : unknown,
         (row) => nearestOf(row.kernel)?.roof ?? null, {numeric: false, note: 'the roof that holds back most of its work'}),
  column('of it', (row) => percent(nearestOf(row.kernel)?.percent), (row) => nearestOf(row.kernel)?.percent ?? null,
         {note: 'the share of its nearest roof that was reached'}),
];

/** One row for each precision of each kernel that did such work. */
function workRows(rows) {
  return rows.flatMap((row) => models().filter((model) => row.kernel.work[model.name] > 0)
    .map((model) => ({...row, model, work: row.kernel.work[model.name], at: row.kernel.rooflines[model.name] ?? null})));
}

function intensityAt({work, kernel}, level) {
  return kernel.bytes[level] > 0 ? work / kernel.bytes[level] : null;
}

function speedOf({work, seconds}) {
  return isNumber(seconds) ? work / seconds : null;
}

const workColumns = () => [
  ...firstColumns,
  column('precision', (row) => row.model.title, (row) => row.model.title, {numeric: false}),
  column('work', (row) => withUnit(row.work, row.model.unit), (row) => row.work),
  ...levelsOfModels().map(({name, label}) =>
    column(`AI ${label}`, (row) => general(intensityAt(row, name)), (row) => intensityAt(row, name),
           {note: `operations per byte moved at ${label}`})),
  column('speed', (row) => withUnit(speedOf(row), `${row.model.unit}/s`), speedOf),
  column('roof', (row) => row.at ? roofLabel(row.at.bound_by) : unknown, (row) => row.at?.bound_by ?? null,
         {numeric: false, note: 'the nearest of this precision'}),
  column('of roof', (row) => percent(row.at?.percent_of_roof), (row) => row.at?.percent_of_roof ?? null,
         {note: 'the share of it that was reached'}),
];

const tables = {
  'kernels-table': {columns: kernelColumns, rows: (rows) => rows, caption: 'Kernels, their time and the bytes they moved'},
  'work-table': {columns: workColumns, rows: workRows, caption: 'Work of each kernel by precision, and its place under the roofs'},
  'instructions-table': {columns: () => [...firstColumns, ...instructionColumns()], rows: (rows) => rows.filter((row) => row.facts),
                         caption: 'Instructions of each kernel'},
};

function fillTables() {
  const rows = switches.all ? allRows : firstRows();
  keepingFocus(() => {
    for (const [id, {columns, rows: linesOf, caption}] of Object.entries(tables)) {
      const lines = linesOf(rows);
      const useful = usefulColumns(columns(), lines);
      const box = document.getElementById(`${id}-box`);
      if (!box) continue;  // of a section that has nothing to show
      box.hidden = !lines.length;
      box.replaceChildren(sortableTable(id, caption, useful, sortedRows(lines, useful), numberCell));
    }
    document.getElementById('rest').hidden = switches.all;
  });
}

/** What the tables and charts leave out. */
function restText() {
  const rest = allRows.slice(report.most_shown);
  const seconds = rest.reduce((sum, row) => sum + (row.seconds ?? 0), 0);
  return `Not shown: ${plural(rest.length, 'kernel')} that took ${percent(100 * seconds / shown.seconds)} of the time together.`;
}

function tableBox(id) {
  return el('div', {id: `${id}-box`, class: 'scroll', tabindex: 0, role: 'region', 'aria-label': tables[id].caption});
}

function tableSection() {
  const more = allRows.length > report.most_shown;
  return section('results', 'The kernels',
    'Most time first; the numbers are those in the charts. A click on a name shows all of it, one on a heading sorts. ' +
      'AI is the arithmetic intensity: operations per byte moved at that level.',
    more ? toggle('all', `All ${integer(allRows.length)} kernels`) : null,
    tableBox('kernels-table'), tableBox('work-table'),
    el('p', {class: 'small', id: 'rest'}, more ? restText() : ''),
    allRows.some((row) => workRows([row]).length) ? null :
      notice('No kernel has work that was counted. The nearest roof is that of the level of memory it keeps busiest.'));
}

function rooflineSection() {
  const title = 'The hierarchical roofline';
  if (!precisionsMet().length) return section('roofline', title, null, notice(withoutChart()), instructionsReason());
  return section('roofline', title,
    'Each kernel stands once per level of memory: the same speed, over the bytes moved at that level; a line joins ' +
      'them. Solid roofs were measured or published, dashed ones follow from the data sheet. Numbers are those of ' +
      'the table, as far as they find room. Pointing at a marker tells all of it.',
    precisionSwitch(),
    checks('levels', 'Levels', knownLevels().map((level) => [level, levelLabel(level)])),
    anyTheoretical() ? toggle('theoretical', 'Theoretical roofs') : null,
    levelLegend(),
    chart('roofline-chart', 'Hierarchical roofline: speed over arithmetic intensity at each level of memory',
          'roofline.svg', (width) => drawRoofline(operationsView(), width)),
    instructionsReason(),
    rooflineDefects());
}

/** Why there are no instruction rooflines; nothing where there are some, or no roofs at all. */
function instructionsReason() {
  if (instructionModelsMet().length || !shown.ceilings) return null;
  return withoutInstructions('They need the counters of instructions, which roofline record counts, and their roofs.');
}

function anyTheoretical() {
  return shown.ceilings.list.some((roof) => isNumber(roof.theoretical));
}

function withoutChart() {
  if (!shown.ceilings) return noRoofs;
  return 'No chart: no kernel with work to speak of lies below these roofs.';
}

const noRoofs = 'No roofs: those of this device are not known here. Name some with --roofs: v100, mi250x or a file.';

/** Points above their roofs, and other doubts of the measurement. */
function rooflineDefects() {
  const defects = byText((kernel) => [...Object.values(kernel.rooflines), ...Object.values(kernel.instruction_rooflines)].flatMap((at) => at.defects));
  if (!defects.length) return null;
  return el('details', {class: 'notice', open: defects.length <= 4},
    el('summary', {}, `Defects of the measurement: ${integer(defects.length)}`),
    el('ul', {}, defects.map(([defect, kernels]) => el('li', {}, `${kernels}: ${defect}`))));
}

function roofsSection() {
  if (!shown.ceilings) return null;
  const {device, created, driver, missing} = shown.ceilings;
  const whence = [created ? `measured ${created.slice(0, 10)}` : '', driver ? `driver ${driver}` : ''].filter(Boolean);
  return section('roofs', 'The roofs',
    `Of ${device}${whence.length ? `: ${whence.join(', ')}` : ''}. What a kernel can reach at most.`,
    roofsTable(allMachines[0], true),
    reasons(Object.entries(missing).map(([name, reason]) => [reason, name])));
}

/** [[reason, what], ...] by reason: most hold for many. */
function reasons(pairs) {
  const all = new Map();
  for (const [reason, what] of pairs) all.set(reason, [...(all.get(reason) ?? []), what]);
  return all.size ? el('dl', {class: 'reasons'}, [...all].flatMap(([reason, names]) =>
    [el('dt', {}, reason), el('dd', {}, names.join(', '))])) : null;
}

/** "all kernels", or their numbers. */
function kernelsText(numbers) {
  return numbers.length === allRows.length && numbers.length > 1 ? 'all kernels' :
    `kernel${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;
}

/** {text: numbers of the kernels it holds for}, as [text, "kernels 1, 2"]. */
function byText(textsOf) {
  const all = new Map();
  for (const {kernel} of allRows)
    for (const text of new Set(textsOf(kernel))) all.set(text, [...(all.get(text) ?? []), kernel.number]);
  return [...all].map(([text, numbers]) => [text, kernelsText(numbers)]);
}

function missingSection() {
  const missing = byText((kernel) => kernel.missing.map(({name, reason}) => `${name}: ${reason}`));
  const notes = byText((kernel) => kernel.notes);
  if (!missing.length && !notes.length) return null;
  return section('missing', missing.length ? 'What is missing' : 'Notes', null, reasons(missing),
    missing.length && notes.length ? el('h3', {}, 'Notes') : null, reasons(notes));
}

function recordSection() {
  return section('record', 'The record', null, facts([
    ['program', shown.program], ['device', shown.device], ['recorded', shown.created],
    ['counted by', counters[shown.source] ?? shown.source], ['profile', shown.name]]));
}
