// The common part of charts of studies: steps along an axis.

/** Of charts of steps: room for the steps' names below and for `label`, the longest beside its axis. */
function stepMargins(width, label) {
  const beside = textExtent(label, isNarrow(width) ? 11 : 13).width + 8;
  return {...margins(width), l: beside + (isNarrow(width) ? 4 : 26), t: aboveBars, b: isNarrow(width) ? 34 : 104};
}

/** Steps along the horizontal axis, at 0, 1, 2, ... */
function stepAxis(variants, width) {
  const names = variants.map((id) => stepName(id));
  const text = isNarrow(width) ? variants :
    variants.map((id, i) => names[i] ? `${id}<br>${forPlotly(names[i])}` : id);
  return axis('', {tickmode: 'array', tickvals: variants.map((_, i) => i), ticktext: text,
                   tickangle: isNarrow(width) ? 0 : -35, tickfont: {size: isNarrow(width) ? 10 : 12},
                   range: [-0.6, variants.length - 0.4], showgrid: false, fixedrange: true});
}

function stepName(id) {
  const row = allRows.find((one) => one.variant === id);
  return row ? ownStep(row) : report.published.steps.find((one) => one.version === id)?.step ?? '';
}

/** Variants of the rows, each once, in order. */
function variantsOf(rows) {
  return [...new Set(rows.map((row) => row.variant))].sort(variantOrder);
}
