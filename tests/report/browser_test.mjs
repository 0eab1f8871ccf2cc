// Tests the content of report.html for recorded studies in headless Chromium, at every width.
// tests/page/page_test.mjs tests the page's script, and the program's tests charts and tables.
//
//   node browser_test.mjs GPP SOURCE_FOLDER PART
// PART is "charts" or "texts", which run in parallel. Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, test} from 'node:test';
import {cellsOf, choose, closePages, complaints, expectReadable, marksOf, open, openEverything, overflow, putAway, startBrowser, stopBrowser, wideParts} from '../browser.mjs';

const [gpp, source, part] = process.argv.slice(2);
await startBrowser(source);
const folder = mkdtempSync(join(tmpdir(), 'gpp-report-'));

/** Writes a report of the given records and returns its path. */
function draw(name, ...records) {
  const output = join(folder, name);
  try {
    execFileSync(gpp, ['report', ...records.map((record) => (record.startsWith('/') ? record : join(source, record))), '-o', output]);
  } catch (error) {
    if (error.status !== 1) throw error;  // 1 is expected, because the sample has a failed variant
  }
  return join(output, 'report.html');
}

/** Writes a report of a record after `change`. */
function drawChanged(name, record, change) {
  const study = JSON.parse(readFileSync(join(source, record, 'study.json')));
  change(study);
  const place = join(folder, `${name}-record`);
  mkdirSync(place);
  writeFileSync(join(place, 'study.json'), JSON.stringify(study));
  return draw(name, place);
}

const [gpu, host, three, instructions] =
  ['tests/report/sample-gpu', 'results/xeon-2-cores/silicon8', 'results/h200/gpp214', 'tests/report/sample-instructions'];

afterEach(closePages);
after(async () => {
  await stopBrowser();
  rmSync(folder, {recursive: true, force: true});
});

/** Runs the tests of one part only; other runs of this file run the other parts. */
const inPart = (name) => (title, body) => (part === name ? test(title, body) : undefined);
const charts = inPart('charts');
const texts = inPart('texts');

charts('draws every chart, and no failed variant on any', async () => {
  const page = await open(draw('single', gpu));
  const ids = await page.locator('.chart').evaluateAll((boxes) => boxes.map((box) => box.id));
  for (const id of ['ladder-rate-chart', 'roofline-fp64-chart', 'time-fp64-chart', 'plane-fp64-dram-chart', 'stalls-chart'])
    assert.ok(ids.includes(id), `${id} in ${ids}`);
  const drawn = await page.evaluate(() => [...document.querySelectorAll('.js-plotly-plot')].map(({data, layout}) => JSON.stringify([data, layout])));
  assert.ok(drawn.length >= 5 && drawn.every((one) => one.length > 3000 && !one.includes('wrong_idea')));
});

charts('writes names so that none covers another one or a marker', async () => {
  for (const [name, record] of [['three', three], ['host', host], ['instructions', instructions]]) {
    const path = draw(`readable-${name}`, record);
    for (const [width, colorScheme] of [[390, 'dark'], [1280, 'light']]) {
      const page = await open(path, {width, colorScheme});
      for (const id of await page.locator('.chart:visible').evaluateAll((boxes) => boxes.map((box) => box.id))) {
        if (!/^(roofline|plane)/.test(id)) continue;
        const labels = await expectReadable(page, `${name} at ${width}, ${id}`, id);
        const known = new Set((await marksOf(page, id)).filter((mark) => mark.name && !mark.name.includes(' ')).map((mark) => `${mark.name} ${mark.colour}`)).size;
        const named = labels.filter(({kind}) => kind === 'name').length;
        const room = width < 600 ? 15 : known;  // number of names that fit on a phone
        assert.ok(named >= Math.min(0.6 * known, room), `${name} at ${width}, ${id}: ${named} of ${known} are named`);
      }
      await putAway(page);
    }
  }
});

texts('fits phones, screens and projectors, without a table that scrolls on wide ones', async () => {
  const all = [[three, host], [gpu], [instructions], ['results/xeon-2-cores/medium'], ['tests/report/sample-lines']];
  for (const records of all) {
    const path = draw(`fits-${records.length}-${records[0].replaceAll('/', '-')}`, ...records);
    for (const width of records === all[0] ? [360, 1024, 1400, 1920] : [360, 1024]) {  // narrow
      const page = await open(path, {width});
      await openEverything(page);
      assert.ok(await overflow(page) <= 0, `${records} is wider than ${width} pixels`);
      if (width > 1000) assert.deepEqual(await wideParts(page), [], `${records} at ${width}`);
      await putAway(page);
    }
  }
});

texts('shows failures without scrolling', async () => {
  const page = await open(draw('failures', gpu));
  assert.match(await page.locator('#failures').textContent(), /wrong_idea.*in timed run 2.*<b>0\.5<\/b>/s);
  assert.ok((await page.locator('#failures').boundingBox()).y < 700);
});

texts('shows studies of several machines side by side', async () => {
  const page = await open(draw('machines', three, host));
  assert.match(await page.locator('h1').textContent(), /NVIDIA H200, Intel Xeon/);
  assert.match(await page.locator('#what').textContent(), /These studies have different inputs/);
  const all = (await cellsOf(page, 'results-table')).length;
  await choose(page, 'machine', 'Intel Xeon');
  assert.ok((await cellsOf(page, 'results-table')).length < all);
});

texts('says what is missing, and why', async () => {
  const bare = await open(draw('bare', 'results/xeon-2-cores/medium'));
  assert.match(await bare.locator('#roofline').textContent(), /Nothing was counted.*gpp doctor/s);
  assert.equal(await bare.locator('#time, #stalls').count(), 0, 'no empty charts');
  const single = await open(draw('single-texts', gpu));
  assert.match(await single.locator('#no-instructions').textContent(), /was not (measured|counted).*A new gpp study/);
  assert.match(await single.locator('#source').textContent(), /No variant has evidence per source line yet: gpp lines v1 --into FOLDER adds/);
  const hosted = await open(draw('host-texts', host));
  assert.match(await hosted.locator('#no-instructions').textContent(), /NVIDIA’s GPUs alone/);
  assert.equal(await hosted.locator('#source').count(), 0, 'there is no such evidence of processors');
  const partial = await open(drawChanged('partial', gpu, (study) => { study.complete = false; }));
  assert.match(await partial.locator('#page > .notice').first().textContent(), /^Partial: .*interrupted or killed/);
});

texts('takes nothing of a record or its sources for HTML', async () => {
  const evil = '<img src=x onerror="document.title=1"></script><b>x</b>';
  for (const record of [instructions, 'tests/report/sample-lines']) {
    const page = await open(drawChanged(`hostile-${record.replaceAll('/', '-')}`, record, ({ceilings, results}) => {
      for (const roof of ceilings.gpu.list) roof.label = `${roof.label} ${evil}`;
      for (const result of results) Object.assign(result, {device: evil});
      for (const {lines} of results.filter((result) => result.lines)) {
        lines.sources[Object.keys(lines.sources).find((one) => one.endsWith('.cu'))][42] = evil;
        lines.lost = [evil];
        lines.part = evil;
        lines.lines = lines.lines.map((line) => ({...line, function: evil, file: line.file.startsWith('/') ? `/${evil}` : line.file}));
      }
    }));
    await openEverything(page);
    assert.equal(await page.locator('main img, #page b, header b').count(), 0);
    assert.doesNotMatch(await page.title(), /^1$/);
    await putAway(page);
  }
});

texts('shows the source of a variant with the heat of each line', async () => {
  const page = await open(draw('lines', 'tests/report/sample-lines'));
  const record = JSON.parse(readFileSync(join(source, 'tests/report/sample-lines/study.json'))).results.at(-1).lines;
  const rows = await page.locator('#source-code tbody tr').evaluateAll((all) => all.map((row) => row.querySelector('.code').textContent));
  assert.deepEqual(rows, record.sources['variants/cuda/v12_real_poles.cu']);
  assert.match(await page.locator('#source-lost').textContent(), /Missing or doubtful:.*warp_instructions: the lines have 30599812/);
  await page.locator('#step-v12 > summary').click();
  await page.locator('#step-v12 tr', {hasText: 'hottest line'}).locator('a').click();
  await page.waitForFunction(() => document.getElementById('source-headline').textContent.startsWith('v12_real_poles.cu:43 '));
});

test('gave the browser no reason to complain, and asked no network', () => {
  assert.deepEqual(complaints, []);
});
