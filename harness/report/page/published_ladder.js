// The published ladder that a study went up: the speedup of each step, published and measured.

/** Studies of a published ladder: {name, study}, each with the rows of its record. */
function ladderStudies() {
  return report.studies.filter(({study}) => study.ladder?.rows?.length);
}

/** What speedups are over, in words: reports of published ladders have their own first steps. */
function baselineText() {
  return ladderStudies().length ? 'the first step' : 'v1';
}

/** The rows of each model: [{model, kind, rows}]. */
function ladderRuns(study) {
  const runs = new Map();
  for (const row of study.ladder.rows) {
    if (!runs.has(row.model)) runs.set(row.model, {model: row.model, kind: row.kind, rows: []});
    runs.get(row.model).rows.push(row);
  }
  return [...runs.values()];
}

function ladderRunLabel(study, run) {
  const device = study.results.find((result) => result.model === run.model && result.device)?.device;
  return [device ? shortDevice(device) : null, modelLabel(run)].filter(Boolean).join(', ');
}

/** Bars of speedups by the steps' places; steps without a number have none. */
function ladderStepTrace(name, rows, which, colour) {
  const at = rows.map((row, place) => ({row, place, speedup: row[which].speedup}))
    .filter(({speedup}) => isNumber(speedup));
  return ladderTrace(name, at.map(({place}) => place), at.map(({speedup}) => speedup),
                     at.map(({row}) => hover(`${row.step}: ${row.change}`, [
                       [name, which], ['variant', row.variant], ['time', withUnit(row[which].seconds, 's')],
                       ['gain', times(row[which].gain)], ['speedup over the first step', times(row[which].speedup)],
                       ['published', row.told]])), colour, true);
}

/** The published speedups; of a ladder that tells some the first step's is 1. */
function publishedRows(rows) {
  const any = rows.some((row) => isNumber(row.published.speedup));
  return rows.map((row, i) =>
    !i && any ? {...row, published: {...row.published, speedup: 1}} : row);
}

/** "v5", and below it whether no model has a number there. */
function ladderTick(runs, place) {
  const step = forPlotly(runs[0].rows[place].step);
  return runs.some((run) => isNumber(run.rows[place].measured.speedup)) ? step : `${step}<br>no number`;
}

function drawPublishedLadder(study, width) {
  const runs = ladderRuns(study);
  const steps = runs[0].rows;
  const published = ladderStepTrace(`${study.ladder.device}, published`, publishedRows(steps), 'published',
                                    cssColour('published'));
  published.marker.pattern = {shape: '/', size: 5, solidity: 0.35};
  const traces = [...(published.x.length ? [published] : []),
                  ...runs.map((run, i) => ladderStepTrace(ladderRunLabel(study, run), run.rows, 'measured', colourAt(i)))];
  const values = traces.flatMap((trace) => trace.y.map((y) => y + trace.base));
  const view = {...ladderViews.speedup, title: isNarrow(width) ? '' : `speedup over ${steps[0].step}`};
  const margin = stepMargins(width, view.widest);
  const room = 0.75 * (width - margin.l - margin.r) / steps.length / traces.length >= 28;
  if (!room) for (const trace of traces) delete trace.text;
  return {traces, units: {yaxis: view.unit}, layout: {
    xaxis: axis('', {tickmode: 'array', tickvals: steps.map((_, i) => i), ticktext: steps.map((_, i) => ladderTick(runs, i)),
                     tickangle: isNarrow(width) ? -35 : 0, tickfont: {size: isNarrow(width) ? 10 : 12},
                     range: [-0.6, steps.length - 0.4], showgrid: false, fixedrange: true}),
    yaxis: ladderAxis(view, values, true), bargap: 0.25, margin}};
}

const ladderColumns = [
  ['step', (row) => row.step], ['what changes', (row) => row.change], ['variant', (row) => breakable(row.variant)],
  ['published', (row) => withUnit(row.published.seconds, 's')], ['gain', (row) => times(row.published.gain)],
  ['speedup', (row) => times(row.published.speedup)],
  ['measured', (row) => withUnit(row.measured.seconds, 's')], ['gain', (row) => times(row.measured.gain)],
  ['speedup', (row) => times(row.measured.speedup)],
  ['holds', (row) => row.holds ?? '–'],
  ['notes', (row) => [row.told, row.ours ? `taken for granted here: ${row.ours}` : '', row.reason].filter(Boolean).join('; ')],
];

function publishedLadderTable(study, run) {
  const caption = `Published and measured, step by step: ${ladderRunLabel(study, run)}`;
  return scrollable(caption, el('table', {}, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ladderColumns.map(([title]) => el('th', {scope: 'col'}, title)))),
    el('tbody', {}, run.rows.map((row) => el('tr', {}, ladderColumns.map(([, show], i) =>
      i ? el('td', {}, show(row)) : el('th', {scope: 'row'}, show(row))))))));
}

function publishedLadderSection({name, study}, index) {
  const {ladder} = study;
  return section(
    `ladder-${index}`, `Ladder ${ladder.name}${report.studies.length > 1 ? `, ${name}` : ''}`,
    `${ladder.title} (${ladder.source}), beside what was measured here. Hatched: published for a ${ladder.device}. ` +
      'Bars begin at 1×, the ladder’s first step. A step that was left out, or failed its check, has no number. ' +
      'Holds: yes within half of the published effect or 3%; more and less: as published, only so; no: not seen.',
    legend([{label: `${ladder.device}, published`, colour: 'published', shape: 'hatched'}]),
    chart(`ladder-chart-${index}`, `Speedup of each step of the ladder ${ladder.name}, published and measured`,
          `published-${ladder.name}.svg`, (width) => drawPublishedLadder(study, width)),
    ladderRuns(study).map((run) => publishedLadderTable(study, run)));
}

/** One for each study of a ladder. */
function publishedLadderSections() {
  return ladderStudies().filter(({study}) => study.ladder.rows.some((row) => isNumber(row.measured.speedup)))
    .map(publishedLadderSection);
}
