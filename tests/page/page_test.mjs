// Tests the script of reports in headless Chromium, with a sample of each block: drawing, mouse,
// keyboard, switches, and escaping. The program's own tests cover charts and tables.
//
//   node page_test.mjs SOURCE_FOLDER
// Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, test} from 'node:test';
import {brightness, cellsOf, choose, closePages, complaints, drawnAnew, expectReadable, hoverText, marksOf, open, placeOf, putAway, startBrowser, stopBrowser,
        tracesOf} from '../browser.mjs';
import {results, roofline, sampleModel, sourceView, writePage} from './sample.mjs';

const [source] = process.argv.slice(2);
await startBrowser(source);
const folder = mkdtempSync(join(tmpdir(), 'page-'));

/** Opens a page of the sample after `change`. */
function openSample({change = () => {}, plotly = true, ...settings} = {}) {
  const model = sampleModel();
  change(model.pages[0], model);
  const path = join(folder, 'sample.html');
  writePage(source, path, model, {plotly});
  return open(path, settings);
}

afterEach(closePages);
after(async () => {
  await stopBrowser();
  rmSync(folder, {recursive: true, force: true});
});

test('draws marks, lines, bars and error bars as they are given', async () => {
  const page = await openSample();
  const traces = await tracesOf(page, 'roofline-chart');
  const points = traces.filter((trace) => trace.meta?.item === 'point');
  assert.deepEqual(points.map(({meta, x, symbol}) => [meta.of, x.length, symbol]),
                   [['l2', 6, 'square'], ['dram', 6, 'diamond'], ['l2', 6, 'square-open'], ['dram', 6, 'diamond-open']]);
  const given = roofline().marks.filter((mark) => mark.of === 'l2' && !mark.hollow);
  assert.deepEqual([points[0].x, points[0].y], [given.map(({x}) => x), given.map(({y}) => y)]);
  assert.deepEqual(traces.filter((trace) => trace.meta?.item === 'roof').map(({meta}) => meta.of), ['dram', 'l2', 'peak']);
  assert.equal(traces.find((trace) => trace.meta?.item === 'theoretical').dash, 'dash');
  const [bars, measured] = await tracesOf(page, 'bars-chart');
  assert.deepEqual([bars.type, bars.x, bars.y], ['bar', [0, 1, 2], [0.5, 2.5, 4.5]]);
  const errors = await page.evaluate(() => document.getElementById('bars-chart').data[1].error_y);
  assert.deepEqual([errors.array, errors.arrayminus].map((list) => list.map((x) => Number(x.toFixed(6)))), [[0.4, 0.4, 0.4], [0.2, 0.2, 0.2]]);
  assert.equal(measured.x.length, 3);
});

test('tells what a marker and a bar mean, as text', async () => {
  const page = await openSample();
  const text = await hoverText(page, 'roofline-chart', () => placeOf(page, 'roofline-chart', 'v3', 'dram'), 'v3');
  assert.match(text, /v3 <b>step<\/b> at dram.*rate: 28 GFLOP\/s|v3 <b>step<\/b> at dram.*rate: 70 GFLOP\/s/s);
  for (const {hover} of await tracesOf(page, 'roofline-chart'))
    for (const one of [hover ?? []].flat()) assert.doesNotMatch(one, /<(?!b>|\/b>|br>|extra>|\/extra>)/);
});

test('hides by switches what has their tags, in charts, tables and panels', async () => {
  const page = await openSample();
  const levels = async () => (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.item === 'point').map(({meta}) => meta.of);
  await choose(page, 'level', 'L2');
  assert.deepEqual(await levels(), ['dram', 'dram']);
  assert.ok(!(await tracesOf(page, 'roofline-chart')).some((trace) => trace.meta?.of === 'l2'), 'and its roof');
  assert.equal(await page.locator('#roofline .legend li:visible', {hasText: 'L2'}).count(), 0, 'the legend tells what is drawn');
  await choose(page, 'theoretical', 'Theoretical');
  assert.ok(!(await tracesOf(page, 'roofline-chart')).some((trace) => trace.meta?.item === 'theoretical'));
  await choose(page, 'model', 'cuda');
  assert.deepEqual(await levels(), ['dram']);
  assert.deepEqual((await cellsOf(page, 'results-table')).map(([variant]) => variant), ['v9', 'v1']);
  assert.equal(await page.locator('#step-v10 .result:visible').textContent(), '1 ms, omp', 'the first that is shown');
  await page.locator('fieldset[data-switch="model"] label', {hasText: 'omp'}).click();
  assert.equal(await page.locator('fieldset[data-switch="model"] input:checked').count(), 1, 'the last one stays');
  await choose(page, 'model', 'cuda');
  await choose(page, 'model', 'omp');
  assert.equal(await page.locator('#step-v2').isVisible(), false, 'no row of it is shown');
});

test('swaps one chart for another, and an axis', async () => {
  const page = await openSample();
  assert.equal(await page.locator('#other-chart').isVisible(), false);
  await choose(page, 'precision', 'FP32');
  assert.equal(await page.locator('#roofline-chart').isVisible(), false);
  assert.ok((await marksOf(page, 'other-chart')).length === 6, 'drawn as soon as it is seen');
  const type = () => page.evaluate(() => document.getElementById('bars-chart')._fullLayout.yaxis.type);
  assert.equal(await type(), 'log');
  await choose(page, 'scale', 'linear');
  assert.equal(await type(), 'linear');
});

test('writes names where nothing covers them, at every width and zoom', async () => {
  for (const [width, colorScheme] of [[360, 'light'], [700, 'dark'], [1280, 'light'], [1920, 'dark']]) {
    const page = await openSample({width, colorScheme});
    const labels = await expectReadable(page, `at ${width}`, 'roofline-chart');
    const names = labels.filter(({kind}) => kind === 'name');
    assert.ok(names.length >= (width < 1000 ? 8 : 12), `${names.length} of 12 markers are named at ${width}`);
    await putAway(page);
  }
  const page = await openSample();
  await page.evaluate(() => window.Plotly.relayout('roofline-chart', {'xaxis.range': [1.9, 2.3], 'yaxis.range': [1.8, 2.3]}));
  const near = await expectReadable(page, 'zoomed', 'roofline-chart');
  const inView = new Set((await marksOf(page, 'roofline-chart')).map(({name, colour}) => `${name} ${colour}`)).size;
  assert.equal(near.filter(({kind}) => kind === 'name').length, inView);
});

test('ticks find room, and follow a zoom', async () => {
  for (const width of [390, 1280]) {
    const page = await openSample({width});
    for (const letter of ['x', 'y']) {
      const ticks = await page.locator(`#roofline-chart .${letter}tick text`).evaluateAll((texts) => texts.map((one) => {
        const {left, right, top, bottom} = one.getBoundingClientRect();
        return {text: one.textContent, left, right, top, bottom};
      }));
      assert.ok(ticks.length >= 2, `${width} ${letter}`);
      ticks.forEach((a, i) => ticks.slice(i + 1).forEach((b) => assert.ok(
        a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5, `'${a.text}' over '${b.text}' at ${width}`)));
    }
    await putAway(page);
  }
  const page = await openSample();
  await page.evaluate(() => window.Plotly.relayout('roofline-chart', {'yaxis.range': [Math.log10(30), Math.log10(36)]}));
  await page.waitForFunction(() => document.querySelectorAll('#roofline-chart .ytick text').length >= 3);
});

test('sorts a table by every column, what is not known last', async () => {
  const page = await openSample();
  const first = async () => (await cellsOf(page, 'results-table')).map(([variant]) => variant);
  const heading = (title) => page.locator('#results-table thead button', {hasText: title});
  await heading('time').click();
  assert.deepEqual(await first(), ['v10', 'v9', 'v2', 'v1']);
  await heading('time').press('Enter');
  assert.deepEqual(await first(), ['v2', 'v9', 'v10', 'v1']);
  assert.match(await page.locator('#results-table th[aria-sort="descending"]').textContent(), /time/);
  await heading('variant').click();
  assert.deepEqual(await first(), ['v1', 'v2', 'v9', 'v10'], 'numbers in names count');
});

test('shows a whole name on a click', async () => {
  const page = await openSample({change: (one) => {
    const table = results();
    table.rows[0].cells[1] = {text: 'short', note: 'the <i>whole</i> name'};
    one.sections[2].blocks = [{kind: 'table', table, sortable: true, opens: 'step'}];
  }});
  const name = page.locator('#results-table details.name');
  assert.equal(await name.locator('code').isVisible(), false);
  await name.locator('summary').click();
  assert.equal(await name.locator('code').innerText(), 'the <i>whole</i> name');
});

test('opens the step that a link leads to, and all of them', async () => {
  const page = await openSample();
  await page.locator('#results-table a', {hasText: /^v10$/}).click();
  await page.locator('#step-v10 .diff').waitFor();
  assert.equal(await page.locator('#step-v10 .diff .added').count(), 1);
  assert.equal(await page.locator('#step-v10 abbr').getAttribute('title'), 'meaning');
  await page.locator('button', {hasText: 'Close all'}).click();
  assert.equal(await page.locator('.panel[open]').count(), 0);
  await page.locator('button', {hasText: 'Open all'}).click();
  assert.equal(await page.locator('.panel[open]').count(), 2);
});

const told = async (page) => `${await page.locator('#source-headline').textContent()} ${await page.locator('#source-line').textContent()}`;
const sourceLine = (page, number) => page.locator(`#source-code tr[data-line="${number}"]`);

test('tells of a line that is pointed at, clicked, tapped or reached by arrow keys', async () => {
  const page = await openSample();
  assert.match(await told(page), /^v\.cu:43 50\.0%/, 'the hottest first');
  await sourceLine(page, 48).click();
  await sourceLine(page, 66).hover();
  assert.match(await told(page), /^v\.cu:66 .*long scoreboard60\.0%data from memory/);
  await page.locator('#source-words').hover();
  assert.match(await told(page), /^v\.cu:48 /, 'and back');
  await sourceLine(page, 48).focus();
  await page.keyboard.press('ArrowDown');
  assert.match(await told(page), /^v\.cu:66 /);
  await page.keyboard.press('ArrowUp');
  assert.match(await told(page), /^v\.cu:48 /);
  assert.equal(await page.locator('#source-code tr[tabindex="0"]').count(), 1, 'one stop for the tabulator key');
  const phone = await openSample({width: 390, hasTouch: true});
  await sourceLine(phone, 48).tap();
  assert.match(await told(phone), /^v\.cu:48 .*3,000,000/s);
  assert.equal(await phone.locator('#source-code .count:visible').count(), 0);
});

test('leads from line to line, variant to variant and file to file', async () => {
  const page = await openSample();
  await page.locator('#hottest-lines a').nth(1).click();
  await page.waitForFunction(() => document.getElementById('source-headline').textContent.startsWith('v.cu:48 '));
  await page.evaluate(() => { location.hash = '#source-0-0-43'; });
  await page.waitForFunction(() => document.querySelector('#source-body h3').textContent === 'v0 of cuda');
  assert.match(await page.locator('#source-lost').textContent(), /something <b>lost/);
  await page.locator('.parts-of-line a').click();
  await page.locator('.parts-of-line h4', {hasText: 'Called from'}).waitFor();
  assert.match(await told(page), /^b\.h:7 .*f<int>/);
  await choose(page, 'model', 'cuda');
  assert.equal(await page.locator('#source-body h3').textContent(), 'v1 of cuda', 'of the variants that are shown');
});

test('shows a part of a long file', async () => {
  const page = await openSample({change: (one) => { one.sections[4].blocks[1] = sourceView(20000); }});
  assert.equal(await page.locator('#source-code tbody tr').count(), 1000);
  await page.locator('#source-parts button', {hasText: 'Later'}).click();
  assert.match(await page.locator('#source-parts').textContent(), /Lines 1,001 to 2,000 of 20,000/);
  await page.locator('#hottest-lines a').first().click();
  await page.waitForFunction(() => document.getElementById('source-headline').textContent.startsWith('v.cu:43 '));
});

test('is dark where the reader likes it dark, can be switched, and prints light', async () => {
  const page = await openSample({colorScheme: 'dark'});
  assert.ok(await brightness(page) < 60);
  const ink = () => page.evaluate(() => document.getElementById('roofline-chart').layout.font.color);
  const dark = await ink();
  await choose(page, 'theme', 'Light');
  assert.ok(await brightness(page) > 200);
  assert.notEqual(await ink(), dark);
  await choose(page, 'theme', 'Dark');
  await drawnAnew(page, () => page.emulateMedia({media: 'print'}));
  assert.ok(await brightness(page) > 200);
  assert.equal(await page.locator('fieldset.switches:visible').count(), 0);
  assert.equal(await ink(), '#1b1d21', 'charts, too');
});

test('shows one of several pages', async () => {
  const page = await openSample({change: (one, model) => {
    model.pages.push({...one, name: 'second', heading: 'Another machine', sections: one.sections.slice(-1)});
  }});
  assert.equal(await page.locator('h1').textContent(), 'A machine');
  await choose(page, 'page', 'second');
  assert.equal(await page.locator('h1').textContent(), 'Another machine');
  assert.equal(await page.locator('.js-plotly-plot').count(), 0);
});

test('shows pictures without Plotly, or says what brings it', async () => {
  const image = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>').toString('base64')}`;
  const page = await openSample({plotly: false, change: (one) => { one.sections[0].blocks[3].image = image; }});
  assert.equal(await page.locator('#roofline-chart img').evaluate((one) => one.naturalWidth), 9);
  assert.match(await page.locator('#bars-chart').textContent(), /needs Plotly.*scripts\/setup/s);
});

test('gave the browser no reason to complain, and asked no network', () => {
  assert.deepEqual(complaints, []);
});
