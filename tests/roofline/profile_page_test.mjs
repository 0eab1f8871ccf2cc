// report.html of profiles in headless Chromium: what it shows, how it follows its switches, and that names
// of kernels stay names.
//
//   node profile_page_test.mjs ROOFLINE SOURCE_FOLDER
// Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {brightness, cellsOf, choose, closePages, complaints, expectReadable, labelsOf, marksOf, open, openEverything, overflow, putAway, startBrowser,
        stopBrowser, tracesOf, wideParts} from '../browser.mjs';

const [roofline, source] = process.argv.slice(2);
await startBrowser(source);

const folder = mkdtempSync(join(tmpdir(), 'roofline-report-'));
const roofs = ['--roofs', join(source, 'results/h200/silicon8/study.json')];

function run(...args) {
  return execFileSync(roofline, args, {encoding: 'utf8'});
}

/** Imports a file of the samples; returns the folder of its profile. */
function imported(name, ...args) {
  run('import', join(source, 'tests/roofline/profiles', name), '-o', join(folder, name), ...args);
  return join(folder, name);
}

/** Keeps a profile made of another one; returns its folder. */
function changed(from, name, change) {
  const profile = JSON.parse(readFileSync(join(from, 'profile.json')));
  change(profile);
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'profile.json'), JSON.stringify(profile));
  run('report', join(folder, name));
  return join(folder, name);
}

/** Each would set the title of the page, or spoil its layout. */
const evil = [
  '<img src=x onerror="document.title=\'PWNED\'">', '</script><script>document.title="PWNED"</script>',
  '" onmouseover="document.title=\'PWNED\'" x="', '<!--<script>', '<b>%{x}</b><br>%{customdata}', '{{script}}{{data}}',
  'a\u202egpj.exe\u202c\u2066b', 'line\u2028separator\u2029', '\x1b[2J\x00\x07\r\n', 'x'.repeat(20000),
  `void ${'scope::'.repeat(2000)}kernel<float, 4>(int)`, 'é漢字🚀'.repeat(30), ''];

/** Many kernels of other speeds and intensities, some with FP32; the first have names that are not innocent. */
function manyKernels(profile) {
  const [model] = profile.kernels;
  profile.program = `python ${'--option=value '.repeat(50)}</title><script>document.title="PWNED"</script>`;
  profile.kernels = Array.from({length: 50}, (_, i) => {
    const counters = {...model.counters};
    const [seconds, work, bytes] = [model.seconds / (1 + i), 0.1 + (i * 7 % 10) / 20, 0.2 + (i * 3 % 10) / 2];
    for (const name of Object.keys(counters))
      counters[name] *= (/op_|inst/.test(name) ? work : bytes) / (1 + i);
    const fma = Object.keys(counters).find((name) => name.includes('dfma'));
    if (i % 3 === 0) counters[fma.replace('dfma', 'ffma')] = counters[fma];
    return {...model, name: evil[i] ?? `void ns::kernel_${i}<float>(int)`, seconds, counters, missing: [],
            notes: [`note ${evil[i % 5]}`]};
  });
}

/** Roofs of instructions, and of each kernel loads in unit stride of 8 B and shared accesses with a conflict each. */
function withInstructions(profile) {
  const {list} = profile.ceilings.gpu;
  const [roof] = list;
  for (const [name, measured] of [['issue', 1e12], ['issue_fp64', 5e11]])
    list.push({...roof, name, label: name === 'issue' ? 'warp instructions' : evil[0], measured, theoretical: null});
  for (const kernel of profile.kernels) {
    const all = 5e11 * kernel.seconds;
    const of = (stem, loads) => ({[`smsp__sass_${stem}_ld.sum`]: loads, [`smsp__sass_${stem}_st.sum`]: 0});
    Object.assign(kernel.counters, {
      'sm__inst_executed.sum': all, 'smsp__thread_inst_executed_pred_on.sum': 24 * all,
      ...of('inst_executed_op_global', all / 100), ...of('inst_executed_op_local', 0), ...of('inst_executed_op_shared', all / 100),
      ...of('l1tex_t_sectors_pipe_lsu_mem_global_op', all / 12.5), ...of('l1tex_t_sectors_pipe_lsu_mem_local_op', 0),
      ...of('l1tex_data_pipe_lsu_wavefronts_mem_shared_op', all / 50), 'lts__t_sectors_srcunit_tex.sum': all / 50,
      'dram__bytes.sum': all / 100, 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum': all / 100});
  }
}

let nersc;
let hostile;
let instructions;
let vcopy;
let both;

before(() => {
  nersc = imported('ncu-nersc-gpp-v9.csv', ...roofs);
  vcopy = imported('vcopy-mi200-pmc_perf.csv');
  hostile = changed(nersc, 'hostile', manyKernels);
  instructions = changed(nersc, 'instructions', withInstructions);
  both = join(folder, 'both.html');
  run('report', nersc, vcopy, '-o', both);
});

afterEach(closePages);

after(async () => {
  await stopBrowser();
  rmSync(folder, {recursive: true, force: true});
});

function page(profile, settings) {
  return open(join(profile, 'report.html'), settings);
}

function withPlotly(name, body) {
  test(name, async (context) => {
    if (!readFileSync(join(nersc, 'report.html'), 'utf8').includes('* plotly.js'))
      return context.skip('the program was built without Plotly; scripts/setup brings it');
    return body();
  });
}

const cells = cellsOf;

/** Points of a chart of work, or of instructions. */
async function pointsOf(at, chart) {
  return (await tracesOf(at, `roofline-${chart}-chart`)).filter((trace) => trace.meta?.item === 'point');
}

test('tells what ran, where, when and how it was counted', async () => {
  const at = await page(nersc);
  assert.equal(await at.locator('h1').textContent(), 'NVIDIA H200');
  const head = await at.locator('#masthead').textContent();
  assert.match(head, /ncu-nersc-gpp-v9\.csv Counted by Nsight Compute\. Recorded \d{4}-\d\d-\d\d\./);
  assert.match(head, /Times are those of the profiled run/, 'how the time was got');
  assert.match(await at.title(), /^ncu-nersc-gpp-v9\.csv on NVIDIA H200$/);
});

test('lists the kernels with time, bytes, work, intensities and the nearest roof', async () => {
  const at = await page(nersc);
  assert.deepEqual((await cells(at, 'kernels-table'))[0],
                   ['1', 'cache_blocking_kernel', '6', '1.15 ms', '73.0%', '2.39 GB', '238 MB', '30.7 MB', 'compute', '24.4%']);
  const work = await cells(at, 'work-table');
  assert.deepEqual(work[0], ['1', 'cache_blocking_kernel', 'FP64', '9.35 GFLOP', '3.91', '39.3', '304', '8.13 TFLOP/s', 'compute', '24.4%']);
  assert.equal(work.length, 4, 'one kernel has FP64 and FP32');
  assert.match(await at.locator('#missing').textContent(), /shared: l1tex__data_pipe_lsu_wavefronts_mem_shared\.sum not thereall kernels/);
  const roof = await at.locator('#roofs tbody tr').first().textContent();
  assert.match(roof, /FP64, FMA33\.31 TFLOP\/s.*Chains of DFMA/, 'and its definition');
});

test('shows the whole name of a kernel on a click, and sorts by a heading', async () => {
  const at = await page(hostile);
  const name = at.locator('#kernels-table details.name', {hasText: 'kernel_13'});
  assert.equal(await name.locator('code').isVisible(), false);
  await name.locator('summary').click();
  assert.equal(await name.locator('code').innerText(), 'void ns::kernel_13<float>(int)');
  const first = async () => (await cells(at, 'kernels-table'))[0][0];
  assert.equal(await first(), '1');
  await at.locator('#kernels-table thead button', {hasText: 'time'}).click();
  assert.equal(await first(), '20', 'the shortest of those shown');
});

test('shows the first twenty, and all where asked', async () => {
  const at = await page(hostile);
  assert.equal(await at.locator('#kernels-table tbody tr:visible').count(), 20);
  assert.match(await at.locator('#rest').textContent(), /^Not shown: 30 kernels that took \d/);
  await choose(at, 'all', 'All 50 kernels');
  assert.equal(await at.locator('#kernels-table tbody tr').count(), 50);
  assert.equal(await at.locator('#rest').isVisible(), false);
});

test('draws instructions under roofs and walls of their own, with a table', async () => {
  const at = await page(instructions);
  const ids = ['instructions', 'global_access', 'shared_access'].map((name) => `roofline-${name}-chart`);
  assert.deepEqual(await at.locator('#instructions .chart').evaluateAll((boxes) => boxes.map((box) => box.id)), ids);
  const points = await pointsOf(at, 'global_access');
  assert.deepEqual([...new Set(points.flatMap((trace) => trace.x))].map((x) => x.toFixed(6)), ['0.125000']);
  assert.equal((await tracesOf(at, 'roofline-global_access-chart')).filter((trace) => trace.meta?.item === 'wall').length, 4);
  for (const id of ids) await expectReadable(at, id, id);
  const [first] = await cells(at, 'instructions-table');
  for (const text of ['500 GIPS', '75.0%', 'unit stride, 8 B', '0.50x no conflict'])
    assert.ok(first.includes(text), `${text}: ${first.join('; ')}`);
  assert.equal(await at.locator('#no-instructions').count(), 0);
  assert.equal(await at.locator('main img').count(), 0, 'names of roofs stay names');
});

test('says why there are no instruction rooflines', async () => {
  const at = await page(nersc);
  assert.match(await at.locator('#no-instructions').textContent(), /global_instructions was not counted.*roofline record counts/);
  assert.equal(await at.locator('#instructions').count(), 0);
  assert.match(await (await page(vcopy)).locator('#no-instructions').textContent(), /NVIDIA’s GPUs alone/);
});

withPlotly('draws each precision with the numbers of the table', async () => {
  const at = await page(hostile);
  const numbers = async (chart) => [...new Set((await pointsOf(at, chart)).flatMap((trace) => trace.meta.names))].map(Number);
  const fp64 = await numbers('fp64');
  assert.ok(fp64.length > 10 && Math.max(...fp64) <= 20, fp64.join());
  assert.ok(!(await tracesOf(at, 'roofline-fp64-chart')).some((trace) => trace.meta?.item === 'arrow'), 'kernels have no order');
  await choose(at, 'precision', 'FP32');
  const fp32 = await numbers('fp32');
  assert.ok(fp32.length > 2 && fp32.every((number) => number % 3 === 1), fp32.join());
  assert.equal(await at.locator('#roofline-fp32-chart .ytitle').textContent(), 'FP32 operations per second');
});

withPlotly('draws no kernel that does next to nothing', async () => {
  const at = await page(nersc);
  assert.deepEqual((await pointsOf(at, 'fp64')).map((trace) => trace.meta.names), [['1'], ['1'], ['1']], 'at L1, L2 and DRAM');
  assert.equal(await at.locator('fieldset[data-switch="precision"]').count(), 0, 'four operations make no chart of FP32');
});

withPlotly('puts no label over another one or a marker', async () => {
  for (const [width, colorScheme] of [[390, 'dark'], [1280, 'light']]) {
    const at = await page(hostile, {width, colorScheme});
    await expectReadable(at, `at ${width}`, 'roofline-fp64-chart');
    const names = (await labelsOf(at, 'roofline-fp64-chart')).filter((label) => label.kind === 'name').length;
    const markers = new Set((await marksOf(at, 'roofline-fp64-chart')).map(({name}) => name)).size;
    assert.ok(names >= 0.6 * markers, `${names} of ${markers} are named at ${width}`);
    await putAway(at);
  }
});

test('takes names for names, whatever they hold', async () => {
  for (const width of [390, 1280]) {
    const at = await page(hostile, {width});
    await choose(at, 'all', 'All');
    await openEverything(at);
    assert.ok(await overflow(at) <= 0, `wider than ${width} pixels`);
    for (const row of await at.locator('#kernels-table tbody tr').all())
      assert.ok((await row.boundingBox()).height < 500, 'a long name scrolls in its cell');
    await at.locator('#kernels-table details.name summary').first().hover();
    assert.doesNotMatch(await at.title(), /^PWNED$/);
    assert.equal(await at.locator('main img, main b, main script').count(), 0);
    const text = await at.locator('main').textContent();
    for (const part of ['<img src=x onerror=', '</script><script>', '{{script}}', '\\u202e', '\\u2028', '\\x1b'])
      assert.ok(text.includes(part), `'${part}' is not there to read`);
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u2028\u2029\x00-\x09\x0b-\x1f]/, 'what acts is written out');
    await putAway(at);
  }
});

test('takes names for names under the mouse', async () => {
  const at = await page(hostile);
  const hovers = (await pointsOf(at, 'fp64')).flatMap((trace) => trace.hover);
  const img = hovers.find((hover) => hover.includes('img src'));
  assert.match(img, /^<b>\d+ &lt;img src=x/);
});

test('says where a kernel without work stands, and why there is no chart', async () => {
  const at = await page(vcopy);
  assert.match(await at.locator('#roofline').textContent(), /No chart: no kernel with work to speak of/);
  assert.equal(await at.locator('.chart, #work-table').count(), 0);
  assert.deepEqual((await cells(at, 'kernels-table'))[0].slice(-2), ['HBM', '61.9%']);
  const without = changed(nersc, 'without', (profile) => Object.assign(profile, {ceilings: {}, device: 'NVIDIA T4'}));
  const other = await page(without);
  assert.match(await other.locator('#roofline').textContent(), /No roofs.*--roofs/);
  assert.equal(await other.locator('#roofs').count(), 0);
  const foreign = changed(nersc, 'foreign', (profile) => { profile.device = 'NVIDIA A100'; });
  assert.match(await (await page(foreign)).locator('#masthead .notice').textContent(), /those of NVIDIA H200, not of the device/);
});

test('shows one of several profiles, by a switch', async () => {
  const at = await open(both);
  assert.equal(await at.locator('h1').textContent(), 'NVIDIA H200');
  await choose(at, 'page', 'vcopy');
  assert.equal(await at.locator('h1').textContent(), 'AMD MI200');
  assert.deepEqual((await cells(at, 'kernels-table')).map((row) => row[1]), ['vecCopy']);
  assert.equal(await at.locator('.js-plotly-plot').count(), 0);
  await choose(at, 'page', 'nersc');
  assert.equal((await cells(at, 'kernels-table')).length, 3);
});

test('fits a phone and a desktop, dark and light', async () => {
  for (const width of [360, 1024, 1280, 1920]) {
    const at = await page(nersc, {width, colorScheme: width === 360 ? 'dark' : 'light'});
    await openEverything(at);
    assert.ok(await overflow(at) <= 0, `wider than ${width} pixels`);
    const bright = await brightness(at);
    assert.ok(width === 360 ? bright < 60 : bright > 200);
    if (width > 1000)
      assert.deepEqual(await wideParts(at), [], `at ${width}`);
    await putAway(at);
  }
});

test('gave the browser no reason to complain, and asked no network', () => {
  assert.deepEqual(complaints, []);
});
