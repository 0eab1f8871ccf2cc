// Draws the program's charts with Plotly. Positions and texts come from the program; ticks and
// label positions depend on screen width and zoom and are chosen here.

/** The charts of the page: {chart, box, legend}. */
const charts = [];

/** Plotly interprets some HTML in texts, so texts from records are escaped. */
function forPlotly(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function hoverOf({headline, facts = []}) {
  return `<b>${forPlotly(headline)}</b><br>` +
    facts.map(([name, value]) => name ? `${forPlotly(name)}: ${forPlotly(value)}` : forPlotly(value)).join('<br>') + '<extra></extra>';
}

/** `scale` is the switch that makes the value axis linear. */
function chartBlock({chart, id, image, scale}) {
  const box = el('div', {id: `${id ?? chart.name}-chart`, class: 'chart', role: 'img', 'aria-label': chart.description || chart.title});
  const entries = (chart.key ?? []).map((entry) => ({entry, item: el('li', {}, icon(entry), entry.text)}));
  const notes = chart.notes?.length ? el('p', {class: 'small notes'}, chart.notes.join(' ')) : null;
  if (!window.Plotly) {
    box.append(image ? el('img', {class: 'static', alt: chart.description || chart.title, src: image}) :
      el('p', {class: 'notice'}, 'This chart needs Plotly, which was missing when the program was built: ', el('code', {}, 'scripts/setup'),
         ' brings it (it needs npm); build again after it.'));
    return [box, notes];
  }
  charts.push({chart, box, entries, scale});
  return [entries.length ? el('ul', {class: 'legend'}, entries.map(({item}) => item)) : null, box, notes];
}

function isNarrow(width) {
  return width < 560;
}

/** Enough points along a straight line for the mouse to hit it. */
function along(line, chart) {
  if (line.x.length !== 2 || !line.facts) return line;
  const values = (letter) => Array.from({length: 25}, (_, i) => {
    const [from, to] = line[letter];
    return chart[letter].logarithmic ? from * (to / from) ** (i / 24) : from + (to - from) * i / 24;
  });
  return {x: values('x'), y: values('y')};
}

function grouped(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

/** Boxes are bars if the axis has names; otherwise areas with a tooltip everywhere. */
function boxTraces(boxes, chart) {
  if (chart.x.logarithmic)
    return boxes.map((box) => ({type: 'scatter', mode: 'lines', fill: 'toself', hoveron: 'fills', hoverinfo: 'text', name: box.name, meta: {item: box.item, of: box.of},
      x: [box.left, box.right, box.right, box.left, box.left], y: [box.bottom, box.bottom, box.top, box.top, box.bottom],
      text: [box.headline, ...(box.facts ?? []).map((fact) => fact.join(': '))].map(forPlotly).join('<br>'),
      fillcolor: cssColour(box.colour), line: {color: cssColour('roof-soft'), width: 1}}));
  return grouped(boxes, (box) => `${box.item} ${box.of} ${box.colour}`).map((own) => {
    const [{colour, of, item}] = own;
    return {type: 'bar', name: of, meta: {item, of}, x: own.map((box) => (box.left + box.right) / 2), width: own.map((box) => box.right - box.left),
            base: own.map((box) => box.bottom), y: own.map((box) => box.top - box.bottom), hovertemplate: own.map(hoverOf),
            // A bar of zero length shows only its border.
            marker: {color: cssColour(colour), line: {color: cssColour(colour), width: 1},
                     ...(colour === 'published' ? {pattern: {shape: '/', size: 5, solidity: 0.35}} : {})}};
  });
}

/** Lines with equal style and no tooltip form one trace with gaps. */
function lineTraces(lines, chart, screen, width) {
  const style = ({item, colour, width: thick, dash, arrow, facts}, i) => facts ? i : [item, colour, thick, dash, arrow].join(' ');
  const styles = new Map(lines.map((line, i) => [line, style(line, i)]));
  return grouped(lines, (line) => styles.get(line)).map((own) => {
    const [{item, of, name, colour, width: thick, dash, arrow, facts}] = own;
    const points = own.map((line) => along(line, chart));
    const [x, y] = ['x', 'y'].map((letter) => points.flatMap((one) => [...one[letter], null]).slice(0, -1));
    const trace = {type: 'scatter', mode: 'lines', name, meta: {item, of}, x, y,
                   line: {color: cssColour(colour || 'ink-soft'), width: 0.6 * thick + 0.4, dash: dash || 'solid'}};
    if (facts) trace.hovertemplate = hoverOf(own[0]);
    else trace.hoverinfo = 'skip';
    if (!arrow) return trace;
    // Arrow heads are drawn only if there is room.
    const reach = markerReach(width);
    const far = (i) => i > 0 && x[i - 1] !== null && x[i] !== null &&
      Math.hypot(screen.x(x[i]) - screen.x(x[i - 1]), screen.y(y[i]) - screen.y(y[i - 1])) > 2 * reach + 8;
    return {...trace, mode: 'lines+markers', opacity: 0.6, marker: {
      symbol: 'arrow', angleref: 'previous', standoff: reach, color: trace.line.color, line: {width: 0},
      size: x.map((_, i) => far(i) ? 8 : 0)}};
  });
}

function markerSize(width) {
  return isNarrow(width) ? 8 : 11;
}

/** The distance from a marker's centre to its border; a diamond's tips are a little longer. */
function markerReach(width) {
  return 0.55 * markerSize(width) + 1;
}

const symbols = {circle: 'circle', square: 'square', triangle: 'triangle-up', 'triangle-down': 'triangle-down', diamond: 'diamond',
                 pentagon: 'pentagon', cross: 'cross', bar: 'line-ew'};

/** Filled markers have a border in the paper's colour, which separates close ones. */
function markTraces(marks, width) {
  return grouped(marks, ({item, of, colour, shape, hollow, small}) => [item, of, colour, shape, hollow, small].join(' ')).map((own) => {
    const [{shape, hollow, small, item, of, colour: name}] = own;
    const [size, colour] = [(small ? 0.75 : 1) * markerSize(width), cssColour(name || 'ink')];
    const bar = shape === 'bar';
    const errors = own.some(({high}) => high !== undefined);
    return {type: 'scatter', mode: 'markers', name: of, meta: {item, of, names: own.map((mark) => mark.name)},
            x: own.map(({x}) => x), y: own.map(({y}) => y),
            ...(own.some(({headline}) => headline) ? {hovertemplate: own.map(hoverOf)} : {hoverinfo: 'skip'}),
            ...(errors ? {error_y: {type: 'data', symmetric: false, thickness: 1.2, width: 4, color: colour,
                                    array: own.map(({y, high}) => (high ?? y) - y),
                                    arrayminus: own.map(({y, low}) => y - (low ?? y))}} : {}),
            marker: {size: bar ? size / 1.4 * (item === 'dash' ? 1 : 1.8) : size, color: colour, symbol: symbols[shape] + (hollow ? '-open' : small && !bar ? '-dot' : ''),
                     line: bar ? {width: item === 'dash' ? 2.4 : 4, color: colour} : {width: hollow ? 1.8 : 1.2, color: hollow ? colour : cssColour('paper')}}};
  });
}

/** Converts values to pixels from the plot's top left corner. */
function onScreen({x, y}, ranges, plot) {
  const place = (axis, [low, high], length) => (value) => length * (axis.logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const up = place(y, ranges.y, plot.height);
  return {x: place(x, ranges.x, plot.width), y: (value) => plot.height - up(value), ranges, plot, logarithmic: {x: x.logarithmic, y: y.logarithmic}};
}

/** A chart's plot for a screen width: size, margins, text size. */
function plotOf(chart, width) {
  const narrow = isNarrow(width);
  const {frame} = chart;
  const labels = width < 760 ? chart.narrow_labels : chart.labels;
  const height = narrow ? Math.min(600, Math.max(380, 0.9 * frame.height)) :
    Math.min(frame.height, Math.max(0.55 * frame.height, 400, width * frame.height / frame.width));
  const text = narrow ? 10 : width < 1300 ? 12 : 14;  // items in the last row
  const ticks = narrow ? 9 : 13;
  const widest = (texts, size) => Math.max(0, ...texts.map((one) => textExtent(one, size).width));
  const outside = labels.filter((label) => label.outside).map(({text}) => text);
  const margin = {l: Math.max(widest(chart.y.ticks.flatMap((tick) => tick.text.split('\n')), ticks), widest([`500 M${chart.y.unit}`], ticks)) + (narrow ? 8 : 36), t: 32, r: outside.length ? leaderLength + 8 + widest(outside, text) : narrow ? 10 : 18,
                  b: chart.x.categories ? (narrow ? 40 : 104) : narrow ? 62 : 54};
  return {margin, text, ticks, narrow, labels, frame: width < 760 ? chart.narrow_frame : frame, outer: {width, height},
          width: width - margin.l - margin.r, height: height - margin.t - margin.b, reach: markerReach(width)};
}

/** The text of a tick that a zoom adds between the program's ticks. */
function tickText(value, unit) {
  const prefixes = ['p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P'];
  const plain = !unit || unit === '%' || unit === 'x' || unit === '×' || unit.includes('/B') || unit.includes('/txn');
  const step = plain || value === 0 ? 0 : Math.max(-4, Math.min(unit === 's' ? 0 : 5, Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9)));
  return `${Number((value / 1000 ** step).toPrecision(6))}${plain && unit.length < 2 ? '' : ' '}${prefixes[step + 4]}${unit}`;
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function evenTicks([low, high], unit) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 5));
  return [1, 2, 5, 10].map((digit) => {
    const [step, first] = [digit * power, Math.ceil(low / (digit * power))];
    return Array.from({length: Math.max(0, Math.min(60, Math.floor(high / step) - first + 1))}, (_, i) => {
      const at = Number(((first + i) * step).toPrecision(12));
      return {at, text: tickText(at, unit)};
    });
  });
}

/** The ticks that fit: the program's, or others if a zoom shows fewer than three of them. */
function ticksOf(axis, screen, letter) {
  const place = screen[letter];
  const size = screen.plot.ticks;
  const reach = ({text}) => letter === 'x' ? textExtent(text, size).width / 2 + 4 : 0.75 * size;
  const fits = (ticks) => ticks.every((tick, i) => !i || Math.abs(place(tick.at) - place(ticks[i - 1].at)) >= reach(tick) + reach(ticks[i - 1]));
  const [low, high] = screen.ranges[letter];
  const own = (axis.ticks ?? []).filter(({at, text}) => text && at >= low * 0.9999 && at <= high * 1.0001);
  const tens = (every) => own.filter(({at}) => Math.abs(Math.log10(at / every) % 1) < 1e-9);
  const choices = own.length < 3 ? evenTicks([low, high], axis.unit) :
    axis.logarithmic ? [own, tens(1), ...[2, 3, 6].map((step) => tens(1).filter(({at}) => Math.round(Math.log10(at)) % step === 0))] :
    [own, own.filter((_, i) => i % 2 === 0), own.filter((_, i) => i % 4 === 0)];
  return choices.find((ticks) => ticks.length > 1 && fits(ticks)) ?? own.slice(0, 1);
}

function axisOf(axis, letter, screen, title) {
  const ticks = axis.categories ? axis.ticks : ticksOf(axis, screen, letter);
  const {narrow, ticks: size} = screen.plot;
  const lines = ({text}) => text.split('\n').slice(0, narrow && axis.categories && letter === 'x' ? 1 : undefined);
  return {type: axis.logarithmic ? 'log' : 'linear', range: screen.ranges[letter].map((value) => axis.logarithmic ? Math.log10(value) : value),
          title: {text: forPlotly(title), standoff: 8}, gridcolor: cssColour('grid'), showgrid: !axis.categories, zeroline: false,
          linecolor: cssColour('rule'), tickcolor: cssColour('rule'), showline: true, ticks: 'outside', ticklen: 4, fixedrange: axis.categories === true,
          tickmode: 'array', tickvals: ticks.map(({at}) => at), ticktext: ticks.map((tick) => lines(tick).map(forPlotly).join('<br>')),
          tickfont: {size: axis.categories && narrow ? 10 : size}, tickangle: letter === 'x' && axis.categories && !narrow && ticks.length > 5 ? -35 : 0,
          ...(axis.logarithmic ? {minor: {tickmode: 'linear', dtick: 'D1', showgrid: true, gridcolor: cssColour('grid-minor')}} : {})};
}

/** Breaks a title in the middle if it is too long for a phone. */
function brokenTitle(title, {narrow, width}) {
  if (!narrow || textExtent(title, 11).width < width) return title;
  const words = title.split(' ');
  const half = words.findIndex((_, i) => 2 * words.slice(0, i + 1).join(' ').length >= title.length);
  return `${words.slice(0, half).join(' ')}\n${words.slice(half).join(' ')}`;
}

const chartConfig = {
  displaylogo: false, doubleClick: 'reset', responsive: false,  // charts are redrawn instead
  modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d', 'zoomIn2d', 'zoomOut2d'],
  toImageButtonOptions: {format: 'svg'},
};

/** The part of a chart that the switches leave visible. */
function shownPart(chart) {
  const part = {};
  for (const name of ['boxes', 'lines', 'marks']) part[name] = (chart[name] ?? []).filter(({tags}) => isShown(tags));
  return part;
}

/** Adds legend entries. An entry is visible while an item of its shape and colour is. */
function fillLegend(entries, {boxes, lines, marks}) {
  for (const {entry: {shape, colour, hollow, dash}, item} of entries) {
    const alike = (one) => !colour || colour === 'ink-soft' || one.colour === colour;  // any
    const isMark = marks.some((one) => one.shape === shape && alike(one) && (!hollow || one.hollow));
    item.hidden = !(shape ? isMark : [...marks, ...boxes].some(alike) || lines.some((one) => alike(one) && (one.dash || '') === (dash || '')));
  }
}

function drawChart({chart: given, box, entries, scale}) {
  const width = box.clientWidth;
  if (!width) return;  // part of a hidden choice
  const chart = chosen.get(scale)?.has('linear') ? {...given, y: {...given.y, logarithmic: false, low: 0, ticks: []}} : given;
  const part = shownPart(chart);
  fillLegend(entries, part);
  const plot = plotOf(chart, width);
  const screen = onScreen(chart, {x: [chart.x.low, chart.x.high], y: [chart.y.low, chart.y.high]}, plot);
  const across = brokenTitle(chart.x.title, plot);
  const ink = cssColour('ink');
  const layout = {
    ...plot.outer, margin: plot.margin, paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', barmode: 'overlay',
    font: {family: cssColour('sans'), size: plot.narrow ? 11 : 13, color: ink}, hovermode: 'closest', showlegend: false,
    hoverlabel: {align: 'left', bgcolor: cssColour('raised'), bordercolor: cssColour('rule'), font: {family: cssColour('sans'), size: 13, color: ink}},
    dragmode: plot.narrow ? false : 'zoom',  // on phones, a finger scrolls the page
    annotations: annotationsOf(chart, part, screen),
    xaxis: axisOf(chart.x, 'x', screen, across), yaxis: axisOf(chart.y, 'y', screen, plot.narrow ? '' : chart.y.title)};
  layout.xaxis.title.text = layout.xaxis.title.text.replace('\n', '<br>');
  window.Plotly.react(box, [...boxTraces(part.boxes, chart), ...lineTraces(part.lines, chart, screen, width), ...markTraces(part.marks, width)],
                      layout, chartConfig);
  followZoom(box, chart, part, plot);
}

/** Adds ticks and labels after a zoom makes room. */
function followZoom(box, chart, part, plot) {
  box.removeAllListeners('plotly_relayout');
  box.on('plotly_relayout', (change) => {
    if (!Object.keys(change).some((name) => /^[xy]axis\.(auto)?range/.test(name))) return;
    const inView = ({type, range}) => type === 'log' ? range.map((exponent) => 10 ** exponent) : [...range];
    const screen = onScreen(chart, {x: inView(box.layout.xaxis), y: inView(box.layout.yaxis)}, plot);
    const anew = {annotations: annotationsOf(chart, part, screen)};
    for (const letter of ['x', 'y']) {
      if (chart[letter].categories) continue;
      const ticks = ticksOf(chart[letter], screen, letter);
      anew[`${letter}axis.tickvals`] = ticks.map(({at}) => at);
      anew[`${letter}axis.ticktext`] = ticks.map(({text}) => forPlotly(text));
    }
    window.Plotly.relayout(box, anew);
  });
}
