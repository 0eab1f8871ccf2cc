// What the reader has not predicted yet, covered until it is. The program says what is covered by which step.

/** Whether the cover is on, and what the reader said of each step: {on, said: {step: text}}. */
let cover = {on: false, said: {}};
let coverName = null;  // of this page, for what the browser keeps

/** Browsers may keep nothing of files from the disk: then it lasts as long as the page is open. */
function readCover(name) {
  coverName = name;
  try {
    const {on, said} = JSON.parse(localStorage.getItem(name));
    if (typeof on === 'boolean' && typeof said === 'object' && said) cover = {on, said};
  } catch { /* nothing was kept, or it may not be read */ }
  if (location.hash === '#cover') cover.on = true;
}

function changeCover(change) {
  cover = {...cover, ...change};
  try {
    localStorage.setItem(coverName, JSON.stringify(cover));
  } catch { /* it is kept here */ }
  redraw();
}

function applyCover() {
  const steps = page.switches.covered?.choices.map(({key}) => key) ?? [];
  if (steps.length) chosen.set('covered', new Set(cover.on ? steps.filter((step) => !(step in cover.said)) : []));
}

/** Turns the cover on and off. */
function coverBlock({id, page: name}) {
  if (coverName === null) readCover(name);
  const box = el('input', {type: 'checkbox', name: 'cover', checked: cover.on, onchange: ({target}) => changeCover({on: target.checked})});
  return el('div', {class: 'switches', id, 'data-switch': 'cover'}, el('label', {class: 'chip'}, box, el('span', {}, 'Cover what I have not predicted')),
    el('button', {type: 'button', onclick: () => { box.checked = true; changeCover({on: true, said: {}}); }}, 'Begin anew'));
}

/** What can be predicted of a step, while it is covered; then what was said of it, and what came. */
function predictionBlock({step, question, choices, outcome, why}) {
  const say = (text) => el('button', {type: 'button', onclick: () => {
    said.textContent = `You said: ${text}. `;
    changeCover({said: {...cover.said, [step]: text}});
  }}, text);
  const said = el('span', {}, step in cover.said ? `You said: ${cover.said[step]}. ` : '');
  return [withTags(el('div', {class: 'ask notice', 'data-step': step}, el('p', {}, question),
                      el('p', {class: 'switches'}, [...choices, 'I don’t know'].map(say))), {covered: [step]}),
          withTags(el('p', {class: 'came'}, `${question} `, said, `It came: ${outcome}. ${why}`), {'!covered': [step]})];
}
