// Instruction rooflines: warp instructions over transactions of memory, of all instructions and of accesses
// to each kind of memory, with walls for patterns of access (Ding and Williams 2019). A page gives
// instructionModels(), and rows with `instructions`, points by model, and `facts`, numbers of the table or null.

/** The models that some row has a point of, in their order. */
function instructionModelsMet() {
  const met = instructionModels().filter(({name}) => allRows.some((row) => row.instructions[name]));
  return met.filter((model, i) => met.findIndex(({name}) => name === model.name) === i);
}

function instructionsView(name) {
  const own = instructionModels().filter((model) => model.name === name);
  return {models: own, place: (row) => row.instructions[name] ?? null,
          levels: new Set(own.flatMap((model) => model.levels.map((level) => level.name)))};
}

/** "unit stride, 8 B", and how far off where it is not on it. */
function wallText({label, ratio}) {
  const text = times(ratio);
  return text === '1.00×' ? label : `${text} ${label}`;
}

function instructionsLegend(model) {
  const dashed = allRows.some((row) => isNumber(row.instructions[model.name]?.active_per_s));
  return legend([
    ...model.levels.map(({name, label}) => ({label, shape: levelSymbol(name)})),
    ...(dashed ? [{label: 'with lanes that were switched off', shape: 'dash'}] : []),
    ...(model.walls.length ? [{label: 'wall: a pattern of access', shape: 'wall'}] : [])], true);
}

function instructionsChart(model) {
  return [el('h3', {}, model.title), instructionsLegend(model),
          chart(`${model.name}-chart`, `Instruction roofline, ${model.title}: rate over instructions per transaction`,
                `roofline-${model.name}.svg`, (width) => drawRoofline(instructionsView(model.name), width))];
}

function intensityOf(row, level) {
  return row.instructions.instructions?.intensity[level] ?? null;
}

function wallColumn(title, model) {
  const wall = (row) => row.facts?.walls[model] ?? null;
  return column(title, (row) => wall(row) ? wallText(wall(row)) : unknown, (row) => wall(row)?.label,
                {numeric: false, note: 'the pattern of access that is nearest, and how far off it is'});
}

/** Behind those that name the row. */
const instructionColumns = () => {
  const fact = (title, name, show, note) =>
    column(title, (row) => show(row.facts?.[name]), (row) => row.facts?.[name], {note});
  const share = (x) => isNumber(x) ? percent(100 * x) : unknown;
  const [all] = instructionModels();
  return [
    fact('warps', 'warps_per_s', (x) => withUnit(x, 'IPS'), 'warp instructions per second'),
    fact('active', 'active_share', share, 'lanes that were not switched off'),
    ...(all?.levels ?? []).map(({name, label}) =>
      column(`inst/txn ${label}`, (row) => general(intensityOf(row, name)), (row) => intensityOf(row, name),
             {note: `warp instructions per transaction at ${label}`})),
    fact('sectors', 'sectors_per_request', general, 'of a load or store of global memory, 32 B each'),
    wallColumn('global wall', 'global_access'),
    fact('conflicts', 'conflicts_per_access', general, 'further passes of a load or store of shared memory'),
    wallColumn('shared wall', 'shared_access'),
    fact('spills', 'spill_share', share, 'of the transactions of L1, those of local memory'),
  ];
};

function instructionDefects(row) {
  return Object.values(row.instructions).flatMap((at) => at.defects);
}

/** `who`: what a marker stands for; `parts` follow the charts. Nothing where no row has a point. */
function instructionsSection(who, ...parts) {
  const met = instructionModelsMet();
  if (!met.length) return null;
  return section(
    'instructions', 'The instruction rooflines',
    `Warp instructions per second of each ${who}, over its instructions per transaction of memory. A marker ` +
      'leaves out lanes that were switched off, the dash above it has them: between the two lies predication. ' +
      'Thin flat roofs are pipes narrower than the schedulers. A wall is the intensity of one pattern of ' +
      'access, whatever else a kernel does, and ends at its roof: loads and stores left of unit stride, or of ' +
      'no conflict, move more than they use.',
    met.map(instructionsChart), ...parts);
}

/** Why there are none, in the words of the record, and what would bring them. */
function withoutInstructions(remedy) {
  const reasons = [...new Set(allRows.flatMap((row) => row.noInstructions.map(({reason}) => reason)))];
  const possible = allMachines.some(({kind}) => instructionModels().some(({device}) => device === kind));
  return el('p', {class: 'small', id: 'no-instructions'}, 'No instruction rooflines: ',
            !possible ? 'they are known for NVIDIA’s GPUs alone.' :
            `${reasons.join('; ') || 'nothing of the kind was counted'}. ${remedy}`);
}
