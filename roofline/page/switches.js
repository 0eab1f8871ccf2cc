// Builds the reader's switches.

/** Stores a switch's initial state in `chosen`. */
function beginSwitch({name, choices, chosen: first}) {
  chosen.set(name, new Set(first ?? choices.map(({key}) => key)));
}

/** Makes checkboxes or radio buttons. The last box stays checked, unless it is the only one. */
function switchBlock(one) {
  const {name, label, kind, choices} = one;
  const on = chosen.get(name);
  const pick = (input) => {
    if (kind === 'one') {
      on.clear();
      on.add(input.value);
    } else if (input.checked) {
      on.add(input.value);
    } else if (on.size > 1 || choices.length === 1) {
      on.delete(input.value);
    } else {
      input.checked = true;
    }
    redraw();
  };
  return el('fieldset', {class: 'switches', 'data-switch': name}, label ? el('legend', {}, label) : null,
    choices.map(({key, label: text, tags}) => withTags(el('label', {class: 'chip'},
      el('input', {type: kind === 'one' ? 'radio' : 'checkbox', name, value: key, checked: on.has(key),
                   onchange: (event) => pick(event.target)}), el('span', {}, text)), tags)));
}

/** A series is one model on one machine; it is on if both are. */
function chooseSeries() {
  const [machines, models] = ['machine', 'model'].map((name) => [...(chosen.get(name) ?? [])]);
  if (machines.length) chosen.set('series', new Set(machines.flatMap((machine) => models.map((one) => `${machine} ${one}`))));
}

/** If another switch hides the current choice, the last visible one replaces it. */
function moveHiddenChoices() {
  for (const [name, {kind, choices}] of Object.entries(page.switches)) {
    const on = chosen.get(name);
    if (kind !== 'one' || choices.some(({key, tags}) => on.has(key) && isShown(tags))) continue;
    const other = choices.findLast(({tags}) => isShown(tags));
    if (!other) continue;
    on.clear();
    on.add(other.key);
    for (const input of document.querySelectorAll(`input[name="${name}"]`)) input.checked = input.value === other.key;
  }
}

function themeSwitch() {
  return el('fieldset', {class: 'switches theme', 'data-switch': 'theme'}, el('legend', {class: 'hidden'}, 'Colours'),
    [['', 'Auto'], ['light', 'Light'], ['dark', 'Dark']].map(([key, label]) => el('label', {class: 'chip'},
      el('input', {type: 'radio', name: 'theme', value: key, checked: key === '', onchange: () => {
        if (key) document.documentElement.dataset.theme = key;
        else delete document.documentElement.dataset.theme;
        redraw();
      }}), el('span', {}, label))));
}
