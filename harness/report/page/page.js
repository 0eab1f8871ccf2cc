// Puts the page together, and draws it anew whenever something is switched.

const allMachines = machinesOf(report.studies);
const allRows = rowsOf(allMachines);
const allSeries = seriesOf(allRows);

function chooseEverything() {
  for (const machine of allMachines) switches.machines.add(machine.key);
  for (const row of allRows) {
    switches.models.add(row.model);
    for (const at of Object.values(row.rooflines))
      for (const level of Object.keys(at.intensity)) switches.levels.add(level);
  }
  switches.precision = leadingPrecision();
  switches.plane = planeLevels().includes('dram') ? 'dram' : planeLevels().at(-1);
  switches.source = sourceRows().length ? sourceKey(sourceRows().at(-1)) : '';
  switches.ladder = knownLadderViews()[0]?.[0] ?? switches.ladder;
}

/** One loud line for each study that did not come to its end. */
function partialNotices() {
  return report.studies.filter(({study}) => study.complete === false).map(({name}) =>
    notice(el('strong', {}, `Partial: ${name}. `), 'This study was interrupted or killed, or is still under way. ' +
           'It holds what was measured until then.'));
}

function build() {
  document.getElementById('masthead').append(...masthead());
  const timed = allRows.some((row) => row.timed);
  const parts = [
    ...partialNotices(), scopeSwitches(),
    ...(timed ? [scalingSection(), ...trajectorySections(), ...publishedLadderSections(), ladderSection(), rooflineSection(),
                 instructionsSection('variant', tableBox('instructions-table')), timeSection(), planeSection(), stallSection(), tableSection(), stepsSection(),
                 sourceSection()] :
                [notice('No variant passed its check, so there is nothing to draw.')]),
    ceilingsSection(), unavailableSection(), glossarySection(), recordSection(),
  ];
  document.getElementById('main').append(...parts.filter(Boolean));
  document.getElementById('footer').append(...footerText());
}

function redraw() {
  document.getElementById('figures').replaceChildren(
    ...seriesOf(shownRows()).map(headlineFigure).filter(Boolean));
  if (document.getElementById('panels')) {
    fillTables();
    fillPanels();
    fillSeriesLegends();
    fillLadderNote();
    fillPlaneNote();
    fillKernels();
    fillSource();
  }
  drawCharts();
  markDrawn();
}

chooseEverything();
build();
redraw();
listen();
for (const follow of [openLinkedPanel, openLinkedLine]) {
  window.addEventListener('hashchange', follow);
  follow();
}
