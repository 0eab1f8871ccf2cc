// What all charts share: their frame, the fall-back where Plotly is missing, the redrawing.

const charts = [];

/**
 * A chart of the page. `draw(width)` returns {traces, layout}, and {labels} where labels depend on what
 * is in view; `fallback` is the file of the static chart that stands in where the program was built
 * without Plotly.
 */
function chart(id, label, fallback, draw) {
  const box = el('div', {id, class: 'chart', role: 'img', 'aria-label': label});
  if (!window.Plotly) {
    box.append(staticChart(label, fallback));
    return box;
  }
  charts.push({box, draw});
  return box;
}

/** All of them where a study has several: roofline.svg, or roofline-gpu.svg and roofline-host.svg. */
function staticChart(label, file) {
  const stem = file?.replace('.svg', '');
  const found = Object.entries(report.charts).filter(([name]) => file && name.startsWith(stem));
  if (found.length)
    return el('div', {}, found.map(([name, image]) => el('img', {class: 'static', alt: `${label} (${name})`, src: image})));
  return notice('This chart needs Plotly, which was missing when the program was built: ',
                el('code', {}, 'scripts/setup'), ' brings it (it needs npm); build again after it. ',
                file ? `No ${file} lies beside this report to stand in for it.` : '');
}

/** A box needs its width before it can be drawn: called once all are on the page. */
function drawCharts() {
  for (const {box, draw} of charts) {
    const {traces, layout, labels} = draw(box.clientWidth);
    window.Plotly.react(box, traces, framed(layout, box.clientWidth), chartConfig);
    if (labels) relabelOnZoom(box, labels);
  }
}

/** A zoom opens room for more labels: `labels({x, y})` returns those for these ranges of values. */
function relabelOnZoom(box, labels) {
  box.removeAllListeners('plotly_relayout');
  box.on('plotly_relayout', (change) => {
    if (!Object.keys(change).some((name) => /^[xy]axis/.test(name))) return;
    const inView = ({range}) => range.map((exponent) => 10 ** exponent);
    const {xaxis, yaxis} = box.layout;
    window.Plotly.relayout(box, {annotations: labels({x: inView(xaxis), y: inView(yaxis)})});
  });
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

/** `range` in values, not in their logarithms. */
function logAxis(title, range, settings = {}) {
  const decades = Math.log10(range[1] / range[0]);
  return axis(title, {type: 'log', range: range.map(Math.log10), dtick: decades < 2.5 ? 'D2' : 1,
                      minor: {dtick: 'D1', showgrid: true, gridcolor: cssColour('grid-minor')},
                      ...settings});
}

/** Steps along the horizontal axis, at 0, 1, 2, ... */
function stepAxis(variants, width) {
  const names = variants.map((id) => stepName(id));
  const text = isNarrow(width) ? variants : variants.map((id, i) => `${id}<br>${forPlotly(names[i])}`);
  return axis('', {tickmode: 'array', tickvals: variants.map((_, i) => i), ticktext: text,
                   tickangle: isNarrow(width) ? 0 : -35, tickfont: {size: isNarrow(width) ? 10 : 12},
                   range: [-0.6, variants.length - 0.4], showgrid: false, fixedrange: true});
}

function stepName(id) {
  return allRows.find((row) => row.variant === id)?.step ??
    report.published.find((row) => row.version === id)?.step ?? '';
}

/** The text of a hover label: a headline, then [name, value] lines; unknown values are left out. */
function hover(headline, lines) {
  return `<b>${forPlotly(headline)}</b><br>` +
    lines.filter(([, value]) => value && value !== unknown)
      .map(([name, value]) => `${forPlotly(name)}: ${forPlotly(value)}`).join('<br>') +
    '<extra></extra>';
}

/** Variants of the rows, each once, in order. */
function variantsOf(rows) {
  return [...new Set(rows.map((row) => row.variant))].sort(variantOrder);
}
