// Elements of the page. Text goes in as text: nothing from a record is ever read as HTML.

/** el('p', {class: 'lead'}, 'text', child): attributes as named, 'on...' as listeners. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Plotly reads some HTML in its texts, so what comes from a record is escaped there. */
function forPlotly(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function section(id, title, lead, ...children) {
  return el('section', {id, 'aria-labelledby': `${id}-title`},
            el('h2', {id: `${id}-title`}, title),
            lead ? el('p', {class: 'lead'}, lead) : null, ...children);
}

function notice(...children) {
  return el('p', {class: 'notice'}, ...children);
}

/** A wide table scrolls by itself, by keyboard too; the page never does. */
function scrollable(label, table) {
  return el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, table);
}

/** [[term, description], ...] as a list; empty descriptions are left out. */
function facts(pairs) {
  return el('dl', {class: 'facts'},
            pairs.filter(([, value]) => value).map(([name, value]) =>
              el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

