// Around the charts: the headline, what failed, what could not run, and everything needed to believe
// the numbers.

function bestOf(series) {
  return series.rows.filter((row) => row.timed)
    .sort((a, b) => b.result.terms_per_s - a.result.terms_per_s)[0] ?? null;
}

/** The fastest variant of each machine and model, in large. */
function headlineFigure(series) {
  const best = bestOf(series);
  if (!best) return null;
  const ran = series.rows.length;
  const passed = series.rows.filter((row) => row.result.status === 'passed').length;
  const name = [best.variant, ownStep(best).replaceAll('_', ' ')].filter(Boolean).join(' ');
  return el('div', {class: 'figure', style: `--series: ${seriesColour(series.key)}`},
    el('div', {class: 'what'}, el('span', {class: 'swatch'}), series.label),
    el('div', {class: 'large'}, withUnit(best.seconds, 's')),
    el('div', {class: 'small'}, `${name}, ${power(best.result.terms_per_s)} ${rateUnit}`),
    el('div', {class: 'small'},
       [isNumber(best.result.speedup) && best.result.speedup !== 1 ? `${times(best.result.speedup)} over ${baselineText()}` : null,
        isDisturbed(best.result) ? 'disturbed by others' : null,
        best.roofline ? `${percent(best.roofline.percent_of_roof)} of its roof` : null,
        `${passed} of ${ran} passed`].filter(Boolean).join(' · ')));
}

/** Others took too much of the processor while this was timed. Older records do not say. */
function isDisturbed(result) {
  return result.load?.disturbed === true;
}

function disturbed() {
  const names = allRows.filter((row) => row.timed && isDisturbed(row.result))
    .map((row) => `${row.variant} (${seriesLabel(row)})`);
  return names.length ? notice('Others took more than 5% of the processor while these were timed, and their times are not ' +
                               `to be trusted: ${names.join(', ')}.`) : null;
}

/** "serial 1, omp 2": threads of the host, by model. */
function threadsText(results) {
  const known = results.filter((one) => isNumber(one.threads));
  return [...new Set(known.map((one) => `${one.model} ${one.threads}`))].join(', ');
}

/** What others took at most during a timed run on the host. */
function loadText(results) {
  const runs = results.filter((one) => one.kind === 'host' && one.load?.others).flatMap(({load}) =>
    load.others.map((others, i) => isNumber(others) ? others + (load.steal[i] ?? 0) : null));
  if (!runs.length) return '';
  const known = runs.filter(isNumber);
  return known.length ? `others took at most ${percent(100 * Math.max(...known))} of the processor during a timed run` :
    'not known';
}

/** As the kernel describes it. */
function inputText({study, input_text: text}) {
  return [study.input.path, text].filter(Boolean).join(': ');
}

function masthead() {
  const machines = [...new Set(allMachines.map((machine) => machine.label))];
  const {study} = report.studies[0];
  return [
    el('div', {class: 'bar'}, el('span', {class: 'kicker'}, `${report.kernel.title} roofline study`), themeSwitch()),
    el('h1', {}, machines.length ? machines.join(', ') : 'Nothing ran'),
    report.studies.length === 1 ?
      el('p', {class: 'lead'}, `${inputText(report.studies[0])}. Recorded ${study.created.slice(0, 10)}.`) :
      el('ul', {class: 'lead'}, report.studies.map((one) =>
        el('li', {}, el('strong', {}, one.name), ` ${inputText(one)}. Recorded ${one.study.created.slice(0, 10)}.`))),
    differentInputs() ? notice(`These studies have different inputs: compare ${rateUnit} and speedups, not times.`) : null,
    failures(),
    disturbed(),
    el('div', {class: 'figures', id: 'figures'}),
  ].filter(Boolean);
}

function differentInputs() {
  return new Set(report.studies.map(({study}) => study.input.sha256)).size > 1;
}

function failures() {
  const failed = allRows.filter((row) => row.result.status === 'failed');
  if (!failed.length) return null;
  return el('div', {class: 'failures', role: 'alert', id: 'failures'},
    el('strong', {}, `${failed.length} of ${allRows.length} failed`), ' and are on no chart:',
    el('ul', {}, failed.map((row) =>
      el('li', {}, el('strong', {}, nameOf(row)), ` (${seriesLabel(row)}): ${row.result.reason}`))));
}

/** What could not run, gathered by reason: {reason: [names]}. */
function unavailableSection() {
  const reasons = new Map();
  for (const {name, study} of report.studies)
    for (const result of study.results.filter((one) => one.status === 'unavailable')) {
      const key = `${report.studies.length > 1 ? `${name}, ` : ''}${result.model}: ${result.reason}`;
      reasons.set(key, [...(reasons.get(key) ?? []), nameOf(result)]);
    }
  if (!reasons.size) return null;
  return section('unavailable', 'Not run here', null, el('dl', {class: 'reasons'},
    [...reasons].flatMap(([reason, names]) => [el('dt', {}, reason), el('dd', {}, names.join(', '))])));
}

function ceilingsSection() {
  const known = allMachines.filter((machine) => machine.ceilings?.list.length);
  if (!known.length) return null;
  return section('ceilings', 'The roofs',
    'What each machine can do at most: measured by small kernels of our own, and by its data sheet at the ' +
      'clock seen meanwhile.',
    known.map((machine) => [
      el('h3', {}, machine.label),
      roofsTable(machine)]).flat());
}

function glossarySection() {
  const used = report.metrics.filter((metric) => allRows.some((row) => metric.name in row.metrics));
  if (!used.length) return null;
  return section('metrics', 'What the metrics mean', null, el('details', {},
    el('summary', {}, `${used.length} metrics and their formulas`),
    scrollable('Metrics', el('table', {class: 'compact glossary'},
      el('thead', {}, el('tr', {}, ['metric', 'unit', 'meaning', 'formula'].map((title) => el('th', {scope: 'col'}, title)))),
      el('tbody', {}, used.map((metric) => el('tr', {},
        el('th', {scope: 'row'}, metricLabel(metric.name)), el('td', {}, metric.unit), el('td', {}, metric.meaning),
        el('td', {}, el('code', {}, metric.formula)))))))));
}

function studyFacts(one) {
  const {name, study} = one;
  const {machine, build, input, git} = study;
  const list = (object) => Object.entries(object).map(([key, value]) => `${key}: ${value}`).join('; ');
  return [
    report.studies.length > 1 ? el('h3', {}, name) : null,
    facts([
      ['recorded', study.created],
      ['machine', `${machine.host}: ${machine.cpu}, ${machine.cores} cores, ${withUnit(machine.memory_bytes, 'B')}`],
      ['GPUs', machine.gpus.map((gpu) => `${gpu.name} (${gpu.architecture}, ${gpu.units} multiprocessors, ` +
                                         `${withUnit(gpu.memory_bytes, 'B')})`).join('; ')],
      ['driver', machine.driver], ['system', machine.os],
      ['threads', threadsText(study.results)],
      ['processors', machine.affinity ? `${machine.affinity} of ${machine.online_cores || 'unknown'} online` : ''],
      ['clock set by', machine.governor],
      ['load average', isNumber(machine.load_average) ? `${plain(machine.load_average, 2)} before the study` : ''],
      ['load of others', loadText(study.results)],
      ['compilers', list(build.compilers)], ['flags', list(build.flags)],
      ['input', inputText(one)], ['SHA-256', input.sha256],
      ['source', `${git.revision}${git.dirty ? ', with changes not committed' : ''}`],
      ['counters', [...new Set(study.results.map((one) => one.counting?.source).filter(Boolean))].join(', ')],
    ])].filter(Boolean);
}

function recordSection() {
  return section('record', 'The record', null, report.studies.flatMap(studyFacts));
}

function footerText() {
  return [el('p', {}, `Drawn by gpp ${report.program.version} from ` +
                      `${report.studies.map(({name}) => `${name}/study.json`).join(', ')}. ` +
                      'Source differences are those of the program that drew this report, revision ' +
                      `${report.program.revision.slice(0, 12)}.` +
                      (report.published.source ? ` Published times: ${report.published.source}.` : ''))];
}
