// How a calculation scaled over ranks: strong and weak, the steps of its ring, its ranks.

/** The studies that hold a calculation which many ranks shared. */
function scalingStudies() {
  return report.studies.filter(({study}) => study.scaling);
}

const scalingKinds = {
  strong: {title: 'Strong scaling', axis: 'speedup over the first',
           value: (points, i) => points[i].speedup,
           ideal: (points, i) => points[i].ranks / points[0].ranks},
  weak: {title: 'Weak scaling', axis: 'time over that of the first',
         value: (points, i) => points[i].seconds / points[0].seconds,
         ideal: () => 1},
};

function scalingHover(name, point) {
  return hover(`${name}, ${point.ranks} ranks`, [
    ['time', withUnit(point.seconds, 's')], ['efficiency', percent(100 * point.efficiency)],
    ['waiting for blocks', percent(100 * point.wait)], ['blocks by', point.transport]]);
}

function scalingTrace(name, kind, points, colour) {
  return {type: 'scatter', mode: 'lines+markers', name, x: points.map((point) => point.ranks),
          y: points.map((_, i) => kind.value(points, i)), line: {color: colour, width: 2}, marker: {color: colour, size: 9},
          hovertemplate: points.map((point) => scalingHover(name, point))};
}

/** What would be ideal, over the ranks of all studies. */
function idealTrace(kind, lists) {
  const longest = lists.reduce((one, other) => (other.at(-1).ranks > one.at(-1).ranks ? other : one));
  return {type: 'scatter', mode: 'lines', name: 'ideal', hoverinfo: 'skip', x: longest.map((point) => point.ranks),
          y: longest.map((_, i) => kind.ideal(longest, i)), line: {dash: 'dash', width: 1.5, color: cssColour('ink-soft')}};
}

function drawScaling(key) {
  return (width) => {
    const kind = scalingKinds[key];
    const studies = scalingStudies().filter(({study}) => study.scaling[key].length > 1);
    const lists = studies.map(({study}) => study.scaling[key]);
    const traces = [idealTrace(kind, lists),
                    ...studies.map(({name}, i) => scalingTrace(name, kind, lists[i], colourAt(i)))];
    const ranks = [...new Set(lists.flat().map((point) => point.ranks))];
    const values = traces.flatMap((trace) => trace.y);
    return {traces, layout: {
      xaxis: axis('ranks', {type: 'log', tickvals: ranks, ticktext: ranks.map(String)}),
      yaxis: key === 'weak' ? axis(kind.axis, {range: [0, 1.2 * Math.max(...values)]}) : logAxis(kind.axis, logRange(values)),
      margin: margins(width)}};
  };
}

function scalingTable(headings, rows) {
  return scrollable('Scaling', el('table', {},
    el('thead', {}, el('tr', {}, ...headings.map((text) => el('th', {scope: 'col'}, text)))),
    el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map((cell) => el('td', {}, cell)))))));
}

function pointsTable(points) {
  return scalingTable(['ranks', 'states', 'time', 'efficiency', 'waiting for blocks'], points.map((point) => [
    String(point.ranks), String(point.states), withUnit(point.seconds, 's'), percent(100 * point.efficiency),
    percent(100 * point.wait)]));
}

function ringTable({steps}) {
  return scalingTable(['step', 'compute', 'transfer', 'wait', 'hidden'], steps.map((step, i) => [
    String(i + 1), withUnit(step.compute_s, 's'), ...(step.transfer_s > 0 ?
      [withUnit(step.transfer_s, 's'), withUnit(step.wait_s, 's'), percent(100 * step.overlap)] : ['–', '–', '–'])]));
}

function ranksTable({by_rank: ranks}) {
  return scalingTable(['rank', 'host', 'device', 'cores', 'G′', 'bands', 'memory', 'predicted', 'busy'], ranks.map((rank, i) => [
    String(i), rank.host, rank.device, String(rank.cores), integer(rank.own_g), integer(rank.bands),
    withUnit(rank.measured_bytes, 'B'), withUnit(rank.predicted_bytes, 'B'), percent(100 * rank.busy)]));
}

function scalingFacts(scaling) {
  return facts([
    ['ranks', `${scaling.ranks} in ${scaling.pools} ${scaling.pools === 1 ? 'pool' : 'pools'}`], ['states', String(scaling.states)],
    ['exchange', `${scaling.exchange}, blocks by ${scaling.transport}`],
    ...(scaling.remark ? [['not by NCCL', scaling.remark]] : []),
    ['checked', scaling.sample.length ? `over all bands at the G′ ${scaling.sample.join(', ')}` : 'over all bands and all G′']]);
}

function scalingParts({name, study: {scaling}}) {
  return [el('h3', {}, name), scalingFacts(scaling), ranksTable(scaling),
          ...(scaling.steps.length ? [el('h4', {}, 'Steps of the ring, means of all ranks'), ringTable(scaling)] : []),
          ...Object.entries(scalingKinds).flatMap(([key, kind]) =>
            (scaling[key].length > 1 ? [el('h4', {}, kind.title), pointsTable(scaling[key])] : []))];
}

function scalingSection() {
  const studies = scalingStudies();
  if (!studies.length) return null;
  const charts = Object.entries(scalingKinds)
    .filter(([key]) => studies.some(({study}) => study.scaling[key].length > 1))
    .flatMap(([key, kind]) => [
      el('h3', {}, kind.title),
      chart(`${key}-chart`, `${kind.title}: ${kind.axis}`, `${key}.svg`, drawScaling(key))]);
  return section(
    'scaling', 'Over ranks',
    'One calculation, shared by ranks whose bands pass round a ring while they are summed. Strong: the same work on ' +
      'more ranks. Weak: a state more for every rank more. Dashed is what would be ideal.',
    ...charts, ...studies.flatMap(scalingParts));
}
