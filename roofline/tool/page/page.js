// Puts the page together, and draws it anew whenever something is switched.

let built = null;  // the profile that the page shows now

/** What stays whichever profile is shown. */
function buildFrame() {
  document.getElementById('masthead').append(
    el('div', {class: 'bar'}, el('span', {class: 'kicker'}, 'Roofline of kernels'), themeSwitch()),
    el('div', {id: 'what'}));
  const names = report.profiles.map((profile, i) => [String(i), profile.name]);
  document.getElementById('main').append(
    ...(names.length > 1 ? [el('nav', {class: 'scope', 'aria-label': 'What is shown'}, radios('profile', 'Profile', names))] : []),
    el('div', {id: 'profile'}));
  document.getElementById('footer').append(el('p', {}, `Drawn by roofline ${report.version} from ` +
    `${report.profiles.map(({name}) => `${name}/profile.json`).join(', ')}.`));
}

function buildProfile() {
  built = switches.profile;
  chooseProfile(built);
  charts.clear();
  document.getElementById('what').replaceChildren(...whatRan());
  document.getElementById('profile').replaceChildren(...(allRows.length ?
    [rooflineSection(), instructionsSection('kernel', tableBox('instructions-table')), tableSection(), missingSection(), roofsSection(), recordSection()] :
    [notice('No kernel is in this profile.'), roofsSection(), recordSection()]).filter(Boolean));
}

function redraw() {
  if (built !== switches.profile) buildProfile();
  if (allRows.length) fillTables();
  drawCharts();
  markDrawn();
}

buildFrame();
redraw();
listen();
