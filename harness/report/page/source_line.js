// One line of the source: pointing at it, links to it, and all that is known of it.

/** CUPTI's names of reasons where its samples and the counters call the same differently. */
const reasonsOfCounters = new Map([['no_instructions', 'no_instruction']]);

/** What warps wait for, without what makes a metric of it: samples are not per instruction. */
function stallMeaning(reason) {
  const meaning = metricRow(`stall_${reasonsOfCounters.get(reason) ?? reason}`)?.meaning ?? '';
  return meaning.replace(/^Warps of a scheduler that waited, for each instruction issued, /, '').replace(/\.$/, '');
}

function samplesOf(line) {
  return line.stalls.reduce((sum, [, samples]) => sum + samples, line.issued);
}

function lineHash(row, file, number) {
  return `#source-${sourceKey(row)}-${file}-${number}`;
}

/** A second click on a link leads there, too, although the address stays the same. */
function lineLink(row, file, number) {
  const href = lineHash(row, file, number);
  return el('a', {href, onclick: () => { if (location.hash === href) openLinkedLine(); }},
            breakable(placeLabel(row.lines.files[file], number)));
}

/** Beside what else a step took and used. */
function hottestLine(row) {
  const [first] = row.lines?.hottest ?? [];
  if (!first) return unknown;
  return [lineLink(row, first.file, first.line), ` (${percent(100 * first.share)} of the ${row.lines.of})`];
}

/** A link to a line shows it, in whichever variant and file it is. */
function openLinkedLine() {
  const [, key, place, number] = /^#source-(\d+)-(\d+)-(\d+)$/.exec(location.hash) ?? [];
  const row = sourceRows()[key];
  const file = row?.lines.files[place];
  if (!file || !shownRows().includes(row)) return;
  switches.source = key;
  fillSource();
  const at = fileLines(file).findIndex((line) => line.number === Number(number));
  Object.assign(atSource, {file: Number(place), first: Math.max(0, at) - Math.max(0, at) % linesAtOnce + 1,
                           line: lineAt(file, Number(number)) ? Number(number) : null});
  fillFile();
  document.getElementById('source-words').scrollIntoView();
  chosenRow()?.focus({preventScroll: true});
}

function chosenRow() {
  return document.querySelector('#source-code tr.chosen');
}

/** In the middle of the box; the page stays where it is. */
function showChosenLine() {
  const box = document.getElementById('source-code');
  const row = chosenRow();
  box.scrollTop = row ? row.offsetTop - box.clientHeight / 2 : 0;
}

/** The one line that the tabulator key leads to, and that is told of unless another is pointed at. */
function chooseLine(number) {
  atSource.line = number;
  for (const row of document.querySelectorAll('#source-code tr[data-line]')) {
    const chosen = Number(row.dataset.line) === number;
    row.classList.toggle('chosen', chosen);
    row.tabIndex = chosen ? 0 : -1;
  }
  tellLine(number);
}

function pointedLine(event) {
  const row = event.target.closest('tr[data-line]');
  return row ? Number(row.dataset.line) : null;
}

/** The row with something known of it before or behind this one. */
function neighbour(row, forward) {
  const next = (one) => forward ? one.nextElementSibling : one.previousElementSibling;
  let other = next(row);
  while (other && !other.dataset.line) other = next(other);
  return other;
}

// A line that scrolls to where the mouse rests is not pointed at: the mouse has to move. A click or a tap
// gives the row the keyboard, too.
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

function stallsTable(line) {
  const all = samplesOf(line);
  const most = Math.max(...line.stalls.map(([, samples]) => samples));
  return el('table', {class: 'reasons-of-line'},
    el('caption', {}, 'What its warps waited for, in shares of its samples'),
    el('tbody', {}, line.stalls.map(([name, samples]) => el('tr', {},
      el('th', {scope: 'row'}, stallLabel(name)), heatCell(samples / all, most / all),
      el('td', {}, stallMeaning(name))))));
}

function idealText(view, line, name) {
  const [real, ideal] = [countOf(view, line, name), countOf(view, line, `ideal_${name}`)];
  return real ? `${integer(real)}; ${integer(ideal)} would do${ideal ? ` (${times(real / ideal)})` : ''}` : '';
}

function lanesText(view, line) {
  const [warps, threads] = ['warp_instructions', 'thread_instructions'].map((name) => countOf(view, line, name));
  return threads ? `${integer(threads)}${warps ? `, ${plain(threads / warps)} of a warp’s 32 threads` : ''}` : '';
}

function lineFacts(view, line) {
  const samples = samplesOf(line);
  const count = (name) => countOf(view, line, name) ? integer(countOf(view, line, name)) : '';
  return facts([
    ['samples', samples ? integer(samples) : ''],
    ['of them issued, which is no stall', line.issued ? percent(100 * line.issued / samples) : ''],
    ['warp instructions', count('warp_instructions')],
    ['thread instructions', lanesText(view, line)],
    ['of them with a true predicate', count('thread_instructions_pred_on')],
    ['sectors of global memory', idealText(view, line, 'sectors')],
    ['passes through shared memory', idealText(view, line, 'shared_wavefronts')],
    ['sectors of local memory', count('local_sectors')]]);
}

/** What was inlined there, or who called it. */
function linePartsList(row, file, line) {
  if (!line.parts.length) return null;
  return el('div', {class: 'parts-of-line'},
    el('h4', {}, file.own ? 'Inlined there' : 'Called from'),
    el('ul', {}, line.parts.map(([place, number, share]) => el('li', {},
      lineLink(row, place, number), ` ${percent(100 * share)}`))),
    line.more ? el('p', {class: 'small'}, `and ${integer(line.more)} cooler ${line.more === 1 ? 'line' : 'lines'}`) : null);
}

/** In one sentence, which is read out when the line is chosen. */
function lineHeadline(view, file, line) {
  const reasons = mainReasons(line);
  return [el('strong', {}, placeLabel(file, line.line)),
          ` ${percent(100 * line.share)} of all ${view.of}`, reasons ? `: ${reasons}` : ''];
}

function lineDetails(row, file, line) {
  return [
    line.function ? el('p', {class: 'small'}, el('code', {}, line.function)) : null,
    line.stalls.length ? stallsTable(line) : null,
    lineFacts(row.lines, line),
    linePartsList(row, file, line)].filter(Boolean);
}

function tellLine(number) {
  atSource.told = number;
  const {row, file: place} = atSource;
  const file = row.lines.files[place];
  const line = lineAt(file, number);
  document.getElementById('source-headline').replaceChildren(...(line ? lineHeadline(row.lines, file, line) : []));
  document.getElementById('source-line').replaceChildren(...(line ? lineDetails(row, file, line) : []));
}
