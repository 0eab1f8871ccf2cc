// The time-based view: the measured time beside the least time that each resource needs. It survives
// steps that change the number of operations, where FLOP/s mislead (Wang et al. 2020).

/** [{name, symbol, seconds}]: what the variant needs at least, level by level and for arithmetic. */
function floorsOf(row) {
  const levels = Object.keys(row.roofline.level_seconds).sort(levelOrder)
    .filter((level) => switches.levels.has(level))
    .map((level) => ({name: levelLabel(level), symbol: levelSymbol(level),
                      seconds: row.roofline.level_seconds[level]}));
  return [...levels, {name: 'arithmetic', symbol: 'cross', seconds: row.roofline.compute_seconds}]
    .filter((floor) => floor.seconds > 0);
}

function timeHover(row, floor) {
  return hover(nameOf(row), [
    ['on', seriesLabel(row)], ['measured', withUnit(row.seconds, 's')],
    [`${floor.name} needs at least`, withUnit(floor.seconds, 's')],
    ['of the measured time', percent(100 * floor.seconds / row.seconds)],
    ['source', row.roofline.analytic ? 'computed, not counted by hardware' : 'counted by hardware'],
  ]);
}

/** How far apart the bars of one step stand, as a share of the distance between steps. */
function barSpacing(count) {
  return 0.84 / Math.max(2, count);
}

/** `room`: pixels from one bar to the next. */
function measuredTrace(series, x, room) {
  return {type: 'scatter', mode: 'markers', name: series.label, x, y: series.rows.map((row) => row.seconds),
          // Such a line is 1.4 times its size long.
          marker: {symbol: 'line-ew', size: Math.min(22, 0.9 * room / 1.4), line: {width: 4, color: seriesColour(series.key)}},
          hovertemplate: series.rows.map((row) => hover(nameOf(row), [
            ['on', seriesLabel(row)], ['measured', withUnit(row.seconds, 's')],
            ...floorsOf(row).map((floor) => [`${floor.name} needs at least`, withUnit(floor.seconds, 's')])])),
          meta: {measured: true}};
}

function floorTrace(series, x, room) {
  const points = series.rows.flatMap((row, i) => floorsOf(row).map((floor) => ({row, floor, x: x[i]})));
  const colour = seriesColour(series.key);
  return {type: 'scatter', mode: 'markers', name: series.label, x: points.map((point) => point.x),
          y: points.map((point) => point.floor.seconds),
          hovertemplate: points.map((point) => timeHover(point.row, point.floor)),
          marker: {size: Math.max(4, Math.min(9, 0.8 * room)), color: colour, line: {width: 1.5, color: colour},
                   symbol: points.map(({row, floor}) =>
                     floor.symbol + (row.roofline.analytic ? '-open' : ''))}};
}

/** What no resource accounts for: from the highest floor up to the measured time. */
function gapTrace(series, x) {
  const xs = [];
  const ys = [];
  series.rows.forEach((row, i) => {
    const floors = floorsOf(row).map((floor) => floor.seconds);
    if (!floors.length) return;
    xs.push(x[i], x[i], null);
    ys.push(Math.max(...floors), row.seconds, null);
  });
  return {type: 'scatter', mode: 'lines', hoverinfo: 'skip', x: xs, y: ys,
          line: {color: seriesColour(series.key), width: 1, dash: 'dot'}};
}

function drawTime(width) {
  const rows = shownRows().filter((row) => row.roofline);
  const variants = variantsOf(rows);
  const all = seriesOf(rows);
  const margin = stepMargins(width, '500 µs');
  const room = barSpacing(all.length) * (width - margin.l - margin.r) / (variants.length + 0.2);
  const traces = all.flatMap((series, place) => {
    const shift = (place - (all.length - 1) / 2) * barSpacing(all.length);
    const x = series.rows.map((row) => variants.indexOf(row.variant) + shift);
    return [gapTrace(series, x), floorTrace(series, x, room), measuredTrace(series, x, room)];
  });
  const seconds = rows.flatMap((row) => [row.seconds, ...floorsOf(row).map((floor) => floor.seconds)]);
  return {traces, units: {yaxis: 's'}, layout: {
    xaxis: stepAxis(variants, width),
    yaxis: logAxis(isNarrow(width) ? '' : 'time', logRange(seconds)),
    margin}};
}

function timeSection() {
  const title = 'Where the time goes';
  if (!allRows.some((row) => row.roofline)) return null;
  return section(
    'time', title,
    'The bar is the measured time; the markers below it are what the traffic of each level and the ' +
      'arithmetic need at least at their measured roofs. The dotted line between is what neither explains: ' +
      'waiting. This view compares steps even where they change the number of operations.',
    legend([...knownLevels().filter((level) => switches.levels.has(level))
              .map((level) => ({label: levelLabel(level), shape: levelSymbol(level)})),
            ...(anyArithmetic() ? [{label: 'arithmetic', shape: 'cross'}] : []), {label: 'measured', shape: 'bar'}], true),
    chart('time-chart', 'Measured time of each step beside the least time each resource needs', 'time.svg',
          drawTime));
}
