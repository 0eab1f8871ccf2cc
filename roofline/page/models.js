// Levels of memory by the roofline models of a page, models(), as roofline/models/ has them.

/** The levels of all models, nearest to the arithmetic first; one that only some have follows its neighbour. */
function levelsOfModels() {
  const levels = [];
  for (const model of models()) {
    let after = 0;
    for (const level of model.levels) {
      const known = levels.findIndex((other) => other.name === level.name);
      if (known < 0) levels.splice(after, 0, level);
      after = (known < 0 ? after : known) + 1;
    }
  }
  return levels;
}

function levelLabel(level) {
  return levelsOfModels().find((one) => one.name === level)?.label ?? level;
}

/** Nearest to the arithmetic first. */
function levelOrder(a, b) {
  const order = levelsOfModels().map((level) => level.name);
  return (order.indexOf(a) + 1 || 99) - (order.indexOf(b) + 1 || 99) || a.localeCompare(b);
}
