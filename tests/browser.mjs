// Opens pages from disk in headless Chromium, for tests of what they draw and of errors that the
// browser reports. Without a browser a test exits with status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

/** Errors that the browser reported on any page. */
export const complaints = [];
let browser;

function skip(reason) {
  console.log(`Skipped: ${reason}`);
  process.exit(77);
}

function findChromium() {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return process.env.CHROMIUM ?? places.find((place) => existsSync(place));
}

async function findPlaywright(source) {
  try {
    const require = createRequire(join(source, 'roofline/page/package.json'));
    return (await import(pathToFileURL(require.resolve('playwright-core')).href)).default;
  } catch {
    return skip('playwright-core is not installed; scripts/setup brings it with npm');
  }
}

/** `source` is the folder of the project. */
export async function startBrowser(source) {
  const executablePath = findChromium() ?? skip('no Chromium; scripts/setup installs it on Debian');
  const {chromium} = await findPlaywright(source);
  browser = await chromium.launch({executablePath, args: [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync']});
}

/** Unused tabs, by touch screen. A tab that has the scripts opens a page twice as fast. */
const idle = {true: [], false: []};
const shown = new Set();

/** Closes the pages of a test. */
export async function closePages() {
  await Promise.all([...shown].map(putAway));
}

export async function putAway(page) {
  shown.delete(page);
  if (page.isBroken) return page.context().close();  // the test reports why, not this function
  await page.evaluate(() => localStorage.clear());
  await page.goto('about:blank');
  await page.mouse.move(0, 0);
  return idle[page.hasTouch].push(page);
}

export function stopBrowser() {
  return browser?.close();
}

async function newTab(hasTouch) {
  const page = await browser.newPage({hasTouch});
  page.hasTouch = hasTouch;
  page.setDefaultTimeout(300_000);  // a busy machine is no error; ctest kills hangs
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    complaints.push(error.message);
    page.break(error);
  });
  page.on('request', (request) => {
    if (!/^(file|data|blob|about):/.test(request.url())) complaints.push(`requested ${request.url()}`);
  });
  return page;
}

export async function open(path, {width = 1280, colorScheme = 'light', hasTouch = false} = {}) {
  const page = idle[hasTouch].pop() ?? await newTab(hasTouch);
  shown.add(page);
  const broken = new Promise((_, reject) => { page.break = reject; });
  broken.catch(() => {});  // the last test reports later errors
  page.isBroken = true;  // until drawing is finished
  await page.setViewportSize({width, height: 900});
  await page.emulateMedia({colorScheme, media: null});
  await page.goto(pathToFileURL(path).href);
  await Promise.race([broken, page.waitForFunction(() => document.body.dataset.drawn)]);
  page.isBroken = false;
  return page;
}

/** The items that a chart draws, as plain data. */
export function tracesOf(page, chart) {
  return page.evaluate((id) => document.getElementById(id).data.map((trace) => ({
    name: trace.name, meta: trace.meta, x: trace.x, y: trace.y, mode: trace.mode, type: trace.type,
    symbol: trace.marker?.symbol, hover: trace.hovertemplate, dash: trace.line?.dash})), chart);
}

/** Does something that redraws the page, and waits for the redraw. */
export async function drawnAnew(page, act) {
  const drawn = await page.evaluate(() => document.body.dataset.drawn);
  await act();
  await page.waitForFunction((old) => document.body.dataset.drawn !== old, drawn);
}

/** Clicks a switch by its name and label. */
export async function choose(page, name, label) {
  await drawnAnew(page, () =>
    page.locator(`fieldset[data-switch="${name}"] label`, {hasText: label}).first().click());
}

/** Moves the mouse there; returns the chart's hover text, with or without `part`. */
export async function hoverText(page, chart, place, part) {
  await page.locator(`#${chart}`).scrollIntoViewIfNeeded();
  const at = await place();
  await page.mouse.move(at.x + 1, at.y);
  await page.mouse.move(at.x, at.y);
  const label = page.locator(`#${chart} .hoverlayer .hovertext`).first();
  await label.filter({hasText: part}).waitFor({timeout: 10000}).catch(() => {});
  return label.textContent();
}

/** A chart's labels: names of lines ("roof") and of markers ("name"), with leaders. */
export function labelsOf(page, id) {
  return page.evaluate((wanted) => {
    const chart = document.getElementById(wanted);
    return [...chart.querySelectorAll('.infolayer .annotation')].map((label) => {
      const {name, text} = chart.layout.annotations[label.dataset.index];
      const {left, top, right, bottom} = label.querySelector('.annotation-text-g').getBoundingClientRect();
      const line = label.querySelector('.annotation-arrow-g path');
      const ends = line && [line.getPointAtLength(0), line.getPointAtLength(line.getTotalLength())]
        .map((end) => end.matrixTransform(line.getScreenCTM())).map(({x, y}) => ({x, y}));
      return {kind: name, text, left, top, right, bottom, ends};
    });
  }, id);
}

/** Visible markers, [{name, level, colour, x, y}]. */
export function marksOf(page, id) {
  return page.evaluate((wanted) => {
    const chart = document.getElementById(wanted);
    const {xaxis, yaxis, _size: size} = chart._fullLayout;
    const {x: left, y: top} = chart.getBoundingClientRect();
    const inView = ({x, y}) => x >= left + size.l && x <= left + size.l + size.w && y >= top + size.t && y <= top + size.t + size.h;
    return chart.data.filter((trace) => trace.meta?.names).flatMap((trace) => trace.x.map((_, i) => ({
      name: trace.meta.names[i], level: trace.meta.of, item: trace.meta.item, colour: trace.marker.color,
      x: left + size.l + xaxis.d2p(trace.x[i]), y: top + size.t + yaxis.d2p(trace.y[i])}))).filter(inView);
  }, id);
}

/** Checks that no label of a roofline covers another one or a marker, or leaves the chart. */
export async function expectReadable(page, where, id) {
  const labels = await labelsOf(page, id);
  const chart = await page.locator(`#${id}`).evaluate((box) => {
    const {left, top, right, bottom} = box.getBoundingClientRect();
    return {left, top, right, bottom};
  });
  labels.forEach((a, i) => {
    for (const b of labels.slice(i + 1))
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
                `${where}: '${a.text}' and '${b.text}' overlap`);
    assert.ok(a.left >= chart.left && a.right <= chart.right && a.top >= chart.top && a.bottom <= chart.bottom,
              `${where}: '${a.text}' leaves the chart`);
  });
  for (const {x, y, name, level} of await marksOf(page, id))
    for (const label of labels)
      assert.ok(x + 3 < label.left || x - 3 > label.right || y + 3 < label.top || y - 3 > label.bottom,
                `${where}: '${label.text}' covers ${name} at ${level}`);
  return labels;
}

export async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** The mean of red, green and blue of the page's background, 0 to 255. */
export async function brightness(page) {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red, green, blue] = colour.match(/\d+/g).map(Number);
  return (red + green + blue) / 3;
}

/** The screen position of the marker with this name and level. */
export async function placeOf(page, id, name, level) {
  return (await marksOf(page, id)).findLast((one) => one.name === name && (!level || one.level === level));
}

/** The texts of a table's cells in visible rows, row by row. */
export function cellsOf(page, table) {
  return page.locator(`#${table} tbody tr`).evaluateAll((rows) => rows.filter((row) => !row.hidden)
    .map((row) => [...row.cells].filter((cell) => !cell.hidden).map((cell) => cell.innerText.trim())));
}

/** Tables that scroll, and how far the page scrolls. */
export function wideParts(page) {
  return page.locator('.scroll').evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.getAttribute('aria-label')));
}

export function openEverything(page) {
  return page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
}
