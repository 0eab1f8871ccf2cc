// Switches for the reader's choices, which a page keeps in `switches`, and legends beside charts.

/** Boxes to tick, for a set of choices: [[key, label], ...]. The last one ticked stays ticked. */
function checks(name, title, choices) {
  if (choices.length < 2) return null;
  const set = switches[name];
  return el('fieldset', {class: 'switches', 'data-switch': name}, el('legend', {}, title),
    choices.map(([key, label]) => {
      const box = el('input', {type: 'checkbox', name, value: key, checked: set.has(key), onchange: () => {
        if (box.checked) set.add(key);
        else if (set.size > 1) set.delete(key);
        else box.checked = true;
        redraw();
      }});
      return el('label', {class: 'chip'}, box, el('span', {}, label));
    }));
}

function radios(name, title, choices) {
  return el('fieldset', {class: 'switches', 'data-switch': name}, el('legend', {}, title),
    choices.map(([key, label]) => el('label', {class: 'chip'},
      el('input', {type: 'radio', name, value: key, checked: switches[name] === key, onchange: () => {
        switches[name] = key;
        redraw();
      }}), el('span', {}, label))));
}

function toggle(name, label) {
  const box = el('input', {type: 'checkbox', name, checked: switches[name], onchange: () => {
    switches[name] = box.checked;
    redraw();
  }});
  return el('fieldset', {class: 'switches', 'data-switch': name},
            el('label', {class: 'chip'}, box, el('span', {}, label)));
}

function themeSwitch() {
  const choices = [['', 'Auto'], ['light', 'Light'], ['dark', 'Dark']];
  return el('fieldset', {class: 'switches theme', 'data-switch': 'theme'}, el('legend', {class: 'hidden'}, 'Colours'),
    choices.map(([key, label]) => el('label', {class: 'chip'},
      el('input', {type: 'radio', name: 'theme', value: key, checked: key === '', onchange: () => {
        if (key) document.documentElement.dataset.theme = key;
        else delete document.documentElement.dataset.theme;
        redraw();
      }}), el('span', {}, label))));
}

const shapes = {
  circle: '<circle cx="8" cy="8" r="5"/>', square: '<rect x="3" y="3" width="10" height="10"/>',
  diamond: '<path d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>', 'triangle-up': '<path d="M8 2 14 13H2z"/>',
  pentagon: '<path d="M8 2 14 6.5 11.7 13.5H4.3L2 6.5z"/>', hexagon: '<path d="M4.5 2h7L15 8l-3.5 6h-7L1 8z"/>',
  cross: '<path d="M6 2h4v4h4v4h-4v4H6v-4H2V6h4z"/>', bar: '<rect x="1" y="6" width="14" height="4"/>',
  block: '<rect x="2" y="2" width="12" height="12" rx="1"/>',
  open: '<path d="M8 2.5 13.5 8 8 13.5 2.5 8z" fill="none" stroke="currentColor" stroke-width="2"/>',
  dash: '<path d="M2 8h12" stroke="currentColor" stroke-width="2.6"/>',
  wall: '<path d="M8 1v14" stroke="currentColor" stroke-width="2" stroke-dasharray="2 2"/>',
  corner: '<path d="M2 4h10v11" fill="none" stroke="currentColor" stroke-width="1.6"/>',
  diagonal: '<path d="M2 14 14 2" stroke="currentColor" stroke-width="2" stroke-dasharray="4 2"/>',
  hatched: '<rect x="2" y="2" width="12" height="12" fill-opacity=".35"/><path d="M2 14 14 2M2 8l6-6M8 14l6-6" stroke="currentColor" stroke-width="2"/>',
};

function shapeIcon(shape, fill) {
  const icon = el('span', {class: 'icon', 'aria-hidden': 'true', style: fill ? `color: ${fill}` : null});
  icon.innerHTML = `<svg viewBox="0 0 16 16" width="14" height="14" fill="currentColor">${shapes[shape]}</svg>`;
  return icon;
}

/** Entries {label, shape, fill or colour of page.css}; without `onlyThese` the series come first. */
function legend(entries, onlyThese = false) {
  const items = entries.map((entry) => el('li', {},
    shapeIcon(entry.shape, entry.fill ?? (entry.colour ? `var(--${entry.colour})` : null)), entry.label));
  return el('ul', {class: 'legend'},
            onlyThese ? null : el('li', {class: 'series-legend'}), items);
}
