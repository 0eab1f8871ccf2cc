// report.html in headless Chromium, from the disk: it draws, says what it should, answers the mouse
// and the switches, and asks no network for anything.
//
//   node browser_test.mjs GPP SOURCE_FOLDER
// Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';

const [gpp, source] = process.argv.slice(2);

function skip(reason) {
  console.log(`Skipped: ${reason}`);
  process.exit(77);
}

function findChromium() {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return process.env.CHROMIUM ?? places.find((place) => existsSync(place));
}

async function findPlaywright() {
  try {
    const require = createRequire(join(source, 'harness/report/package.json'));
    return (await import(pathToFileURL(require.resolve('playwright-core')).href)).default;
  } catch {
    return skip('playwright-core is not installed; scripts/setup brings it with npm');
  }
}

const executablePath = findChromium() ?? skip('no Chromium; scripts/setup installs it on Debian');
const {chromium} = await findPlaywright();

const folder = mkdtempSync(join(tmpdir(), 'gpp-report-'));
const complaints = [];  // what the browser found wrong on any page
let browser;

/** Writes a report of these studies with the program; returns its path. */
function draw(name, ...studies) {
  const output = join(folder, name);
  try {
    execFileSync(gpp, ['report', ...studies.map((study) => join(source, study)), '-o', output]);
  } catch (error) {
    if (error.status !== 1) throw error;  // 1: the sample holds a failed variant, as it should
  }
  return join(output, 'report.html');
}

async function open(path, {width = 1280, colorScheme = 'light'} = {}) {
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme});
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`requested ${request.url()}`);
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForFunction(() => document.body.dataset.drawn);
  return page;
}

/** What a chart draws, as plain data. */
function tracesOf(page, chart) {
  return page.evaluate((id) => document.getElementById(id).data.map((trace) => ({
    name: trace.name, meta: trace.meta, x: trace.x, y: trace.y, mode: trace.mode, type: trace.type,
    symbol: trace.marker?.symbol, hover: trace.hovertemplate, dash: trace.line?.dash})), chart);
}

async function points(page) {
  return (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.level);
}

/** Clicks a switch by its name and label, and waits until the page is drawn anew. */
async function choose(page, name, label) {
  const drawn = await page.evaluate(() => document.body.dataset.drawn);
  await page.locator(`fieldset[data-switch="${name}"] label`, {hasText: label}).first().click();
  await page.waitForFunction((old) => document.body.dataset.drawn !== old, drawn);
}

/** Where on the screen a point of the roofline lies. */
function placeOfPoint(page, name, index) {
  return page.evaluate(([wanted, i]) => {
    const box = document.getElementById('roofline-chart');
    const trace = box.data.find((one) => one.name === wanted);
    const {xaxis, yaxis, _size: size} = box._fullLayout;
    const {x, y} = box.getBoundingClientRect();
    return {x: x + size.l + xaxis.d2p(trace.x[i]), y: y + size.t + yaxis.d2p(trace.y[i])};
  }, [name, index]);
}

/** Where on the screen the top of a bar lies; bars of the published ladder come first. */
function placeOfBar(page, index) {
  return page.evaluate((i) => {
    const bar = document.querySelectorAll('#ladder-chart .trace.bars')[0].querySelectorAll('.point path')[i];
    const {x, y, width} = bar.getBoundingClientRect();
    return {x: x + width / 2, y: y + 3};
  }, index);
}

/** Moves the mouse there; returns what the chart shows, with `part` in it or without. */
async function hoverText(page, chart, place, part) {
  await page.locator(`#${chart}`).scrollIntoViewIfNeeded();
  const at = await place();
  await page.mouse.move(at.x + 1, at.y);
  await page.mouse.move(at.x, at.y);
  const label = page.locator(`#${chart} .hoverlayer .hovertext`).first();
  await label.filter({hasText: part}).waitFor({timeout: 10000}).catch(() => {});
  return label.textContent();
}

async function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Mean of red, green and blue of the page's background, 0 to 255. */
async function brightness(page) {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red, green, blue] = colour.match(/\d+/g).map(Number);
  return (red + green + blue) / 3;
}

let single;
let both;
let bare;
let host;

before(async () => {
  browser = await chromium.launch({executablePath, args: [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync']});
  single = draw('single', 'tests/report/sample-gpu');
  both = draw('both', 'tests/report/sample-gpu', 'tests/report/sample-cpu');
  bare = draw('bare', 'results/xeon-2-cores/medium');
  host = draw('host', 'results/xeon-2-cores/silicon8');
});

afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
});

function withPlotly(name, body) {
  test(name, async (context) => {
    if (!readFileSync(single, 'utf8').includes('* plotly.js'))
      return context.skip('the program was built without Plotly; scripts/setup brings it');
    return body();
  });
}

withPlotly('draws every chart', async () => {
  const page = await open(single);
  const charts = await page.locator('.chart').evaluateAll((boxes) => boxes.map((box) => box.id));
  assert.deepEqual(charts, ['ladder-chart', 'roofline-chart', 'time-chart', 'stalls-chart']);
  for (const chart of charts) {
    const marks = await page.locator(`#${chart} .cartesianlayer :is(.point, .js-line)`).count();
    assert.ok(marks >= 12, `${chart} has only ${marks} marks`);
  }
});

withPlotly('places one marker per variant and level under measured and theoretical roofs', async () => {
  const page = await open(single);
  const cuda = (await points(page)).filter((trace) => trace.name.includes('cuda'));
  assert.deepEqual(cuda.map((trace) => trace.meta.level), ['l1', 'l2', 'dram']);
  for (const trace of cuda) assert.equal(trace.x.length, 12);
  const roofs = (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.roof);
  const solid = roofs.filter((roof) => !roof.meta.dashed).map((roof) => roof.meta.roof).sort();
  assert.deepEqual(solid, ['dram', 'fp64_fma', 'fp64_no_fma', 'fp64_operands_3', 'l1', 'l2']);
  const dashed = roofs.filter((roof) => roof.meta.dashed);
  assert.deepEqual(dashed.map((roof) => roof.meta.roof).sort(), ['dram', 'fp64_fma', 'fp64_no_fma', 'l1']);
  assert.ok(dashed.every((roof) => roof.dash === 'dash'));
  const arrows = (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.arrows);
  assert.ok(arrows.some((trace) => trace.x.length === 12), 'arrows through all twelve steps');
});

withPlotly('draws what was computed hollow, what was counted full', async () => {
  const page = await open(single);
  for (const trace of await points(page)) {
    const hollow = trace.symbol.every((symbol) => symbol.endsWith('-open'));
    const full = trace.symbol.every((symbol) => !symbol.endsWith('-open'));
    assert.ok(trace.name.includes('thrust') ? hollow : full, trace.name);
  }
});

withPlotly('shows the numbers of a point under the mouse', async () => {
  const page = await open(single);
  const study = JSON.parse(readFileSync(join(source, 'tests/report/sample-gpu/study.json')));
  const v9 = study.results.find((result) => result.variant === 'v9' && result.model === 'cuda').roofline;
  const text = await hoverText(page, 'roofline-chart', () =>
    placeOfPoint(page, 'Sample GPU (not a measurement), cuda, DRAM', 8), 'v9');
  for (const part of ['v9 cache_blocking at DRAM', `${(v9.flops_per_s / 1e12).toFixed(1)} TFLOP/s`,
                      `${v9.intensity.dram.toFixed(0)} FLOP/B`, `${v9.percent_of_roof.toFixed(1)}%`,
                      'counted by hardware'])
    assert.ok(text.includes(part), `'${part}' is not in '${text}'`);
  const bar = await hoverText(page, 'ladder-chart', () => placeOfBar(page, 6), 'v7');
  assert.match(bar, /v7.*660 ms.*2\.47×/);
});

withPlotly('switches levels, models, roofs and what the ladder shows', async () => {
  const page = await open(single);
  await choose(page, 'levels', 'L2');
  assert.ok((await points(page)).every((trace) => trace.meta.level !== 'l2'));
  assert.ok(!(await tracesOf(page, 'roofline-chart')).some((trace) => trace.meta?.roof === 'l2'));
  await choose(page, 'models', 'cuda');
  assert.ok((await points(page)).every((trace) => trace.name.includes('thrust')));
  assert.equal(await page.locator('#results-table tbody tr').count(), 2);
  await choose(page, 'theoretical', 'Theoretical');
  assert.ok(!(await tracesOf(page, 'roofline-chart')).some((trace) => trace.meta?.dashed));
  await choose(page, 'ladder', 'time');
  const thrust = (await tracesOf(page, 'ladder-chart')).find((trace) => trace.name.includes('thrust'));
  assert.deepEqual(thrust.y, [0.448, 0.316]);
});

withPlotly('switches machines where studies share a report', async () => {
  const page = await open(both);
  const names = async () => [...new Set((await points(page)).map((trace) => trace.name.split(',')[0]))];
  assert.equal((await names()).length, 2);
  await choose(page, 'machines', 'Sample GPU');
  assert.deepEqual(await names(), ['Sample CPU (not a measurement)']);
  assert.equal(await page.locator('#results-table tbody tr').count(), 10);
});

/** The sample as another program might write it: with a time and a speedup beside wrong sums. */
function withTimesOfFailures() {
  const [before, failed] = readFileSync(single, 'utf8').split('{"variant":"wrong_idea"');
  const path = join(folder, 'times-of-failures.html');
  writeFileSync(path, [before, failed.replace('"median":null', '"median":0.001')
                                     .replace('"terms_per_s":null', '"terms_per_s":2.4e13')
                                     .replace('"speedup":null', '"speedup":305')].join('{"variant":"wrong_idea"'));
  return path;
}

withPlotly('keeps failed variants off every chart', async () => {
  const page = await open(withTimesOfFailures());
  assert.equal(await page.locator('#failures', {hasText: 'wrong_idea'}).count(), 1);
  for (const view of ['speedup', 'time', 'terms/s']) {
    await choose(page, 'ladder', view).catch(() => {});  // the first is chosen already
    for (const chart of ['ladder-chart', 'roofline-chart', 'time-chart', 'stalls-chart']) {
      const drawn = await page.evaluate((id) => {
        const {data, layout} = document.getElementById(id);
        return JSON.stringify([data, layout]);
      }, chart);
      assert.ok(!drawn.includes('wrong_idea'), `${chart} shows the failed variant`);
    }
  }
});

test('names failures on top, as text, and leaves them out of the table', async () => {
  const page = await open(single);
  const failures = await page.locator('#failures').textContent();
  assert.match(failures, /wrong_idea.*in timed run 2.*<b>0\.5<\/b>/s);
  assert.equal(await page.locator('#failures b').count(), 0, 'nothing in a record is HTML');
  assert.equal(await page.locator('#results-table', {hasText: 'wrong_idea'}).count(), 0);
  const top = await page.locator('#failures').boundingBox();
  assert.ok(top.y < 700, 'it is seen without scrolling');
});

test('lists what could not run, with the reason', async () => {
  const page = await open(single);
  const text = await page.locator('#unavailable').textContent();
  assert.match(text, /no device for <\/script><!-- target regions/);
  assert.match(text, /v10 shared_memory, v9 cache_blocking/);
});

test('sorts the table', async () => {
  const page = await open(single);
  const times = () => page.locator('#results-table tbody tr').evaluateAll((rows) => rows.map((row) =>
    row.cells[3].textContent));
  const heading = page.locator('#results-table thead button', {hasText: /^time/});
  await heading.click();
  assert.equal((await times())[0], '24.4 ms');
  await heading.press('Enter');
  assert.equal((await times())[0], '448 ms');
  const header = page.locator('#results-table th[aria-sort="descending"]');
  assert.match(await header.textContent(), /time/);
});

test('tells of each step what it is, what changed and what explains it', async () => {
  const page = await open(single);
  await page.locator('#results-table a', {hasText: /^v10$/}).click();
  const panel = page.locator('#step-v10');
  await panel.locator('.counters').first().waitFor();
  const marked = await panel.locator('tr.marked').allTextContents();
  assert.ok(marked.length >= 1 && marked.length <= 2, `${marked.length} are marked`);
  assert.ok(marked.some((row) => row.includes('stall long scoreboard')), marked.join());
  assert.match(await panel.locator('.diff').first().textContent(), /v09_cache_blocking.*v10_shared_memory/s);
  assert.ok(await panel.locator('.diff .added').count() > 5);
  assert.match(await panel.textContent(), /registers per thread78/);
});

test('is dark where the reader likes it dark, and can be switched', async () => {
  const page = await open(single, {colorScheme: 'dark'});
  assert.ok(await brightness(page) < 60);
  await choose(page, 'theme', 'Light');
  assert.ok(await brightness(page) > 200);
  const other = await open(single, {colorScheme: 'light'});
  assert.ok(await brightness(other) > 200);
  await choose(other, 'theme', 'Dark');
  assert.ok(await brightness(other) < 60);
});

withPlotly('draws its charts in the colours of the theme', async () => {
  const page = await open(single);
  const ink = () => page.evaluate(() => document.getElementById('roofline-chart').layout.font.color);
  const light = await ink();
  await choose(page, 'theme', 'Dark');
  assert.notEqual(await ink(), light);
});

test('fits a phone and a projector', async () => {
  for (const path of [single, both, bare, host])
    for (const width of [360, 1920]) {
      const page = await open(path, {width});
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
      assert.ok(await overflow(page) <= 0, `${path} is wider than ${width} pixels`);
      await page.close();
    }
});

test('prints light, without its switches', async () => {
  const page = await open(single, {colorScheme: 'dark'});
  await page.emulateMedia({media: 'print', colorScheme: 'dark'});
  assert.ok(await brightness(page) > 200);
  assert.equal(await page.locator('fieldset.switches:visible').count(), 0);
  const inks = await page.locator('.js-plotly-plot').evaluateAll((boxes) =>
    boxes.map((box) => box.layout.font.color));
  assert.ok(inks.every((ink) => ink === '#1b1d21'), `charts in ${inks} on white paper`);
});

test('says what is missing where nothing was counted', async () => {
  const page = await open(bare);
  assert.match(await page.locator('#roofline').textContent(), /Nothing was counted.*gpp doctor/s);
  assert.equal(await page.locator('#time, #stalls').count(), 0, 'no empty charts');
  assert.ok(await page.locator('#results-table tbody tr').count() > 10);
});

test('falls back to static charts without Plotly', async () => {
  const text = readFileSync(single, 'utf8').replace(/<script>\/\*\*\s*\* plotly\.js.*?<\/script>/s, '<script></script>');
  const image = 'data:image/svg+xml;base64,' + Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>').toString('base64');
  const path = join(folder, 'static.html');
  writeFileSync(path, text.replace(/"charts":\{[^}]*\}/, `"charts":{"roofline.svg":"${image}"}`));
  const page = await open(path);
  const picture = page.locator('#roofline-chart img');
  assert.equal(await picture.evaluate((one) => one.naturalWidth), 9);
  assert.match(await page.locator('#ladder-chart').textContent(), /needs Plotly.*No ladder\.svg/s);
  assert.ok(await page.locator('#results-table tbody tr').count() > 10);
});

test('gave the browser no reason to complain, and asked no network', () => {
  assert.deepEqual(complaints, []);
});
