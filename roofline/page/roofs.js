// The roofs of a machine as a table, {label, ceilings}; a page gives models().

/** What this roof is measured in: bytes, FLOP, OP of whole numbers, or instructions a second. */
function roofUnit(roof) {
  if (roof.kind !== 'compute') return 'B/s';
  if (roof.name.startsWith('issue')) return 'IPS';
  return `${models().find((model) => model.peak === roof.name)?.unit ?? 'FLOP'}/s`;
}

/** [title, text of a roof, class], ... */
const ceilingColumns = [
  ['measured', (roof) => withUnit(roof.measured, roofUnit(roof)), 'number'],
  ['theoretical', (roof) => withUnit(roof.theoretical, roofUnit(roof)), 'number'],
  ['ratio', (roof) => isNumber(roof.theoretical) ? percent(100 * roof.measured / roof.theoretical) : unknown, 'number'],
  ['clock', (roof) => roof.clock_mhz ? `${plain(roof.clock_mhz, 4)} MHz` : unknown, 'number'],
];
const definitionColumn = ['what it is', (roof) => roof.definition, 'definition'];

/** `definitions`: in a column of their own, not only under the mouse. Columns that say nothing are left out. */
function roofsTable(machine, definitions = false) {
  const {list} = machine.ceilings;
  const columns = [...ceilingColumns, ...(definitions ? [definitionColumn] : [])]
    .filter(([, text]) => list.some((roof) => text(roof) !== unknown));
  const line = (roof) => el('tr', {}, el('th', {scope: 'row', title: roof.definition}, roof.label),
                            columns.map(([, text, kind]) => el('td', {class: kind}, text(roof))));
  return scrollable(`Roofs of ${machine.label}`, el('table', {class: 'compact'},
    el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, 'roof'),
                       columns.map(([title, , kind]) => el('th', {scope: 'col', class: kind}, title)))),
    el('tbody', {}, list.map(line))));
}
