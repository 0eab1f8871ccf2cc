// report.html of recorded studies in headless Chromium: what stands in it, at every width. How the page's script
// works is tested by tests/page/page_test.mjs, what charts and tables say by the tests of the program.
//
//   node browser_test.mjs GPP SOURCE_FOLDER PART
// PART is "charts", "texts" or "lines": they run beside each other. Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, test} from 'node:test';
import {cellsOf, choose, closePages, complaints, drawnAnew, expectReadable, hoverText, labelsOf, marksOf, open, openEverything, overflow, placeOf, putAway, startBrowser,
        stopBrowser, tracesOf, wideParts} from '../browser.mjs';

const [gpp, source, part] = process.argv.slice(2);
await startBrowser(source);
const folder = mkdtempSync(join(tmpdir(), 'gpp-report-'));

/** Writes a report of these records with the program; returns its path. */
function draw(name, ...records) {
  const output = join(folder, name);
  try {
    execFileSync(gpp, ['report', ...records.map((record) => (record.startsWith('/') ? record : join(source, record))), '-o', output]);
  } catch (error) {
    if (error.status !== 1) throw error;  // 1: the sample holds a failed variant, as it should
  }
  return join(output, 'report.html');
}

/** A report of a record as if `change` had befallen it. */
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

/** Tests of one part; the others belong to other runs of this file. */
const inPart = (name) => (title, body) => (part === name ? test(title, body) : undefined);
const charts = inPart('charts');
const texts = inPart('texts');
const lines = inPart('lines');

charts('draws every chart, and no failed variant on any', async () => {
  const page = await open(draw('single', gpu));
  const ids = await page.locator('.chart').evaluateAll((boxes) => boxes.map((box) => box.id));
  for (const id of ['ladder-rate-chart', 'roofline-fp64-chart', 'time-fp64-chart', 'plane-fp64-dram-chart', 'stalls-chart'])
    assert.ok(ids.includes(id), `${id} in ${ids}`);
  const drawn = await page.evaluate(() => [...document.querySelectorAll('.js-plotly-plot')].map(({data, layout}) => JSON.stringify([data, layout])));
  assert.ok(drawn.length >= 5 && drawn.every((one) => one.length > 3000 && !one.includes('wrong_idea')));
});

charts('places one marker per variant and level, and tells its numbers', async () => {
  const page = await open(draw('numbers', gpu));
  const points = (await tracesOf(page, 'roofline-fp64-chart')).filter((trace) => trace.meta?.item === 'point');
  const cuda = points.filter((trace) => trace.symbol.endsWith('-open') === false);
  assert.deepEqual([...new Set(cuda.map((trace) => trace.meta.of))], ['l1', 'shared', 'l2', 'dram']);
  for (const {meta, x} of cuda) assert.equal(x.length, meta.of === 'shared' ? 3 : 12, meta.of);
  const v9 = JSON.parse(readFileSync(join(source, gpu, 'study.json'))).results.find((one) => one.variant === 'v9' && one.model === 'cuda');
  const seconds = v9.time_s.samples.toSorted((a, b) => a - b);
  const median = (seconds[Math.floor((seconds.length - 1) / 2)] + seconds[Math.floor(seconds.length / 2)]) / 2;
  const text = await hoverText(page, 'roofline-fp64-chart', () => placeOf(page, 'roofline-fp64-chart', 'v9', 'dram'), 'v9');
  for (const one of ['v9 cache_blocking at DRAM', `${(v9.metrics.fp64_flop / median / 1e12).toFixed(1)} TFLOP/s`, 'counted by hardware'])
    assert.ok(text.includes(one), `'${one}' is not in '${text}'`);
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
        const room = width < 600 ? 15 : known;  // names that a phone's chart can hold
        assert.ok(named >= Math.min(0.6 * known, room), `${name} at ${width}, ${id}: ${named} of ${known} are named`);
      }
      await putAway(page);
    }
  }
});

charts('switches precisions, levels and kernels of variants', async () => {
  const page = await open(draw('switches', three));
  const parts = async () => (await marksOf(page, 'roofline-fp64-chart')).filter(({name}) => name.includes('kernel<')).length;
  assert.ok(await parts() > 0);
  await choose(page, 'part', 'Kernels');
  assert.equal(await parts(), 0);
  await choose(page, 'level', 'DRAM');
  assert.ok((await marksOf(page, 'roofline-fp64-chart')).every(({level}) => level !== 'dram'));
  await choose(page, 'plane', 'L2');
  assert.ok(await page.locator('#plane-fp64-l2-chart').isVisible());
});

charts('shows trajectories, hollow where nothing was counted', async () => {
  const study = JSON.parse(readFileSync(join(source, gpu, 'study.json'), 'utf8'));
  const less = structuredClone(study);
  for (const {counting} of less.results.filter((result) => result.counting.source)) {
    counting.source = 'analytic';
  }
  const place = join(folder, 'trajectory-record');
  mkdirSync(place);
  writeFileSync(join(place, 'trajectory.json'), JSON.stringify({
    schema_version: study.schema_version, kernel: 'gpp', created: study.created, complete: true, kind: 'gpu', device: study.results[0].device, units: 132, seconds: 1,
    sizes: ['small'], lost: ['a process <b>crashed</b>'], points: [{units: 66, size: 'small', study: less}, {units: 132, size: 'small', study}]}));
  const page = await open(draw('trajectory', place));
  const box = page.locator('#trajectory-1');
  assert.match(await box.textContent(), /Missing: a process <b>crashed<\/b>/, 'as text');
  const id = await box.locator('.chart').first().getAttribute('id');
  const symbols = (await tracesOf(page, id)).map((trace) => trace.symbol).filter(Boolean);
  assert.ok(symbols.some((one) => one.endsWith('-open')) && symbols.some((one) => !one.endsWith('-open')), symbols.join());
  assert.ok((await cellsOf(page, 'results-table')).length > 5, 'and the study on the most');
});

charts('draws calculations of many ranks with error bars', async () => {
  const page = await open(drawChanged('ranks', 'results/h200/whole/gpp214_v13', ({scaling: {strong}}) => {
    for (const ranks of [2, 4])
      strong.push({...strong[0], ranks, transport: 'mpi', samples: strong[0].samples.map((seconds) => seconds / ranks)});
  }));
  const errors = await page.evaluate(() => document.getElementById('strong-chart').data.filter((trace) => trace.error_y?.array).length);
  assert.ok(errors > 0);
  assert.ok(await page.locator('#scaling table').count() >= 2);
});

texts('fits phones, screens and projectors, without a table that scrolls on wide ones', async () => {
  const all = [[three, host], [gpu], [instructions], ['results/xeon-2-cores/medium'], ['tests/report/sample-lines']];
  for (const records of all) {
    const path = draw(`fits-${records.length}-${records[0].replaceAll('/', '-')}`, ...records);
    for (const width of records === all[0] ? [360, 1024, 1400, 1920] : [360, 1024]) {  // the narrowest phone and screen
      const page = await open(path, {width});
      await openEverything(page);
      assert.ok(await overflow(page) <= 0, `${records} is wider than ${width} pixels`);
      if (width > 1000) assert.deepEqual(await wideParts(page), [], `${records} at ${width}`);
      await putAway(page);
    }
  }
});

texts('names failures on top, as text, and leaves them out of the table', async () => {
  const page = await open(draw('failures', gpu));
  assert.match(await page.locator('#failures').textContent(), /wrong_idea.*in timed run 2.*<b>0\.5<\/b>/s);
  assert.equal(await page.locator('#failures b').count(), 0, 'nothing in a record is HTML');
  assert.equal(await page.locator('#results-table', {hasText: 'wrong_idea'}).count(), 0);
  assert.ok((await page.locator('#failures').boundingBox()).y < 700, 'it is seen without scrolling');
  const unavailable = await page.locator('#unavailable').textContent();
  assert.match(unavailable, /no device for <\/script><!-- target regions.*v10 shared_memory/s);
});

texts('tells of each step what it is, what changed and what explains it', async () => {
  const page = await open(draw('steps', gpu));
  await page.locator('#results-table a', {hasText: /^v10$/}).click();
  const panel = page.locator('#step-v10');
  await panel.locator('.counters').first().waitFor();
  const marked = await panel.locator('tr.marked').allTextContents();
  assert.ok(marked.length >= 1 && marked.length <= 2 && marked.some((row) => row.includes('stall long scoreboard')), marked.join());
  assert.match(await panel.locator('.diff').first().textContent(), /v09_cache_blocking.*v10_shared_memory/s);
  assert.match(await panel.textContent(), /registers per thread78/);
  assert.match(await panel.locator('.idea abbr', {hasText: 'shared memory'}).first().getAttribute('title'), /^Memory of one block/);
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

texts('takes nothing of a record for HTML', async () => {
  const evil = '<img src=x onerror="document.title=1"></script><b>x</b>';
  const page = await open(drawChanged('hostile', instructions, (study) => {
    for (const roof of study.ceilings.gpu.list) roof.label = `${roof.label} ${evil}`;
    for (const result of study.results) Object.assign(result, {device: evil});
  }));
  await openEverything(page);
  assert.equal(await page.locator('main img, #page b, header b').count(), 0);
  assert.doesNotMatch(await page.title(), /^1$/);
});

/** A report of the sample with lines as if `change` had befallen its record. */
const drawLines = (name, change) => drawChanged(name, 'tests/report/sample-lines', (study) => change(study, study.results.at(-1).lines));

lines('shows the source of a variant with the heat of each line', async () => {
  const page = await open(draw('lines', 'tests/report/sample-lines'));
  const record = JSON.parse(readFileSync(join(source, 'tests/report/sample-lines/study.json'))).results.at(-1).lines;
  const own = 'variants/cuda/v12_real_poles.cu';
  const rows = await page.locator('#source-code tbody tr').evaluateAll((all) => all.map((row) => row.querySelector('.code').textContent));
  assert.deepEqual(rows, record.sources[own]);
  await page.locator('#source-code tr[data-line="43"]').click();
  const told = `${await page.locator('#source-headline').textContent()} ${await page.locator('#source-line').textContent()}`;
  for (const one of [/^v12_real_poles\.cu:43 [\d.]+% of all samples: [a-z ]+ \d+%, /, /issued, which is no stall\d+/, /warp instructions[\d,]{7,}/,
                     /32\.0 of a warp’s 32 threads/, /sectors of global memory[\d,]+; [\d,]+ would do \(\d\.\d\dx\)/])
    assert.match(told, one);
  assert.match(await page.locator('#source-how').textContent(), /1,290,492 samples, one of a multiprocessor every 4096 cycles/);
  assert.match(await page.locator('#source-lost').textContent(), /Missing or doubtful:.*warp_instructions: the lines have 30599812/);
  await page.locator('#step-v12 > summary').click();
  await page.locator('#step-v12 tr', {hasText: 'hottest line'}).locator('a').click();
  await page.waitForFunction(() => document.getElementById('source-headline').textContent.startsWith('v12_real_poles.cu:43 '));
});

lines('takes nothing of the sources for HTML', async () => {
  const evil = '<img src=x onerror="document.title=1"></script><b>x</b>';
  const page = await open(drawLines('hostile-lines', (_, all) => {
    const file = Object.keys(all.sources).find((one) => one.endsWith('.cu'));
    all.sources[file][42] = evil;
    all.lost = [evil];
    all.part = evil;
    all.lines = all.lines.map((line) => ({...line, function: evil, file: line.file.startsWith('/') ? `/${evil}` : line.file}));
  }));
  assert.ok((await page.locator('#source').textContent()).includes(evil));
  assert.equal(await page.locator('#source img, #source b').count(), 0);
});

lines('holds a text once, and stands a file of twenty thousand lines', async () => {
  const path = drawLines('several', ({results}, all) => { results[0].lines = {...all, part: '3 of 4', scale: 2}; });
  const shared = readFileSync(join(source, 'gpp/array.h'), 'utf8').split('\n')[0];
  assert.equal(readFileSync(path, 'utf8').split(shared).length, 2, 'both have this file, and the page has it once');
  const page = await open(drawLines('long', (_, all) => {
    const [file] = Object.keys(all.sources).filter((one) => one.endsWith('.cu'));
    const [line] = all.lines;
    all.sources = {[file]: Array.from({length: 20000}, (_one, i) => `line ${i + 1}`)};
    all.lines = Array.from({length: 10000}, (_one, i) => ({...line, file, line: 2 * i + 2, function: 'f', stalls: {wait: i + 1}, samples: i + 1}));
    all.samples = 10000 * 10001 / 2;
  }));
  assert.equal(await page.locator('#source-code tbody tr').count(), 1000);
});

test('gave the browser no reason to complain, and asked no network', () => {
  assert.deepEqual(complaints, []);
});
