// Helpers for the page's elements, and for what the reader's switches show.

/** The program's data for the page. */
const model = JSON.parse(document.getElementById('report-data').textContent);

/** The active choices of each switch: {name: Set of keys}. */
const chosen = new Map();

/**
 * el('p', {class: 'lead'}, 'text', child) makes an element: attributes as named, 'on...' as listeners. Text is inserted
 * as text; {html} is HTML that the program made from Markdown and escaped.
 */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false || value === '') continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    if (child.html === undefined) element.append(child);
    else element.insertAdjacentHTML('beforeend', child.html);
  }
  return element;
}

/**
 * Tells whether the switches show an item with these tags: {switch: choice}. Tags without a switch are ignored. With
 * several choices, {switch: [choice, ...]}, one must be on; of the choices after "!" none may be on.
 */
function isShown(tags) {
  return Object.entries(tags ?? {}).every(([name, values]) => {
    const without = name.startsWith('!');
    const key = without ? name.slice(1) : name;
    const on = chosen.get(key);
    // A row is shown if no switch offers its choice, because no switch could show it again.
    const offered = page.switches[key]?.choices;
    if (offered && !offered.some((choice) => [values].flat().includes(choice.key))) return true;
    return !on || [values].flat().some((value) => on.has(value)) !== without;
  });
}

/** Elements that switches hide: [element, tags]. */
const tagged = [];

function withTags(element, tags) {
  if (tags) tagged.push([element, tags]);
  return element;
}

/** The value of a palette colour or of a font. */
function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Width and height of a text of one line. */
function textExtent(text, size) {
  textExtent.pen ??= document.createElement('canvas').getContext('2d');
  textExtent.pen.font = `${size}px ${cssColour('sans')}`;
  return {width: textExtent.pen.measureText(text).width + 3, height: 1.2 * size + 1};
}

/** Allows a line break after each underscore. */
function breakable(text) {
  return typeof text === 'string' ? text.split(/(?<=_)/).flatMap((part, i) => i ? [el('wbr'), part] : [part]) : [text];
}

/** A wide table scrolls separately, also by keyboard, so that the page does not. */
function scrollable(label, table) {
  return el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, table);
}

const shapes = {
  circle: '<circle cx="8" cy="8" r="5"/>', square: '<rect x="3" y="3" width="10" height="10"/>',
  diamond: '<path d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>', triangle: '<path d="M8 2 14 13H2z"/>',
  'triangle-down': '<path d="M8 14 14 3H2z"/>', pentagon: '<path d="M8 2 14 6.5 11.7 13.5H4.3L2 6.5z"/>',
  cross: '<path d="M6 2h4v4h4v4h-4v4H6v-4H2V6h4z"/>', bar: '<rect x="1" y="6" width="14" height="4"/>',
};

/** The symbol of a legend entry: a marker or a line. */
function icon({shape, colour, hollow, dash}) {
  const dashes = {dash: '4 2', dot: '1.5 2'}[dash] ?? '';
  const drawn = shapes[shape] ?? `<path d="M1 8h14" stroke="currentColor" stroke-width="2.2" stroke-dasharray="${dashes}"/>`;
  const sign = el('span', {class: 'icon', 'aria-hidden': 'true', style: colour ? `color: var(--${colour})` : null});
  sign.innerHTML = `<svg viewBox="0 0 16 16" width="14" height="14" ${hollow ? 'fill="none" stroke="currentColor" stroke-width="1.8"' :
    'fill="currentColor"'}>${drawn}</svg>`;
  return sign;
}
