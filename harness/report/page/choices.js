// The reader's choices: which machines and models are shown, and how.

const switches = {
  machines: new Set(), models: new Set(), levels: new Set(), precision: 'fp64', plane: 'dram',
  ladder: 'speedup', scale: 'log', theoretical: true, kernels: true, source: '', sort: {column: '', descending: false},
};

function shownRows() {
  return allRows.filter((row) => switches.machines.has(row.machine.key) && switches.models.has(row.model));
}

/** What rooflines show: variants, and their kernels where these are wanted. */
function chartRows() {
  return switches.kernels ? shownRows().flatMap((row) => [row, ...kernelRowsOf(row)]) : shownRows();
}

function shownMachines() {
  return allMachines.filter((machine) => switches.machines.has(machine.key));
}

/** Which machines and models all charts, the table and the panels show. */
function scopeSwitches() {
  const models = [...new Set(allRows.map((row) => row.model))];
  const parts = [
    checks('machines', 'Machines', allMachines.map((machine) => [machine.key, machine.label])),
    checks('models', 'Models', models.map((model) => [model, model])),
  ].filter(Boolean);
  return parts.length ? el('nav', {class: 'scope', 'aria-label': 'What is shown'}, parts) : null;
}

/** The colours of machines and models, wherever a legend has room for them. */
function fillSeriesLegends() {
  for (const place of document.querySelectorAll('.series-legend'))
    place.replaceChildren(...seriesOf(shownRows().filter((row) => row.timed)).map((series) =>
      el('span', {class: 'series'}, shapeIcon('block', seriesColour(series.key)), series.label)));
}
