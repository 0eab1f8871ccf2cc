// The common part of all charts: their frame, the fall-back where Plotly is missing, the redrawing.

const charts = new Map();

/**
 * A chart of the page. `draw(width)` returns {traces, layout}, {units} of axes that have one, as in
 * {yaxis: 's'}, with a range each, and {labels} where labels depend on what is in view. Where the program
 * was built without Plotly, the static chart of the name `fallback` stands in, of staticCharts() of the page.
 * A chart of an id that is there already replaces it.
 */
function chart(id, label, fallback, draw) {
  const box = el('div', {id, class: 'chart', role: 'img', 'aria-label': label});
  if (!window.Plotly) {
    box.append(staticChart(label, fallback));
    return box;
  }
  charts.set(id, {box, draw});
  return box;
}

/** The instruction model that a drawing is of: "global_access" of roofline-gpu-global_access.svg. */
function instructionsIn(name) {
  const stem = name.replace(/(-\d+)?\.svg$/, '');
  return instructionModels().find((model) => stem.endsWith(`-${model.name}`))?.name ?? '';
}

/** All of them where there are several: roofline.svg, or roofline-gpu.svg and roofline-host.svg. */
function staticChart(label, file) {
  const stem = file?.split(/[.-]/)[0];
  const found = Object.entries(staticCharts()).filter(([name]) =>
    file && name.startsWith(stem) && instructionsIn(name) === instructionsIn(file));
  if (found.length)
    return el('div', {}, found.map(([name, image]) => el('img', {class: 'static', alt: `${label} (${name})`, src: image})));
  return notice('This chart needs Plotly, which was missing when the program was built: ',
                el('code', {}, 'scripts/setup'), ' brings it (it needs npm); build again after it. ',
                file ? `No ${file} lies beside this report to stand in for it.` : '');
}

/** A box needs its width before it can be drawn: called once all are on the page. */
function drawCharts() {
  for (const {box, draw} of charts.values()) {
    const {traces, layout, labels, units = {}} = draw(box.clientWidth);
    const whole = framed(layout, box.clientWidth);
    for (const [name, unit] of Object.entries(units)) Object.assign(whole[name], ticksOf(whole, name, unit));
    window.Plotly.react(box, traces, whole, chartConfig);
    relabelOnZoom(box, labels, units);
  }
}

/** A zoom opens room for more labels: `labels({x, y})` returns those for these ranges of values. */
function relabelOnZoom(box, labels, units) {
  box.removeAllListeners('plotly_relayout');
  box.on('plotly_relayout', (change) => {
    if (!Object.keys(change).some((name) => /^[xy]axis\.(auto)?range/.test(name))) return;
    const anew = {};
    for (const [name, unit] of Object.entries(units))
      for (const [key, value] of Object.entries(ticksOf(box.layout, name, unit))) anew[`${name}.${key}`] = value;
    if (labels) anew.annotations = labels({x: inView(box.layout.xaxis), y: inView(box.layout.yaxis)});
    if (Object.keys(anew).length) window.Plotly.relayout(box, anew);
  });
}

/** The range of an axis in values. */
function inView({type, range}) {
  return type === 'log' ? range.map((exponent) => 10 ** exponent) : range;
}

const chartConfig = {
  displaylogo: false,
  doubleClick: 'reset',
  responsive: false,  // redrawn as a whole instead: angles of labels follow the width
  modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d', 'zoomIn2d', 'zoomOut2d'],
  toImageButtonOptions: {format: 'svg'},
};

function isNarrow(width) {
  return width < 560;
}

function margins(width) {
  return isNarrow(width) ? {l: 46, r: 10, t: 10, b: 46} : {l: 64, r: 18, t: 14, b: 54};
}

/** Plotly's toolbar lies above the plot, not over its highest bars. */
const aboveBars = 32;

function framed(layout, width) {
  const ink = cssColour('ink');
  return {
    width,
    height: isNarrow(width) ? 380 : 480,
    margin: margins(width),
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: {family: cssColour('sans'), size: isNarrow(width) ? 11 : 13, color: ink},
    hoverlabel: {align: 'left', bgcolor: cssColour('raised'), bordercolor: cssColour('rule'),
                 font: {family: cssColour('sans'), size: 13, color: ink}},
    hovermode: 'closest',
    dragmode: isNarrow(width) ? false : 'zoom',  // a finger on a phone scrolls the page
    showlegend: false,
    ...layout,
  };
}

function axis(title, settings = {}) {
  return {title: {text: title, standoff: 8}, gridcolor: cssColour('grid'), zeroline: false,
          linecolor: cssColour('rule'), tickcolor: cssColour('rule'), showline: true, ticks: 'outside',
          ticklen: 4, ...settings};
}

/** `range` in values, not in their logarithms; its ticks come with its unit. */
function logAxis(title, range, settings = {}) {
  return axis(title, {type: 'log', range: range.map(Math.log10), ...settings});
}

/** From below the smallest value to above the largest, for a logarithmic axis. */
function logRange(values, below = 1.4, above = 1.4) {
  const positive = values.filter((value) => value > 0);
  return positive.length ? [Math.min(...positive) / below, Math.max(...positive) * above] : [1, 10];
}

/** Where ticks may stand on a logarithmic axis, the most first: 1, 2, 5 times powers of ten, then fewer. */
function roundValues([low, high]) {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({length: Math.ceil(Math.log10(high)) - first + 1}, (_, i) => first + i);
  const choices = [powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)))];
  for (const every of [1, 2, 3, 6, 12, 48])
    choices.push(powers.filter((power) => power % every === 0).map((power) => Number(`1e${power}`)));
  const within = choices.map((values) => values.filter((x) => x >= low * 0.9999 && x <= high * 1.0001));
  return within[0].length < 2 ? evenValues([low, high]) : within;
}

/** The same for a linear axis, and for one with less than two of those: multiples of 1, 2 or 5 of a power. */
function evenValues([low, high]) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 5));
  return [1, 2, 5, 10, 20, 50].map((digit) => {
    const [step, first] = [digit * power, Math.ceil(low / (digit * power))];
    const count = Math.max(0, Math.min(60, Math.floor(high / step) - first + 1));
    return Array.from({length: count}, (_, i) => Number(((first + i) * step).toPrecision(12)));
  });
}

/** {tickmode, tickvals, ticktext} of an axis: as many round values as find room. */
function ticksOf(layout, name, unit) {
  const one = layout[name];
  const [low, high] = inView(one);
  const across = name.startsWith('x');
  const {l, r, t, b} = layout.margin;
  const pixels = across ? layout.width - l - r : layout.height - t - b;
  const place = (x) => pixels * (one.type === 'log' ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low));
  const {size} = layout.font;
  const reach = (x) => across ? textExtent(tickLabel(x, unit), size).width / 2 + 4 : 0.75 * size;
  const fits = (values) => values.every((x, i) => !i || place(x) - place(values[i - 1]) >= reach(x) + reach(values[i - 1]));
  const choices = one.type === 'log' ? roundValues([low, high]) : evenValues([low, high]);
  const values = choices.find((some) => some.length && fits(some)) ?? [];
  return {tickmode: 'array', tickvals: values, ticktext: values.map((x) => tickLabel(x, unit))};
}

/** The text of a hover label: a headline, then [name, value] lines; unknown values are left out. */
function hover(headline, lines) {
  return `<b>${forPlotly(headline)}</b><br>` +
    lines.filter(([, value]) => value && value !== unknown)
      .map(([name, value]) => `${forPlotly(name)}: ${forPlotly(value)}`).join('<br>') +
    '<extra></extra>';
}
