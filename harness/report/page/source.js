// The source of a variant line by line: how hot each line is, and which lines are the hottest.

const linesAtOnce = 1000;  // of a file: more of them would make the page slow

/** What is shown: a row, the place of a file in its view, the first line of the file; the line chosen, and the one told of. */
const atSource = {row: null, file: 0, first: 1, line: null, told: null};

/** Rows with evidence per source line. */
function sourceRows() {
  return allRows.filter((row) => row.lines?.files.length);
}

function sourceKey(row) {
  return String(sourceRows().indexOf(row));
}

function sourceLabel(row) {
  const several = seriesOf(sourceRows()).length > 1;
  return several ? `${nameOf(row)}, ${ofSeries(row)}` : nameOf(row);
}

function fileLabel(file) {
  return file.path || 'code without a line';
}

/** "v12_real_poles.cu:43" */
function placeLabel(file, line) {
  return file.path ? `${file.path.slice(file.path.lastIndexOf('/') + 1)}:${line}` : fileLabel(file);
}

function textOf(file) {
  return file.text === null ? [] : report.source_texts[file.text];
}

/** [{number, text, known}] for every line of the file's text, and for those known beyond it. */
function fileLines(file) {
  const known = new Map(file.lines.map((line) => [line.line, line]));
  const lines = textOf(file).map((text, i) => ({number: i + 1, text, known: known.get(i + 1) ?? null}));
  const beyond = file.lines.filter((line) => line.line > lines.length).sort((a, b) => a.line - b.line);
  return [...lines, ...beyond.map((line) => ({number: line.line, text: line.function ?? '', known: line}))];
}

function lineAt(file, number) {
  return file.lines.find((line) => line.line === number) ?? null;
}

function largestShare(view) {
  return Math.max(...view.files.flatMap((file) => file.lines.map((line) => line.share)), 1e-9);
}

/** A number, and a bar as long as it is large beside the largest. */
function heatCell(share, largest) {
  const text = share >= 0.0005 ? `${(100 * share).toFixed(1)}%` : share > 0 ? '<0.1%' : '';
  return el('td', {class: 'heat', style: `--heat: ${share / largest}`}, text);
}

/** 12.3 M: the whole number is told of the line that is pointed at. */
function shortCount(x) {
  return x ? withUnit(x, '').trim() : '';
}

function countOf(view, line, name) {
  return line.counts[view.counted.indexOf(name)] ?? null;
}

function againstIdeal(view, line, name) {
  const [real, ideal] = [countOf(view, line, name), countOf(view, line, `ideal_${name}`)];
  return real ? `${shortCount(real)} / ${shortCount(ideal) || 0}` : '';
}

/** [title, note, what it shows of a line] of each count that any line of the variant has. */
function countColumns(view) {
  const single = (name) => (line) => shortCount(countOf(view, line, name));
  const columns = [
    ['warp instr.', 'instructions that warps executed', single('warp_instructions')],
    ['thread instr.', 'the same, times the threads that were active', single('thread_instructions')],
    ['sectors / ideal', 'sectors of global memory that were touched, and the least that would do',
     (line) => againstIdeal(view, line, 'sectors')],
    ['shared / ideal', 'passes through shared memory, and the least that would do',
     (line) => againstIdeal(view, line, 'shared_wavefronts')]];
  return columns.filter(([, , show]) => view.files.some((file) => file.lines.some(show)));
}

function sourceLineRow({number, text, known}, columns, largest) {
  return el('tr', known ? {'data-line': number, tabindex: -1} : {},
    el('th', {scope: 'row'}, String(number)),
    known ? heatCell(known.share, largest) : el('td', {class: 'heat'}),
    columns.map(([, , show]) => el('td', {class: 'number count'}, known ? show(known) : '')),
    el('td', {class: 'code'}, el('code', {}, text)));
}

function sourceTable(view, lines) {
  const columns = countColumns(view);
  const largest = largestShare(view);
  return el('table', {},
    el('thead', {}, el('tr', {},
      el('th', {scope: 'col'}, 'line'), el('th', {scope: 'col'}, 'share'),
      columns.map(([title, note]) => el('th', {scope: 'col', class: 'number count', title: note}, title)),
      el('th', {scope: 'col'}, 'source'))),
    el('tbody', {}, lines.map((line) => sourceLineRow(line, columns, largest))));
}

/** Which lines of a long file are shown, and the way to the others. */
function fileParts(count) {
  if (count <= linesAtOnce) return null;
  const last = Math.min(count, atSource.first + linesAtOnce - 1);
  const step = (label, first, possible) => el('button', {type: 'button', disabled: !possible, onclick: () => {
    Object.assign(atSource, {first, line: null});
    fillFile();
  }}, label);
  return el('p', {class: 'small file-parts'},
    `Lines ${integer(atSource.first)} to ${integer(last)} of ${integer(count)}. `,
    step('Earlier lines', atSource.first - linesAtOnce, atSource.first > 1), ' ',
    step('Later lines', atSource.first + linesAtOnce, last < count));
}

/** What the shares of a file are of. */
function fileWords(view, file) {
  const share = percent(100 * file.share);
  return [
    file.own ? `What was inlined at a line is part of it. Together these lines have ${share} of the ${view.of}; the rest ` +
               'is of kernels that are written in other files.' :
               `The share of each line itself, whoever called it: together ${share} of the ${view.of}.`,
    file.text === null ? 'The record does not hold the text of this file: the functions stand in its place.' : null,
  ].filter(Boolean).join(' ');
}

/** Shows the chosen file and the line chosen in it, else its hottest one. */
function fillFile() {
  const view = atSource.row.lines;
  const file = view.files[atSource.file];
  const lines = fileLines(file);
  const part = lines.slice(atSource.first - 1, atSource.first - 1 + linesAtOnce);
  const hottest = part.filter((line) => line.known).sort((a, b) => b.known.share - a.known.share)[0];
  atSource.line ??= hottest?.number ?? null;
  document.getElementById('source-words').textContent = fileWords(view, file);
  document.getElementById('source-parts').replaceChildren(...[fileParts(lines.length)].filter(Boolean));
  document.getElementById('source-code').replaceChildren(sourceTable(view, part));
  document.getElementById('source-file').value = String(atSource.file);
  chooseLine(atSource.line);
  showChosenLine();
}

function fileSwitch(view) {
  const select = el('select', {id: 'source-file', onchange: () => {
    Object.assign(atSource, {file: Number(select.value), first: 1, line: null});
    fillFile();
  }}, view.files.map((file, i) => el('option', {value: String(i)},
    `${fileLabel(file)} (${(100 * file.share).toFixed(1)}%)`)));
  return el('p', {class: 'file-switch'}, el('label', {for: 'source-file'}, 'File '), select);
}

/** What most warps waited for at a line: "long scoreboard 62%, wait 12%" of its samples. */
function mainReasons(line) {
  const all = samplesOf(line);
  return line.stalls.slice(0, 2).map(([name, samples]) => [stallLabel(name), Math.round(100 * samples / all)])
    .filter(([, share]) => share > 0).map(([label, share]) => `${label} ${share}%`).join(', ');
}

function hottestTable(row) {
  const view = row.lines;
  const largest = largestShare(view);
  const lines = view.hottest.map((one) => {
    const file = view.files[one.file];
    return el('tr', {}, heatCell(one.share, largest),
      el('th', {scope: 'row'}, lineLink(row, one.file, one.line), file.own ? null : ' in other kernels'),
      el('td', {}, mainReasons(one)),
      el('td', {}, el('code', {}, (textOf(file)[one.line - 1] ?? '').trim())));
  });
  return scrollable('The hottest lines', el('table', {id: 'hottest-lines', class: 'compact'},
    el('thead', {}, el('tr', {}, ['share', 'line', 'waits most for', 'source'].map((title) => el('th', {scope: 'col'}, title)))),
    el('tbody', {}, lines)));
}

/** Everything below the choice of the variant. */
function sourceBody(row) {
  const view = row.lines;
  return [
    el('h3', {}, `${nameOf(row)}, ${seriesLabel(row)}`),
    el('p', {class: 'small', id: 'source-how'}, view.how.join(' ')),
    view.lost.length ? el('div', {class: 'notice', id: 'source-lost'}, 'Missing or doubtful:',
                          el('ul', {}, view.lost.map((lost) => el('li', {}, lost)))) : null,
    view.hottest.length ? hottestTable(row) : null,
    fileSwitch(view),
    el('p', {class: 'small', id: 'source-words'}),
    el('div', {id: 'source-parts'}),
    el('div', {id: 'source-code', class: 'source', tabindex: 0, role: 'region', 'aria-label': 'Source lines',
               ...lineListeners}),
    el('p', {id: 'source-headline', 'aria-live': 'polite'}),
    el('div', {id: 'source-line'}),
  ].filter(Boolean);
}

/** Another variant begins with its own file. */
function showSource(row) {
  Object.assign(atSource, {row, file: 0, first: 1, line: null});
  document.getElementById('source-body').replaceChildren(...(row ? sourceBody(row) :
    [notice('No variant that is shown has evidence per source line.')]));
  if (row) fillFile();
}

/** Only variants of the machines and models that are shown can be chosen. */
function fillSource() {
  if (!document.getElementById('source-body')) return;
  const rows = sourceRows().filter((row) => shownRows().includes(row));
  const row = rows.find((one) => sourceKey(one) === switches.source) ?? fastestOf(rows);
  for (const input of document.querySelectorAll('#source input[name="source"]')) {
    input.parentElement.hidden = !rows.some((one) => sourceKey(one) === input.value);
    input.checked = row !== null && sourceKey(row) === input.value;
  }
  if (row !== atSource.row || !document.getElementById('source-body').firstChild) showSource(row);
}

function fastestOf(rows) {
  return rows.reduce((best, row) => best === null || row.seconds < best.seconds ? row : best, null);
}

/** The command that adds lines, where a GPU's variant has none. */
function linesCommand() {
  const lacking = allRows.find((row) => row.timed && row.machine.kind === 'gpu' && !row.lines);
  if (!lacking) return null;
  const {variant} = lacking;
  const command = el('code', {}, `gpp lines ${variant} --into FOLDER`);
  const rest = ` adds that of ${variant} to the record in FOLDER.`;
  return sourceRows().length ? el('p', {class: 'small'}, 'Other variants have no evidence per source line yet: ', command, rest) :
                               notice('No variant has evidence per source line yet: ', command, rest);
}

function sourceSection() {
  const title = 'The source, line by line';
  const rows = sourceRows();
  const command = linesCommand();
  if (!rows.length) return command && section('source', title, null, command);
  return section(
    'source', title,
    'Where a variant spends its time: the bar is the line’s share of the samples, or of the warp instructions where ' +
      'nothing was sampled. Pointing at a line tells what its warps waited for; a click, or the arrow keys, keep it.',
    rows.length > 1 ? radios('source', 'Variant', rows.map((row) => [sourceKey(row), sourceLabel(row)])) : null,
    el('div', {id: 'source-body'}), command);
}
