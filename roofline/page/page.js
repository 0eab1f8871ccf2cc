// Sorts tables, and shows what the reader's switches choose.
(() => {
'use strict';

const inputsOf = (name) => [...document.querySelectorAll(`input[name="${CSS.escape(name)}"]`)];

/** The choices of an element by switch: data-on="level=dram;model=omp;model=cuda" lists them. */
function choicesOf(element) {
  const choices = new Map();
  for (const tag of element.dataset.on.split(';')) {
    const [name, value] = tag.split('=');
    choices.set(name, [...choices.get(name) ?? [], value]);
  }
  return choices;
}

/** Several boxes without a check show everything. Choices without a switch are always shown. */
function isOn(inputs, values) {
  const offered = inputs.filter((one) => values.includes(one.value));
  const none = inputs.length > 1 && inputs.every((one) => !one.checked);
  return none || !offered.length || offered.some((one) => one.checked);
}

/** If a switch hides the choice of another one, the last choice that is visible replaces it. */
function moveHiddenChoices() {
  for (const input of document.querySelectorAll('input[type="radio"]:checked')) {
    if (!input.closest('[hidden]')) continue;
    const others = inputsOf(input.name).filter((one) => !one.closest('label').hidden);
    if (others.length) others.at(-1).checked = true;
  }
}

function show(elements) {
  const known = new Map();  // the inputs of each switch, because many elements ask for them
  for (const element of elements) {
    element.toggleAttribute('hidden', ![...choicesOf(element)].every(([name, values]) => {
      if (!known.has(name)) known.set(name, inputsOf(name));
      return isOn(known.get(name), values);
    }));
  }
}

function redraw() {
  const theme = document.querySelector('input[name="theme"]:checked').value;
  document.documentElement.dataset.theme = theme;
  show(document.querySelectorAll('label[data-on]'));
  moveHiddenChoices();
  show(document.querySelectorAll('[data-on]'));
}

/** Turns on what hides the target of a link, and opens what it is folded in. */
function followLink() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let element = target; element; element = element.parentElement) {
    if (element.tagName === 'DETAILS') element.open = true;
    if (!element.hidden) continue;
    for (const [name, values] of choicesOf(element)) {
      const inputs = inputsOf(name);
      if (!isOn(inputs, values)) inputs.find((one) => values.includes(one.value)).checked = true;
    }
  }
  redraw();
  target?.scrollIntoView();
}

const textOf = (cell) => cell.textContent.trim();
const isKnown = (cell) => 'key' in cell.dataset || !['', '-', '–'].includes(textOf(cell));

function inOrder(one, other) {
  return 'key' in one.dataset && 'key' in other.dataset ? one.dataset.key - other.dataset.key :
    textOf(one).localeCompare(textOf(other), 'en', {numeric: true});
}

/** The first click sorts, the next one turns the order. What is unknown comes last in both. */
function sortBy(heading) {
  const column = heading.cellIndex;
  const body = heading.closest('table').tBodies[0];
  const sign = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1;
  for (const other of heading.parentElement.cells) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', sign === 1 ? 'ascending' : 'descending');
  body.append(...[...body.rows].sort(({cells: {[column]: one}}, {cells: {[column]: other}}) =>
    isKnown(other) - isKnown(one) || (isKnown(one) ? sign * inOrder(one, other) : 0)));
}

document.addEventListener('change', redraw);
document.addEventListener('click', ({target}) => {
  if (target.closest('.sortable th button')) sortBy(target.closest('th'));
  const link = target.closest('a[href^="#"]');
  if (link && location.hash === link.getAttribute('href')) followLink();
});
window.addEventListener('hashchange', followLink);
for (const input of document.querySelectorAll('input')) input.checked = input.defaultChecked;
redraw();
if (location.hash) followLink();
})();
