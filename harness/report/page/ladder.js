// The speedup ladder: what each step gained, beside what was published.

const ladderViews = {
  speedup: {label: 'speedup', title: `speedup over ${baselineText()}`, unit: '×', widest: '500×',
            value: (row) => row.result.speedup, published: (row) => publishedSpeedup(row.version)},
  time: {label: 'time', title: 'time', unit: 's', widest: '500 ms',
         value: (row) => row.seconds, published: (row) => row.time_s},
  rate: {label: rateUnit, title: `${report.kernel.work} per second`, unit: rateUnit, widest: `500 G${rateUnit}`,
         value: (row) => row.result.terms_per_s, published: (row) => row.terms_per_s},
};

/** Steps without a first one gain nothing over it. */
function knownLadderViews() {
  return Object.entries(ladderViews).filter(([, view]) => allRows.some((row) => row.timed && isNumber(view.value(row))));
}

function publishedTime(variant) {
  return report.published.steps.find((row) => row.version === variant)?.time_s ?? null;
}

function publishedSpeedup(variant) {
  const [first, time] = [publishedTime('v1'), publishedTime(variant)];
  return first && time ? first / time : null;
}

/** Of the published input: the product of any step's rate and time. */
function publishedTerms() {
  const [first] = report.published.steps;
  return first ? first.terms_per_s * first.time_s : null;
}

/** Whether it ran on as large an input as the published one; rounded, since the published one may be. */
function hasPublishedTerms(row) {
  return Math.abs(row.machine.study.input.terms / publishedTerms() - 1) < 1e-3;
}

/** The rows that the ladder shows. */
function ladderRows() {
  const view = ladderViews[switches.ladder];
  return shownRows().filter((row) => row.timed && isNumber(view.value(row)));
}

/** The published steps beside these rows; no times beside those of another input, which say nothing together. */
function publishedBeside(rows) {
  if (switches.ladder === 'time' && !rows.every(hasPublishedTerms)) return [];
  return report.published.steps.filter((step) => rows.some((row) => row.variant === step.version));
}

function ladderHover(row) {
  const {time_s: time} = row.result;
  return hover(nameOf(row), [
    ['on', seriesLabel(row)],
    ['time', withUnit(row.seconds, 's')],
    ['95% of the median', isNumber(time.low) ?
      `${withUnit(time.low, 's')} to ${withUnit(time.high, 's')}` : ''],
    [rateUnit, power(row.result.terms_per_s)],
    [`speedup over ${baselineText()}`, times(row.result.speedup)],
    [`${report.published.device}, published`, times(publishedSpeedup(row.variant))],
  ]);
}

/** On a logarithmic axis bars begin at 1×, where a step gains nothing, and losses reach down from there. */
function barBase() {
  return switches.scale === 'log' ? 1 : 0;
}

/** Bars for speedups, points for times and rates. */
function ladderTrace(name, x, y, hovers, colour, bars) {
  const common = {name, x, y, hovertemplate: hovers};
  if (!bars)
    return {...common, type: 'scatter', mode: 'lines+markers', line: {color: colour, width: 1.5},
            marker: {color: colour, size: 9}};
  return {...common, type: 'bar', base: barBase(), y: y.map((value) => value - barBase()),
          // The rim is what shows of a bar of no length.
          marker: {color: colour, line: {color: colour, width: 1}},
          textposition: 'outside', cliponaxis: false,
          text: y.map((value) => value < 10 ? value.toFixed(2) : plain(value)),
          textfont: {size: 11}, textangle: 0, constraintext: 'none'};
}

function publishedTrace(view, rows, variants, bars) {
  if (!rows.length) return [];
  const trace = ladderTrace(
    report.published.device, rows.map((row) => variants.indexOf(row.version)), rows.map(view.published),
    rows.map((row) => hover(`${row.version} ${row.step}`, [
      ['published', report.published.title], ['time', withUnit(row.time_s, 's')],
      ['speedup over v1', times(publishedSpeedup(row.version))],
      ['rate', row.tflop_per_s > 0 ? withUnit(row.tflop_per_s * 1e12, 'FLOP/s') : ''], ['registers', integer(row.registers)]])),
    cssColour('published'), bars);
  if (bars) trace.marker.pattern = {shape: '/', size: 5, solidity: 0.35};
  else Object.assign(trace, {line: {...trace.line, dash: 'dot'}, marker: {...trace.marker, symbol: 'x'}});
  return [trace];
}

/** Room for every value, and for a bar's number above it. */
function ladderAxis(view, values, bars) {
  if (switches.scale === 'linear')
    return axis(view.title, {range: [0, 1.1 * Math.max(...values)], showgrid: true});
  return logAxis(view.title, bars ? logRange([1, ...values], 1.25, 1.5) : logRange(values));
}

function drawLadder(width) {
  const view = ladderViews[switches.ladder];
  const rows = ladderRows();
  const published = publishedBeside(rows);
  const variants = variantsOf(rows);
  const bars = switches.ladder === 'speedup';
  const traces = publishedTrace(view, published, variants, bars);
  for (const series of seriesOf(rows))
    traces.push(ladderTrace(
      series.label, series.rows.map((row) => variants.indexOf(row.variant)),
      series.rows.map(view.value), series.rows.map(ladderHover), seriesColour(series.key), bars));
  const margin = stepMargins(width, view.widest);
  // A number needs some 28 pixels above its bar.
  const room = 0.75 * (width - margin.l - margin.r) / variants.length / traces.length >= 28;
  if (bars && !room) for (const trace of traces) delete trace.text;
  const values = [...rows.map(view.value), ...published.map(view.published)];
  const vertical = ladderAxis({...view, title: isNarrow(width) ? '' : view.title}, values, bars);
  return {traces, units: {yaxis: view.unit}, layout: {xaxis: stepAxis(variants, width), yaxis: vertical,
                                                      bargap: 0.25, margin}};
}

/** What to know before times are compared. */
function ladderWarnings() {
  if (switches.ladder !== 'time') return [];
  const rows = ladderRows();
  const others = knownLadderViews().filter(([key]) => key !== 'time').map(([, view]) => view.label).join(' or ');
  const [one] = rows.filter((row) => !hasPublishedTerms(row));
  const {title, steps} = report.published;
  const leftOut = one && steps.some((step) => rows.some((row) => row.variant === step.version));
  const inputs = new Set(rows.map((row) => row.machine.study.input.sha256));
  return [
    leftOut ? `Left out: ${title}. Its times are of an input of ${power(publishedTerms())} ${report.kernel.work}, ` +
              `not of ${power(one.machine.study.input.terms)}.` : null,
    inputs.size > 1 ? 'The times shown are of different inputs.' : null,
    leftOut || inputs.size > 1 ? `Compare by ${others} instead.` : null,
  ].filter(Boolean);
}

/** The note under the ladder, and the legend's entry of a series that may be left out. */
function fillLadderNote() {
  if (!window.Plotly) return;  // the static chart has no switch
  const note = document.getElementById('ladder-note');
  const warnings = ladderWarnings();
  note.hidden = !warnings.length;
  note.textContent = warnings.join(' ');
  const entry = document.querySelector('#ladder .legend li:not(.series-legend)');
  if (entry) entry.hidden = !publishedBeside(ladderRows()).length;
}

function ladderSection() {
  const {title, steps} = report.published;
  return section(
    'ladder', 'The ladder',
    'How fast each step is, and what it gained over the first one of its model. ' +
      (steps.length ? `Hatched or dotted: published for ${title}, with another compiler. ` : '') +
      'On the logarithmic axis of speedups bars begin at 1×: up is a gain, down a loss. Every bar passed its check.',
    radios('ladder', 'Show', knownLadderViews().map(([key, view]) => [key, view.label])),
    radios('scale', 'Axis', [['log', 'logarithmic'], ['linear', 'linear']]),
    steps.length ? legend([{label: `${title}, published`, colour: 'published', shape: 'hatched'}]) : null,
    chart('ladder-chart', 'How fast each step is, beside what was published',
          'ladder.svg', drawLadder),
    el('p', {id: 'ladder-note', class: 'small', hidden: true}));
}
