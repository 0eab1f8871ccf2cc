// When a page draws itself anew: redraw() of the page does it.

/** One redraw for many events in a row. */
function soon(action) {
  let waiting = null;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(action, 120);
  };
}

function listen() {
  let width = window.innerWidth;
  window.addEventListener('resize', soon(() => {
    if (window.innerWidth !== width) redraw();  // phones resize in height when their bars hide
    width = window.innerWidth;
  }));
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  window.matchMedia('print').addEventListener('change', redraw);
}

/** How often the page was drawn stands on it, for those who wait for that. */
function markDrawn() {
  document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
}
