// Tables that can be sorted by every column. A page keeps {column, descending} in switches.sort, and
// gives fillTables(), which makes its tables anew, and textOrder(a, b).

/** One column: what it is called, what it shows, what it is sorted by. */
function column(title, show, key, settings = {}) {
  return {title, show, key, numeric: settings.numeric ?? true, note: settings.note ?? null};
}

/** Columns that say something about at least one row. */
function usefulColumns(columns, rows) {
  return columns.filter((one) => rows.some((row) => one.key(row) !== null && one.key(row) !== undefined));
}

function compareKeys(a, b) {
  const missing = (x) => x === null || x === undefined;
  if (missing(a) || missing(b)) return missing(a) - missing(b);  // the unknown goes last
  if (typeof a === 'number') return a - b;
  return textOrder(a, b);
}

/** In the order that was chosen, where one of these columns was. */
function sortedRows(rows, columns) {
  const {column: title, descending} = switches.sort;
  const one = columns.find((candidate) => candidate.title === title);
  if (!one) return rows;
  return [...rows].sort((a, b) => {
    const order = compareKeys(one.key(a), one.key(b));
    const known = [a, b].every((row) => one.key(row) !== null && one.key(row) !== undefined);
    return descending && known ? -order : order;
  });
}

function sortBy(title) {
  const {column: now, descending} = switches.sort;
  switches.sort = {column: title, descending: now === title ? !descending : false};
  fillTables();
}

function headerCell(one) {
  const sorted = switches.sort.column === one.title;
  const state = !sorted ? 'none' : switches.sort.descending ? 'descending' : 'ascending';
  return el('th', {scope: 'col', 'aria-sort': state, class: one.numeric ? 'number' : null},
            el('button', {type: 'button', title: one.note, onclick: () => sortBy(one.title)}, one.title,
               el('span', {class: 'arrow', 'aria-hidden': 'true'},
                  state === 'ascending' ? ' ↑' : state === 'descending' ? ' ↓' : '')));
}

/** `cell(column, row)` makes the first cell of each row, which names it. */
function sortableTable(id, caption, columns, rows, cell) {
  const line = (row) => el('tr', {}, columns.map((one, i) => i === 0 ? cell(one, row) :
    el('td', {class: one.numeric ? 'number' : null}, one.show(row))));
  return el('table', {id, class: 'results'},
    el('caption', {class: 'hidden'}, caption),
    el('thead', {}, el('tr', {}, columns.map(headerCell))),
    el('tbody', {}, rows.map(line)));
}

/** Does what makes tables anew; a heading that had the keyboard has it afterwards. */
function keepingFocus(action) {
  const focused = document.activeElement?.closest('.results th');
  const [id, cell] = [focused?.closest('table').id, focused?.cellIndex];
  action();
  if (id) document.getElementById(id)?.rows[0].cells[cell]?.querySelector('button')?.focus();
}
