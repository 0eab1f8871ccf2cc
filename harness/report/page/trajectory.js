// Scaling trajectories: how work moves over the roofline while more of a device takes part (Ibrahim et al. 2019).

const trajectoryDashes = ['solid', 'dash', 'dot', 'dashdot'];

/** The roof of so many units from one end of the axis to the other. */
function trajectoryRoof({units, peak, bandwidth}, most, [low, high], chart) {
  const [ridge, colour] = [peak / bandwidth, cssColour(units === most ? 'ink' : 'roof-soft')];
  return {type: 'scatter', mode: 'lines', name: `${units}`, showlegend: false, meta: {roof: units}, x: [low, ridge, high], y: [low * bandwidth, peak, peak],
          line: {color: colour, width: units === most ? 2 : 1},
          hovertemplate: hover(`roof of ${units} ${chart.units}`, [
            ['peak', withUnit(peak, chart.rate_unit)], [chart.level, withUnit(bandwidth, chart.bandwidth_unit)]])};
}

/** Hollow where nobody counted on so many units. */
function trajectoryCurve({label, colour, dash, marks}, chart) {
  const shade = colourAt(colour);
  const ends = [0, marks.length - 1];
  return {type: 'scatter', mode: 'lines+markers+text', name: label, meta: {curve: label},
          x: marks.map((mark) => mark.intensity), y: marks.map((mark) => mark.rate),
          line: {color: shade, width: 2, dash: trajectoryDashes[dash % trajectoryDashes.length]},
          marker: {color: shade, size: 9, symbol: marks.map((mark) => (mark.counted ? 'circle' : 'circle-open')), line: {width: 1.8, color: shade}},
          text: marks.map((mark, i) => (ends.includes(i) ? String(mark.units) : '')), textfont: {color: shade},
          textposition: marks.map((_, i) => (i ? 'top center' : 'bottom center')),
          hovertemplate: marks.map((mark) => hover(`${label}, ${mark.units} ${chart.units}`, [
            ['rate', withUnit(mark.rate, chart.rate_unit)],
            [`intensity at ${chart.level}`, `${general(mark.intensity)} ${chart.intensity_unit}`],
            ['bytes', mark.counted ? 'counted on so many' : 'not counted on so many']]))};
}

function drawTrajectory(chart) {
  return (width) => {
    const marks = chart.curves.flatMap((curve) => curve.marks);
    const across = logRange([...marks.map((mark) => mark.intensity), ...chart.roofs.map((roof) => roof.peak / roof.bandwidth)], 3, 2);
    const up = logRange([...marks.map((mark) => mark.rate), ...chart.roofs.map((roof) => roof.peak)], 2, 1.5);
    const most = Math.max(...chart.roofs.map((roof) => roof.units));
    return {traces: [...chart.roofs.map((roof) => trajectoryRoof(roof, most, across, chart)),
                     ...chart.curves.map((curve) => trajectoryCurve(curve, chart))],
            units: {xaxis: chart.intensity_unit, yaxis: chart.rate_unit},
            layout: {xaxis: logAxis(`intensity at ${chart.level}`, across), yaxis: logAxis('', up),
                     showlegend: true, legend: {orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom'},
                     margin: {...margins(width), l: isNarrow(width) ? 80 : 100, t: 70}}};
  };
}

/** In brackets: of the most units where it was counted, or computed. */
function trajectoryIntensity({intensity, counted}) {
  return counted || !isNumber(intensity) ? general(intensity) : `(${general(intensity)})`;
}

function trajectoryTable(line, units) {
  return scalingTable([units, 'time', 'speedup', 'efficiency', 'rate', `intensity at ${line.level || 'no level'}`, 'change', 'limited by'],
    line.stops.map((stop) => [
      String(stop.units), withUnit(stop.seconds, 's'), times(stop.speedup), percent(100 * stop.efficiency),
      withUnit(stop.rate, line.rate_unit), trajectoryIntensity(stop), times(stop.change), stop.limit]));
}

/** Static pictures are found by the beginning of their names, so that the first chart shows them all. */
function trajectoryCharts(one, place) {
  return (window.Plotly ? one.charts : one.charts.slice(0, 1)).flatMap((part) => [
    el('h3', {}, `At ${part.level}`),
    chart(`${part.name}-${place}`, `Trajectories at ${part.level} over ${one.units}`, 'trajectory.svg',
          drawTrajectory({...part, units: one.units})),
    part.notes.length ? el('p', {class: 'small'}, `${part.notes.join('; ')}.`) : null]);
}

function trajectorySections() {
  return report.trajectories.map((one, i) => section(
    `trajectory-${i + 1}`, `Over ${one.units}${report.trajectories.length > 1 ? `: ${one.name}` : ''}`,
    `On a part of ${one.device} that grows, under the roofs measured on each number of ${one.units}. Straight up is ideal. To the ` +
      'left: more bytes for the same work. Hollow, and in brackets: bytes that were not counted on so many. The rest of this ' +
      'page is of the most that were measured.',
    one.complete ? null : notice(el('strong', {}, 'Partial. '), 'It was interrupted or killed, or is still under way.'),
    one.lost.length ? el('ul', {}, one.lost.map((text) => el('li', {}, `Missing: ${text}`))) : null,
    ...trajectoryCharts(one, i + 1),
    ...one.lines.flatMap((line) => [el('h3', {}, line.label), trajectoryTable(line, one.units)])));
}
