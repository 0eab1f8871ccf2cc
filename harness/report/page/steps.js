// One panel per step: its idea, what changed in the source, what it uses, what explains its time.

function stepId(variant) {
  return `step-${variant}`;
}

/** What the compiler made of the loop that takes most of a host's time. */
function codeText(code) {
  const [loop] = code?.loops ?? [];
  if (!loop) return unknown;
  const kinds = {scalar: 'scalar', packed_128: '128-bit', packed_256: '256-bit', packed_512: '512-bit',
                 divisions: 'of them divisions', square_roots: 'of them roots'};
  const counts = Object.entries(kinds).map(([key, name]) => [loop.fp64[key] + loop.fp32[key], name])
    .filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  const calls = [...new Set(code.loops.flatMap((one) => one.calls))];
  const libraries = Object.entries(code.libraries).map(([name, share]) => `${percent(100 * share)} of the time in ${name}`);
  return [`${loop.file ? `${loop.file}:${loop.line}` : loop.function} (${percent(100 * loop.share)} of the time): ` +
          (counts.join(', ') || 'no arithmetic'),
          calls.length ? `calls ${calls.join(', ')}` : null, ...libraries].filter(Boolean).join('; ');
}

/** A cause with its evidence and the line that shows it. */
function causeText({title, evidence, line}) {
  const place = line ? `, ${percent(100 * line.share)} of it at ${line.file}:${line.line}` : '';
  return `${title}${evidence || place ? ` (${evidence}${place})` : ''}`;
}

/** What binds a variant, what to look at, and the steps that act on it. */
function adviceText(advice) {
  if (!advice) return unknown;
  const causes = [advice, advice.also].filter(Boolean);
  const shown = variantsOf(shownRows());
  const steps = [...new Set(causes.map((one) => one.step?.id).filter(Boolean))];
  return [`${causes.map(causeText).join('; beside that ')}. ${advice.next}`,
          ...steps.flatMap((id, i) => [i ? ', ' : ' See ', shown.includes(id) ? el('a', {href: `#${stepId(id)}`}, id) : id])];
}

function launchTable(rows) {
  // Numbers that no study has are left out.
  const line = (title, show, kind = 'number') => rows.every((row) => show(row) === unknown) ? null :
    el('tr', {}, el('th', {scope: 'row'}, title), rows.map((row) => el('td', {class: kind}, show(row))));
  const before = (row) => stepBefore(row, allRows);
  return scrollable('What the variant took and used', el('table', {class: 'compact'},
    el('thead', {}, el('tr', {}, el('td', {}), rows.map((row) =>
      el('th', {scope: 'col', class: 'number'}, seriesLabel(row))))),
    el('tbody', {},
      line('time', (row) => withUnit(row.seconds, 's')),
      line('against the step before', (row) => before(row) ?
        `${times(before(row).seconds / row.seconds)} over ${before(row).variant}` : unknown),
      line(`speedup over ${baselineText()}`, (row) => times(row.result.speedup)),
      line(rateUnit, (row) => power(row.result.terms_per_s)),
      line('rate', rateText),
      line('of its lowest roof', (row) => row.roofline ?
        `${percent(row.roofline.percent_of_roof)} of ${levelLabel(row.roofline.bound_by)}` : unknown),
      line('held back by', (row) => row.roofline ? verdictLabel(row.verdict.text) : unknown, 'words'),
      line('hottest line', hottestLine, 'words'),
      line('look at next', (row) => adviceText(row.verdict.advice), 'words'),
      line('hottest loop', (row) => codeText(row.result.code), 'words'),
      line('registers per thread', (row) => each(row.launch, 'registers')),
      line('occupancy', (row) => each(row.launch, 'occupancy', (x) => `${Math.round(100 * x)}%`)),
      line('spilled per thread', (row) => each(row.launch, 'spill_bytes', (x) => `${x} B`)),
      line('threads per block', (row) => each(row.launch, 'threads_per_block')),
      line('largest relative error', (row) => power(row.result.check.max_relative_error, 2)))));
}

function changeText(change) {
  if (!Number.isFinite(change)) return change > 0 ? 'from nothing' : change < 0 ? 'to nothing' : '';
  const ratio = Math.exp(change);
  if (Math.abs(ratio - 1) < 0.0005) return 'same';
  return ratio >= 2 || ratio <= 0.1 ? times(ratio) : `${ratio >= 1 ? '+' : '−'}${plain(100 * Math.abs(ratio - 1), 2)}%`;
}

function counterLine(one) {
  const meaning = metricRow(one.name)?.meaning;
  return el('tr', {class: one.marked ? 'marked' : null},
    el('th', {scope: 'row', title: meaning}, metricLabel(one.name),
       one.marked ? el('span', {class: 'mark'}, 'explains') : null),
    el('td', {class: 'number'}, inUnit(one.before, one.unit)),
    el('td', {class: 'number'}, inUnit(one.after, one.unit)),
    el('td', {class: 'number'}, changeText(one.change)));
}

/** What changed against the step before, what explains it first. */
function counterTable(row) {
  const before = stepBefore(row, allRows);
  if (!before) return null;
  const list = compareEvidence(before, row).sort((a, b) => b.marked - a.marked);
  if (!list.length) return null;
  const faster = before.seconds / row.seconds;
  return el('div', {class: 'counters'},
    el('h4', {}, `${seriesLabel(row)}: ${before.variant} to ${row.variant}, time ${withUnit(before.seconds, 's')} to ` +
                 `${withUnit(row.seconds, 's')} (${times(faster)})`),
    scrollable('Counters against the step before', el('table', {class: 'compact'},
      el('thead', {}, el('tr', {}, ['', before.variant, row.variant, 'change'].map((title, i) =>
        el('th', {scope: 'col', class: i ? 'number' : null}, title)))),
      el('tbody', {}, list.map(counterLine)))),
    list.some((one) => one.marked) ? null : el('p', {class: 'small'}, timeChanged(before, row) ?
      'None of these meets the rule for “explains” at the end of this section. The rule does not ask every counter, ' +
      'so the cause may still be among them.' : 'The two times do not differ by more than they scatter.'));
}

function diffLine([kind, text]) {
  const kinds = {'+': 'added', '-': 'removed', '@': 'place', ' ': 'same'};
  return el('span', {class: kinds[kind]}, `${kind === '@' ? '' : `${kind} `}${text}\n`);
}

function diffBlock(file) {
  return el('figure', {class: 'diff'},
    el('figcaption', {}, el('code', {}, file.before), ' to ', el('code', {}, file.after)),
    el('pre', {tabindex: 0, 'aria-label': `Difference between ${file.before} and ${file.after}`},
       el('code', {}, file.lines.map(diffLine))));
}

/** The source against its predecessor's, for each model that ran. */
function diffs(rows) {
  const models = [...new Set(rows.map((row) => row.result.model))];
  return models.map((model, i) => {
    const source = report.sources[`${model} ${rows[0].variant}`];
    if (!source?.files.length) return null;
    return el('details', {open: i === 0}, el('summary', {}, `What changed in the source (${model})`),
              source.files.map(diffBlock));
  });
}

/** What can be told before a prediction is open; what came of it is for those who ask. */
function lessonText(lesson) {
  if (!lesson) return null;
  const open = [['What changes', lesson.changes], ['Predict', lesson.predict]];
  const more = [[report.published.device ? `Seen on a ${report.published.device}` : 'Published', lesson.published],
                ['Seen on a host', lesson.on_host], ['To try next', lesson.next]];
  return [
    el('div', {class: 'idea'}, prose(lesson.idea)),
    ...open.filter(([, text]) => text).map(([title, text]) =>
      el('div', {class: 'idea'}, el('h3', {}, title), prose(text))),
    ...more.filter(([, text]) => text).map(([title, text]) =>
      el('details', {class: 'idea'}, el('summary', {}, title), prose(text))),
  ];
}

/** Whose time it is. */
function ofSeries(row) {
  return allMachines.length > 1 ? seriesLabel(row) : row.model;
}

/** The fastest of those shown. */
function panelHeadline(variant, rows) {
  const best = rows.filter((row) => row.timed).sort((a, b) => b.result.terms_per_s - a.result.terms_per_s)[0];
  return el('summary', {},
    el('span', {class: 'id'}, variant),
    el('span', {class: 'name'}, stepName(variant).replaceAll('_', ' ')),
    el('span', {class: 'result'}, best ? `${withUnit(best.seconds, 's')}, ${ofSeries(best)}` : 'failed'));
}

function failureLines(rows) {
  return rows.filter((row) => !row.timed).map((row) =>
    el('p', {class: 'failure'}, el('strong', {}, `Failed on ${seriesLabel(row)}. `), row.result.reason));
}

function panel(variant) {
  const rows = shownRows().filter((row) => row.variant === variant);
  const timed = rows.filter((row) => row.timed);
  const counters = timed.map(counterTable).filter(Boolean);
  return el('details', {id: stepId(variant), class: 'panel'},
    panelHeadline(variant, rows),
    el('div', {class: 'body'},
      failureLines(rows), lessonText(report.lessons[variant]),
      timed.length ? launchTable(timed) : null,
      counters.length ? [el('h3', {}, 'What explains it'), ...counters] : null,
      diffs(rows)));
}

function fillPanels() {
  const open = new Set([...document.querySelectorAll('.panel[open]')].map((one) => one.id));
  const panels = variantsOf(shownRows()).map(panel);
  for (const one of panels) one.open = open.has(one.id);
  document.getElementById('panels').replaceChildren(...panels);
}

function openAll(open) {
  for (const one of document.querySelectorAll('.panel')) one.open = open;
}

/** A link to a step opens it. */
function openLinkedPanel() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.classList.contains('panel')) return;
  target.open = true;
  target.scrollIntoView();
}

function stepsSection() {
  return section('steps', 'Step by step',
                 'Each step with its idea, the lines that changed, what it uses, and what explains its time.',
                 el('p', {class: 'switches'},
                    el('button', {type: 'button', onclick: () => openAll(true)}, 'Open all'),
                    el('button', {type: 'button', onclick: () => openAll(false)}, 'Close all')),
                 el('div', {id: 'panels'}),
                 el('details', {class: 'small'}, el('summary', {}, 'How “explains” is decided'),
                    el('p', {}, explanationRule)));
}
