// Builds the page from the program's data, and redraws it after each switch.

let page = null;  // the visible one of model.pages

function groupBlock({blocks, id, class: style}) {
  return el('div', {id, class: style}, blocks.map(blockOf));
}

function factsBlock({items}) {
  return el('dl', {class: 'facts'}, items.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))));
}

function reasonsBlock({items}) {
  return el('dl', {class: 'reasons'}, items.flatMap(([reason, names]) => [el('dt', {}, reason), el('dd', {}, names)]));
}

function listOf(items) {
  return items?.length ? el('ul', {}, items.map((item) => el('li', {}, item))) : null;
}

function textBlock({text, items, id, class: style, role}) {
  return items ? el('div', {id, class: style, role}, text, listOf(items)) : el('p', {id, class: style}, text);
}

/** `results` starts with the best one; the first visible one is the summary. */
function detailsBlock({summary, results, blocks, open, id, class: style}) {
  const parts = results?.map(({text, tags}) => withTags(el('span', {class: 'result'}, text), tags));
  return el('details', {open, id, class: style}, el('summary', {}, summary.map(({text, class: kind}) => el('span', {class: kind}, text)), parts),
            el('div', {class: 'body'}, blocks.map(blockOf)));
}

function showFirstResult(summary) {
  const [, ...others] = [...summary.querySelectorAll('.result')].filter((one) => !one.hidden);
  for (const one of others) one.hidden = true;
}

function diffBlock({before, after, lines}) {
  const kinds = {'+': 'added', '-': 'removed', '@': 'place', ' ': 'same'};
  return el('figure', {class: 'diff'},
    el('figcaption', {}, el('code', {}, before), ' to ', el('code', {}, after)),
    el('pre', {tabindex: 0, 'aria-label': `Difference between ${before} and ${after}`}, el('code', {}, lines.map(([kind, text]) =>
      el('span', {class: kinds[kind]}, `${kind === '@' ? '' : `${kind} `}${text}\n`)))));
}

function openersBlock({of: style}) {
  const openAll = (open) => () => { for (const one of document.querySelectorAll(`details.${style}`)) one.open = open; };
  return el('p', {class: 'switches'}, el('button', {type: 'button', onclick: openAll(true)}, 'Open all'),
            el('button', {type: 'button', onclick: openAll(false)}, 'Close all'));
}

const kindsOfBlocks = {
  text: textBlock, facts: factsBlock, reasons: reasonsBlock, group: groupBlock, details: detailsBlock, diff: diffBlock,
  openers: openersBlock, chart: chartBlock, table: tableBlock, source: sourceBlock, switch: ({name}) => switchBlock({name, ...page.switches[name]}),
  prose: ({html}) => ({html}), heading: ({level, text}) => el(`h${level}`, {}, text), list: ({items}) => listOf(items),
};

function blockOf(block) {
  const made = kindsOfBlocks[block.kind](block);
  if (!block.tags) return made;
  return withTags(Array.isArray(made) ? el('div', {}, made) : made, block.tags);
}

function sectionOf({id, title, lead, blocks, tags}) {
  return withTags(el('section', {id, 'aria-labelledby': `${id}-title`}, el('h2', {id: `${id}-title`}, title),
    lead ? el('p', {class: 'lead'}, lead) : null, blocks.map(blockOf)), tags);
}

/** Builds the parts that all pages share. */
function buildFrame() {
  document.getElementById('masthead').append(
    el('div', {class: 'bar'}, el('span', {class: 'kicker'}, model.kicker), themeSwitch()), el('div', {id: 'what'}));
  const names = model.pages.map(({name}, i) => ({key: String(i), label: name}));
  chosen.set('page', new Set(['0']));
  document.getElementById('main').append(
    names.length > 1 ? el('nav', {class: 'scope', 'aria-label': 'What is shown'}, switchBlock({name: 'page', label: 'Profile', kind: 'one', choices: names})) : '',
    el('div', {id: 'page'}));
  document.getElementById('footer').append(el('p', {}, model.footer));
}

function buildPage(next) {
  page = next;
  for (const name of [...chosen.keys()]) if (name !== 'page') chosen.delete(name);
  for (const list of [tagged, charts]) list.length = 0;
  rowsOf.clear();
  for (const [name, one] of Object.entries(page.switches)) beginSwitch({name, ...one});
  document.getElementById('what').replaceChildren(el('h1', {}, page.heading), ...page.masthead.map(blockOf).flat(Infinity).filter(Boolean));
  const scope = page.scope.map((name) => switchBlock({name, ...page.switches[name]}));
  document.getElementById('page').replaceChildren(...page.notices.map(blockOf),
    ...(scope.length ? [el('nav', {class: 'scope', 'aria-label': 'What is shown'}, scope)] : []), ...page.sections.map(sectionOf));
}

function redraw() {
  const [place] = chosen.get('page');
  if (page !== model.pages[Number(place)]) buildPage(model.pages[Number(place)]);
  chooseSeries();
  moveHiddenChoices();
  for (const [element, tags] of tagged) element.hidden = !isShown(tags);
  for (const one of document.querySelectorAll('summary')) showFirstResult(one);
  hideEmptyTables();
  charts.forEach(drawChart);
  fillSources();
  // The number of redraws is stored on the page, for tests that wait for one.
  document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
}

function listen() {
  let [width, waiting] = [window.innerWidth, null];
  window.addEventListener('resize', () => {
    clearTimeout(waiting);  // one redraw for many events
    waiting = setTimeout(() => {
      if (window.innerWidth !== width) redraw();  // a phone's height changes with its bars
      width = window.innerWidth;
    }, 120);
  });
  for (const query of ['(prefers-color-scheme: dark)', 'print']) window.matchMedia(query).addEventListener('change', redraw);
}

/** A link to a step opens it; a link to a line shows it. */
function followLink() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches('details')) {
    target.open = true;
    target.scrollIntoView();
  }
  openLinkedLine();
}

buildFrame();
redraw();
listen();
window.addEventListener('hashchange', followLink);
followLink();
