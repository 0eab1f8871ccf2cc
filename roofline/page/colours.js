// The colours of Okabe and Ito 2008, which colour-blind readers can tell apart, and shapes beside them.

const seriesColours = {
  light: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'],
  dark: ['#56b4e9', '#e69f00', '#00b98a', '#cc79a7', '#f0e442', '#ee7733'],
};
const partColours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'];
const levelSymbols = {shared: 'triangle-up', l1: 'circle', global: 'circle', l2: 'square', l3: 'pentagon', dram: 'diamond'};

function levelSymbol(level) {
  return levelSymbols[level] ?? 'hexagon';
}

/** 'light' or 'dark': what is on the screen now; paper is light. */
function theme() {
  if (window.matchMedia('print').matches) return 'light';
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** The colour of the series at this place. */
function colourAt(place) {
  const colours = seriesColours[theme()];
  return colours[place % colours.length];
}

/** The value of a colour named in page.css. */
function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
