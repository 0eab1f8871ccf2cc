// One slide at a time, by keys, buttons and the number in the address. `s` shows the notes, in print as well.
const slides = [...document.querySelectorAll('.slide')];
let shown = 0;

function show(index) {
  shown = Math.max(0, Math.min(slides.length - 1, index));
  slides.forEach((slide, i) => slide.classList.toggle('shown', i === shown));
  document.getElementById('place').textContent = `${shown + 1} of ${slides.length}`;
  history.replaceState(null, '', `#${shown + 1}`);
  window.scrollTo(0, 0);
}

function switchNotes() {
  const on = document.body.classList.toggle('with-notes');
  document.getElementById('notes').setAttribute('aria-pressed', on);
}

const onward = () => show(shown + 1);
const back = () => show(shown - 1);
const keys = {ArrowRight: onward, ArrowDown: onward, PageDown: onward, ' ': onward, ArrowLeft: back, ArrowUp: back, PageUp: back,
              Home: () => show(0), End: () => show(slides.length - 1), s: switchNotes};

document.addEventListener('keydown', (event) => {
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || (event.key === ' ' && event.target.closest('button'))) return;
  event.preventDefault();
  act();
});
document.getElementById('on').addEventListener('click', onward);
document.getElementById('back').addEventListener('click', back);
document.getElementById('notes').addEventListener('click', switchNotes);
const fromAddress = () => show((parseInt(location.hash.slice(1), 10) || 1) - 1);
window.addEventListener('hashchange', fromAddress);
document.body.classList.add('one');
document.querySelector('nav').hidden = false;
fromAddress();
document.body.dataset.drawn = 'yes';
