// The hierarchical roofline of studies: one marker per variant and level of memory, arrows from step to step.

/** The precision that does most of the work of most variants. */
function leadingPrecision() {
  const leads = (name) => allRows.filter((row) => row.roofline && (row.roofline.precision ?? 'fp64') === name).length;
  return precisionsMet().reduce((best, name) => leads(name) > leads(best) ? name : best, precisionsMet()[0] ?? 'fp64');
}

function rooflineDefects() {
  return allRows.flatMap((row) => [...new Set([
    ...Object.values(row.rooflines).flatMap((at) => at.defects), ...instructionDefects(row),
    ...(row.result.counting?.defects ?? [])])]
    .map((defect) => el('li', {}, `${row.variant} (${seriesLabel(row)}): ${defect}`)));
}

function rooflineSection() {
  const title = 'The hierarchical roofline';
  if (!allRows.some((row) => row.roofline)) return section('roofline', title, null, withoutCounters());
  const defects = rooflineDefects();
  return section(
    'roofline', title,
    'Each variant stands once per level of memory: the same rate, over the bytes moved at that level. ' +
      'Solid roofs were measured on the machine, dashed ones follow from its data sheet and clock. ' +
      'Arrows lead from step to step, at the outermost level alone where several models are shown; there ' +
      'the names are too, as far as they find room. Pointing at a marker tells all of it. Hollow markers ' +
      'were computed, not counted by hardware.',
    precisionSwitch(),
    checks('levels', 'Levels', knownLevels().map((level) => [level, levelLabel(level)])),
    toggle('theoretical', 'Theoretical roofs'),
    hasKernels() ? toggle('kernels', 'Kernels of a variant apart') : null,
    levelLegend(),
    chart('roofline-chart', 'Hierarchical roofline: rate over arithmetic intensity at each level of memory',
          'roofline.svg', (width) => drawRoofline(operationsView(), width)),
    kernelsBox(),
    sharesTable(),
    instructionModelsMet().length ? null : withoutInstructions('A new gpp study measures and counts what they need.'),
    defects.length ? el('div', {class: 'notice'}, 'Defects of the measurement:', el('ul', {}, defects)) : null);
}

function hasKernels() {
  return allRows.some((row) => kernelRowsOf(row).length > 0);
}

/** The place of the table of kernels, which follows what is shown; nothing where no variant has several. */
function kernelsBox() {
  return hasKernels() ? el('div', {id: 'kernels-table'}) : null;
}

function kernelLine(row) {
  const at = row.roofline;
  return el('tr', {}, el('th', {scope: 'row'}, row.variant), el('td', {}, seriesLabel(row)),
    el('td', {class: 'number'}, String(row.launches)), el('td', {class: 'number'}, percent(100 * row.part.share)),
    el('td', {class: 'number'}, at ? rateText(row) : unknown),
    el('td', {class: 'number'}, at ? percent(at.percent_of_roof) : unknown),
    el('td', {class: 'words'}, row.part.text ? verdictLabel(row.part.text) : unknown),
    el('td', {class: 'words'}, adviceText(row.part.advice)));
}

/** What each kernel of a variant of several does, what holds it back, and what to look at next. */
function fillKernels() {
  const place = document.getElementById('kernels-table');
  if (!place) return;
  const rows = shownRows().flatMap(kernelRowsOf);
  const titles = ['kernel', 'on', 'launches', 'of the time', 'rate', 'of its roof', 'held back by', 'look at next'];
  place.replaceChildren(...(rows.length ? [scrollable('Kernels', el('table', {class: 'compact'},
    el('caption', {}, 'Kernels of variants that have several. The time is divided as the hardware’s durations are.'),
    el('thead', {}, el('tr', {}, titles.map((text) => el('th', {scope: 'col'}, text)))),
    el('tbody', {}, rows.map(kernelLine))))] : []));
}

/** Why charts of counters are missing, in the studies' own words, and how to get them. */
function withoutCounters() {
  const reasons = [...new Set(allRows.map((row) => row.result.counting?.reason).filter(Boolean))];
  return notice(
    'Nothing was counted in ', report.studies.length === 1 ? 'this study' : 'these studies',
    ', so that no variant can be placed under a roof. ',
    reasons.length ? `The reason on record: ${reasons.join('; ')}. ` : '',
    'A new ', el('code', {}, 'gpp study'), ' counts by itself where it can; ',
    el('code', {}, 'gpp doctor'), ' says what this machine lacks for it.');
}

/** How the operations of each variant divide among precisions; nothing where all have but one. */
function sharesTable() {
  const met = precisionsMet();
  const mixed = allRows.filter((row) => Object.keys(row.rooflines).length > 1);
  if (!mixed.length) return null;
  const title = (name) => models().find((model) => model.name === name).title;
  const head = el('tr', {}, ['variant', 'on', ...met.map(title)].map((text) => el('th', {scope: 'col'}, text)));
  const lines = mixed.map((row) => el('tr', {}, el('th', {scope: 'row'}, row.variant), el('td', {}, seriesLabel(row)),
    met.map((name) => el('td', {class: 'number'}, percent(100 * row.rooflines[name]?.share)))));
  return scrollable('Operations by precision', el('table', {id: 'shares-table'},
    el('caption', {}, 'Operations by precision, of variants that mix them'), el('thead', {}, head),
    el('tbody', {}, lines)));
}
