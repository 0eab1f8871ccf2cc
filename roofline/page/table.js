// Builds tables that can be sorted by each column, and whose rows and columns switches can hide.

function isKnown({key, text}) {
  return typeof key === 'number' || Boolean(text && text !== '-' && text !== '–');
}

/** The rows' indices sorted by a column; unknown values come last in both directions. */
function sortedPlaces(rows, column, descending) {
  const cell = (place) => rows[place].cells[column];
  const order = (a, b) => typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key :
    (a.text ?? '').localeCompare(b.text ?? '', 'en', {numeric: true});
  return rows.map((_, i) => i).sort((i, j) => isKnown(cell(j)) - isKnown(cell(i)) ||
    (isKnown(cell(i)) ? order(cell(i), cell(j)) * (descending ? -1 : 1) : 0) || i - j);
}

/** The first click sorts, the next one reverses the order. */
function makeSortable(table, rows, lines) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => heading.querySelector('button').addEventListener('click', () => {
    const descending = heading.getAttribute('aria-sort') === 'ascending';
    for (const other of headings) {
      other.setAttribute('aria-sort', 'none');
      other.querySelector('.arrow').textContent = '';
    }
    heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    heading.querySelector('.arrow').textContent = descending ? ' ↓' : ' ↑';
    table.tBodies[0].append(...sortedPlaces(rows, column, descending).map((place) => lines[place]));
  }));
}

/** A short name opens to its long form; other notes are tooltips. */
function cellContent(cell, opens) {
  if (opens && cell.note)
    return el('details', {class: 'name'}, el('summary', {title: cell.note.slice(0, 400)}, cell.text), el('code', {dir: 'ltr'}, cell.note));
  if (opens) return el('span', {class: 'name'}, cell.text);
  const see = (cell.see ?? []).flatMap(([name, anchor], i) =>
    [i ? ', ' : ' See ', document.getElementById(anchor) ? el('a', {href: `#${anchor}`}, name) : name]);
  const text = breakable(cell.text);
  return [cell.link ? el('a', {href: `#${cell.link}`}, text) : text, see];
}

/**
 * `opens`: the column whose notes open by a click; `heat`: the column whose keys (0 to 1) are shown as bars; `mark`: the
 * text after the names of good rows.
 */
function tableBlock({table, id, sortable = false, opens = '', heat = '', mark = '', hidden_caption: hidden = sortable, class: style = ''}) {
  const {columns, caption, notes = []} = table;
  const rows = table.rows.map((row) => ({...row, cells: row.cells.map((one) => typeof one === 'string' ? {text: one} : one)}));
  const kind = ({name, right}) => [right ? 'number' : null, name === heat ? 'heat' : null].filter(Boolean).join(' ');
  const cell = (one, i, row) => {
    const column = columns[i];
    const first = i === 0;
    return withTags(el(first ? 'th' : 'td', {
      scope: first ? 'row' : null, class: [kind(column), one.tone ? `tone-${one.tone}` : ''].filter(Boolean).join(' '),
      title: column.name === opens ? null : one.note,
      style: column.name === heat && one.key ? `--heat: ${one.key}` : null}, cellContent(one, column.name === opens),
      first && mark && row.tone === 'good' ? el('span', {class: 'mark'}, mark) : null), column.tags);
  };
  const lines = rows.map((row) => withTags(
    el('tr', {class: mark && row.tone === 'good' ? 'marked' : null}, row.cells.map((one, i) => cell(one, i, row))), row.tags));
  const heading = (column) => withTags(el('th', {scope: 'col', class: kind(column), title: sortable ? null : column.note,
                                                'aria-sort': sortable ? 'none' : null},
    sortable ? el('button', {type: 'button', title: column.note}, column.title, el('span', {class: 'arrow', 'aria-hidden': 'true'})) :
               column.title), column.tags);
  const drawn = el('table', {id: id ?? `${table.name}-table`, class: `${sortable ? 'results' : 'compact'} ${style}`},
    caption ? el('caption', {class: hidden ? 'hidden' : null}, caption) : null,
    el('thead', {}, el('tr', {}, columns.map(heading))), el('tbody', {}, lines));
  if (sortable) makeSortable(drawn, rows, lines);
  const box = scrollable(caption || 'Table', drawn);
  if (rows.every((row) => row.tags)) rowsOf.set(box, lines);
  return [box, notes.length ? el('p', {class: 'small'}, notes.join(' ')) : null];
}

/** Boxes of tables whose rows may all be hidden. */
const rowsOf = new Map();

function hideEmptyTables() {
  for (const [box, lines] of rowsOf) box.hidden = lines.every((line) => line.hidden);
}
