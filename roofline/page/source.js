// Shows a source line by line: each line's heat, the hottest lines, facts about one line.

const linesAtOnce = 1000;  // maximum per file, to keep the page fast
let source = null;         // the page's block of sources
/** The view: variant, index of its file, first visible line, chosen line, shown line. */
const atSource = {variant: null, file: 0, first: 1, line: null, told: null};

function byId(id) {
  return document.getElementById(id);
}

/** Returns "v12_real_poles.cu:43". */
function placeLabel(file, line) {
  return file.path ? `${file.path.slice(file.path.lastIndexOf('/') + 1)}:${line}` : file.label;
}

/** Returns [{number, text, known}] for all lines of the text, and known lines after it. */
function fileLines(file) {
  const known = new Map(file.lines.map((line) => [line.line, line]));
  const texts = file.text === null ? [] : source.texts[file.text];
  const lines = texts.map((text, i) => ({number: i + 1, text, known: known.get(i + 1) ?? null}));
  const beyond = file.lines.filter(({line}) => line > texts.length).sort((a, b) => a.line - b.line);
  return [...lines, ...beyond.map((line) => ({number: line.line, text: line.function ?? '', known: line}))];
}

/** A number, and a bar whose length is relative to the largest one. */
function heatCell(text, heat) {
  return el('td', {class: 'heat', style: `--heat: ${heat}`}, text);
}

function sourceLineRow({number, text, known}, columns) {
  return el('tr', known ? {'data-line': number, tabindex: -1} : {}, el('th', {scope: 'row'}, String(number)),
    known ? heatCell(known.share, known.heat) : el('td', {class: 'heat'}),
    columns.map((_, i) => el('td', {class: 'number count'}, known?.counts[i] ?? '')), el('td', {class: 'code'}, el('code', {}, text)));
}

function sourceTable(columns, lines) {
  return el('table', {}, el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'line'), el('th', {scope: 'col'}, 'share'),
    columns.map(([title, note]) => el('th', {scope: 'col', class: 'number count', title: note}, title)), el('th', {scope: 'col'}, 'source'))),
    el('tbody', {}, lines.map((line) => sourceLineRow(line, columns))));
}

/** The visible part of a long file, with links to the others. */
function fileParts(count) {
  if (count <= linesAtOnce) return [];
  const step = (label, first, possible) => el('button', {type: 'button', disabled: !possible, onclick: () => {
    Object.assign(atSource, {first, line: null});
    fillFile();
  }}, label);
  const number = (x) => x.toLocaleString('en-US');
  return [el('p', {class: 'small file-parts'},
    `Lines ${number(atSource.first)} to ${number(Math.min(count, atSource.first + linesAtOnce - 1))} of ${number(count)}. `,
    step('Earlier lines', atSource.first - linesAtOnce, atSource.first > 1), ' ',
    step('Later lines', atSource.first + linesAtOnce, atSource.first + linesAtOnce <= count))];
}

/** Shows the chosen file with the chosen line, or else its hottest line. */
function fillFile() {
  const file = atSource.variant.files[atSource.file];
  const lines = fileLines(file);
  const part = lines.slice(atSource.first - 1, atSource.first - 1 + linesAtOnce);
  const hottest = part.filter(({known}) => known).sort((a, b) => b.known.heat - a.known.heat)[0];
  atSource.line ??= hottest?.number ?? null;
  byId('source-words').textContent = file.words;
  byId('source-parts').replaceChildren(...fileParts(lines.length));
  byId('source-code').replaceChildren(sourceTable(atSource.variant.columns, part));
  byId('source-file').value = String(atSource.file);
  chooseLine(atSource.line);
  const row = chosenRow();  // centred in the box without scrolling the page
  byId('source-code').scrollTop = row ? row.offsetTop - byId('source-code').clientHeight / 2 : 0;
}

function fileSwitch({files}) {
  const select = el('select', {id: 'source-file', onchange: () => {
    Object.assign(atSource, {file: Number(select.value), first: 1, line: null});
    fillFile();
  }}, files.map(({label, share}, i) => el('option', {value: String(i)}, `${label} (${share})`)));
  return el('p', {class: 'file-switch'}, el('label', {for: 'source-file'}, 'File '), select);
}

/** Builds everything below the choice of the variant. */
function sourceBody(variant) {
  return [
    el('h3', {}, variant.title), el('p', {class: 'small', id: 'source-how'}, variant.how),
    variant.lost.length ? el('div', {class: 'notice', id: 'source-lost'}, 'Missing or doubtful:', listOf(variant.lost)) : '',
    variant.hottest.rows.length ? tableBlock({table: variant.hottest, id: 'hottest-lines', heat: 'share'})[0] : '',
    fileSwitch(variant), el('p', {class: 'small', id: 'source-words'}), el('div', {id: 'source-parts'}),
    el('div', {id: 'source-code', class: 'source', tabindex: 0, role: 'region', 'aria-label': 'Source lines', ...lineListeners}),
    el('p', {id: 'source-headline', 'aria-live': 'polite'}), el('div', {id: 'source-line'})];
}

/** Shows another variant, beginning with its own file. */
function showSource(variant) {
  Object.assign(atSource, {variant, file: 0, first: 1, line: null});
  byId('source-body').replaceChildren(...(variant ? sourceBody(variant) :
    [el('p', {class: 'notice'}, 'No variant that is shown has evidence per source line.')]));
  if (variant) fillFile();
}

function sourceBlock(block) {
  source = block;
  atSource.variant = null;
  return el('div', {id: 'source-body'});
}

function fillSources() {
  if (!byId('source-body')) return;
  const [key] = chosen.get('source') ?? ['0'];
  const variant = source.variants.find((one) => one.key === key && isShown(one.tags)) ?? null;
  if (variant !== atSource.variant || !byId('source-body').firstChild) showSource(variant);
}

/** Shows the line of a link, in any variant and file. */
function openLinkedLine() {
  const [, key, place, number] = /^#source-(\d+)-(\d+)-(\d+)$/.exec(location.hash) ?? [];
  const variant = byId('source-body') && source.variants.find((one) => one.key === key && isShown(one.tags));
  const file = variant?.files[place];
  if (!file) return;
  chosen.get('source')?.clear();
  chosen.get('source')?.add(key);
  for (const input of document.querySelectorAll('input[name="source"]')) input.checked = input.value === key;
  fillSources();
  const at = Math.max(0, fileLines(file).findIndex((line) => line.number === Number(number)));
  Object.assign(atSource, {file: Number(place), first: at - at % linesAtOnce + 1,
                           line: file.lines.some(({line}) => line === Number(number)) ? Number(number) : null});
  fillFile();
  byId('source-words').scrollIntoView();
  chosenRow()?.focus({preventScroll: true});
}

function chosenRow() {
  return document.querySelector('#source-code tr.chosen');
}

/** Chooses the line with the keyboard focus, whose facts are shown by default. */
function chooseLine(number) {
  atSource.line = number;
  for (const row of document.querySelectorAll('#source-code tr[data-line]')) {
    const isChosen = Number(row.dataset.line) === number;
    row.classList.toggle('chosen', isChosen);
    row.tabIndex = isChosen ? 0 : -1;
  }
  tellLine(number);
}

function pointedLine(event) {
  const row = event.target.closest('tr[data-line]');
  return row ? Number(row.dataset.line) : null;
}

/** The previous or next row with known facts. */
function neighbour(row, forward) {
  let other = row;
  do other = forward ? other.nextElementSibling : other.previousElementSibling;
  while (other && !other.dataset.line);
  return other;
}

// Only a moving mouse selects a line, because lines also scroll below a resting mouse. A click or
// tap also gives the row the keyboard focus.
const lineListeners = {
  onmousemove: (event) => {
    const number = pointedLine(event);
    if (number !== null && number !== atSource.told) tellLine(number);
  },
  onmouseleave: () => tellLine(atSource.line),
  onfocusin: (event) => { if (pointedLine(event) !== null) chooseLine(pointedLine(event)); },
  onkeydown: (event) => {
    const row = event.target.closest('tr[data-line]');
    if (!row || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
    event.preventDefault();
    neighbour(row, event.key === 'ArrowDown')?.focus();
  },
};

function stallsTable({stalls}) {
  return el('table', {class: 'reasons-of-line'}, el('caption', {}, 'What its warps waited for, in shares of its samples'),
    el('tbody', {}, stalls.map(([reason, share, heat]) => el('tr', {}, el('th', {scope: 'row'}, source.reasons[reason][0]),
      heatCell(share, heat), el('td', {}, source.reasons[reason][1])))));
}

/** The code inlined at a line, or its callers. A link works even if clicked again. */
function linePartsList({files, key}, file, {parts, more}) {
  return el('div', {class: 'parts-of-line'}, el('h4', {}, file.own ? 'Inlined there' : 'Called from'),
    el('ul', {}, parts.map(([place, number, share]) => el('li', {},
      el('a', {href: `#source-${key}-${place}-${number}`}, placeLabel(files[place], number)), ` ${share}`))),
    more ? el('p', {class: 'small'}, more) : null);
}

function tellLine(number) {
  atSource.told = number;
  const {variant, file: place} = atSource;
  const file = variant.files[place];
  const line = file.lines.find((one) => one.line === number);
  byId('source-headline').replaceChildren(...(line ? [el('strong', {}, placeLabel(file, line.line)), ` ${line.headline}`] : []));
  byId('source-line').replaceChildren(...(line ? [
    line.function ? el('p', {class: 'small'}, el('code', {}, line.function)) : '', line.stalls.length ? stallsTable(line) : '',
    factsBlock({items: line.facts.map(([name, value]) => [source.facts[name], value])}),
    line.parts.length ? linePartsList(variant, file, line) : ''] : []));
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#source-"]');
  if (link && location.hash === link.getAttribute('href')) openLinkedLine();
});
