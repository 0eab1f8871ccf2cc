// The stall breakdown: what the warps of each variant waited for.

const stallPatterns = ['', '/', 'x', '.'];

/** The reasons that matter most over all rows, largest first, and the rest together. */
function mainStalls(rows) {
  const total = (name) => rows.reduce((sum, row) => sum + (row.metrics[name] ?? 0), 0);
  const names = stallNames(rows).filter((name) => total(name) > 0).sort((a, b) => total(b) - total(a));
  return {main: names.slice(0, 9), rest: names.slice(9)};
}

function stallLabel(name) {
  return name.replace(/^stall_/, '').replaceAll('_', ' ');
}

function stallTrace(name, place, names, rows, labels) {
  const value = (row) => names.reduce((sum, one) => sum + (row.metrics[one] ?? 0), 0);
  const all = (row) => stallNames([row]).reduce((sum, one) => sum + row.metrics[one], 0);
  const metric = metricRow(names[0]);
  return {type: 'bar', orientation: 'h', name, y: labels, x: rows.map(value),
          marker: {color: partColours[place % partColours.length],
                   pattern: {shape: stallPatterns[Math.floor(place / partColours.length)], solidity: 0.4}},
          hovertemplate: rows.map((row) => hover(`${nameOf(row)}: ${name}`, [
            ['on', seriesLabel(row)], ['value', inUnit(value(row), metric?.unit ?? '')],
            ['of all stalls', percent(100 * value(row) / all(row))],
            ['meaning', names.length === 1 ? shortened(metric?.meaning ?? '', 90) : '']]))};
}


function stallRows() {
  return shownRows().filter((row) => stallNames([row]).length > 0);
}

function drawStalls(width) {
  const rows = stallRows();
  const several = seriesOf(rows).length > 1;
  const labels = rows.map((row) => forPlotly(several ? `${row.variant} ${row.model}, ${row.machine.label}` :
                                                       isNarrow(width) ? row.variant : nameOf(row)));
  const {main, rest} = mainStalls(rows);
  const traces = main.map((name, i) => stallTrace(stallLabel(name), i, [name], rows, labels));
  if (rest.length) traces.push(stallTrace('all others', main.length, rest, rows, labels));
  const unit = metricRow(main[0])?.unit ?? '';
  return {traces, layout: {
    barmode: 'stack', height: 110 + aboveBars + 26 * rows.length, bargap: 0.3,
    margin: {...margins(width), t: aboveBars},
    xaxis: axis(`stalls${unit ? `, ${unit}` : ''}`, {rangemode: 'tozero'}),
    yaxis: axis('', {autorange: 'reversed', showgrid: false, automargin: true, ticks: ''})}};
}

function stallLegend() {
  const {main, rest} = mainStalls(allRows);
  const entries = main.map((name, i) => ({label: stallLabel(name), fill: partColours[i % partColours.length],
                                          shape: i < partColours.length ? 'block' : 'hatched'}));
  if (rest.length) entries.push({label: 'all others', shape: 'hatched',
                                 fill: partColours[main.length % partColours.length]});
  return legend(entries, true);
}

function stallSection() {
  const title = 'What the warps waited for';
  if (!allRows.some((row) => stallNames([row]).length))
    return allRows.some((row) => row.roofline) && allRows.some((row) => row.machine.kind === 'gpu') ?
      section('stalls', title, null, notice(
        'No warp stalls were recorded. They are counted on NVIDIA GPUs by ',
        el('code', {}, 'gpp study'), ' where the driver allows it: see ', el('code', {}, 'gpp doctor'), '.')) :
      null;
  return section(
    'stalls', title,
    'Stalls by reason: where a bar grows shorter, warps wait less for each instruction they issue.',
    stallLegend(),
    chart('stalls-chart', 'Warp stalls of each variant by reason', null, drawStalls));
}
