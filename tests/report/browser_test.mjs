// report.html in headless Chromium, from the disk: it draws, says what it should, answers the mouse
// and the switches, and asks no network for anything.
//
//   node browser_test.mjs GPP SOURCE_FOLDER
// Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {brightness, choose, closePages, complaints, drawnAnew, expectReadable, hoverText, labelsOf, marksOf, open,
        overflow, startBrowser, stopBrowser, tracesOf} from '../browser.mjs';

const [gpp, source] = process.argv.slice(2);
await startBrowser(source);

const folder = mkdtempSync(join(tmpdir(), 'gpp-report-'));

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

async function points(page) {
  return (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.level);
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

/** Texts of the variants' names, which stand beside their outermost markers or lead there. */
async function expectNamesAtTheirMarkers(page) {
  const {markers} = await marksOf(page);
  const names = (await labelsOf(page)).filter((label) => label.kind === 'variant');
  const outermost = markers.filter((one) => one === markers.findLast((other) =>
    other.variant === one.variant && other.series === one.series));
  for (const name of names) {
    // A leader's end, or the nearest point of the text.
    const ends = ({x, y}) => name.ends ?? [{x: Math.max(name.left, Math.min(x, name.right)),
                                            y: Math.max(name.top, Math.min(y, name.bottom))}];
    const distances = outermost.filter(({variant}) => variant === name.text).flatMap((marker) =>
      ends(marker).map(({x, y}) => Math.hypot(x - marker.x, y - marker.y)));
    assert.ok(Math.min(...distances) < 13, `'${name.text}' is ${Math.min(...distances)} pixels from its marker`);
  }
  return names.map((name) => name.text);
}

/**
 * Does something that draws the labels of the roofline anew, and waits for that. On a busy machine the chart may
 * move between a look at it and the mouse: then it is done once more.
 */
async function relabelled(page, act) {
  for (let tries = 3; ; --tries) {
    await page.locator('#roofline-chart').scrollIntoViewIfNeeded();
    await page.evaluate(() => { document.querySelector('#roofline-chart .annotation').dataset.old = true; });
    await act();
    try {
      await page.waitForFunction(() => !document.querySelector('#roofline-chart .annotation[data-old]'), null, {timeout: 15000});
      return;
    } catch (error) {
      if (tries === 1) throw error;
    }
  }
}

/** A part of the page. */
function script(room, name) {
  return readFileSync(join(source, room, 'page', `${name}.js`), 'utf8');
}

/** The functions of the page that place labels: they need no page. */
function placement() {
  return new Function(`${script('roofline', 'label_placement')}; return {boxAround, placeLabels, spreadOut};`)();
}

/** The functions of the page that decide what explains a step: they need no page. */
function explaining() {
  const scripts = [script('roofline', 'numbers'), script('roofline', 'models'), script('harness/report', 'studies'), script('harness/report', 'explain')];
  return new Function('report', `${scripts.join('\n')}; return compareEvidence;`)(
    {metrics: [], least_share_shown: 0.05, models: [{name: 'fp64', work: 'fp64_flop', levels: []}]});
}

/** A row as the page makes it of a result, its ceilings, and the seconds that its roofs account for. */
function plainRow(seconds, metrics, {compute = 0, levels = {}, launch = []} = {}) {
  return {seconds, metrics, launch, machine: {ceilings: null}, result: {time_s: {median: seconds}},
          roofline: {compute_seconds: compute, level_seconds: levels},
          rooflines: {fp64: {compute_seconds: compute}}};
}

/** What is marked between two such rows. */
function marked(before, after) {
  return explaining()(before, after).filter((one) => one.marked).map((one) => one.name).sort();
}

/** Where the bars and the texts of a chart stand on the screen, and the toolbar. */
function barsOf(page, chart) {
  return page.evaluate((id) => {
    const box = document.getElementById(id);
    const rect = (element) => {
      const {left, top, right, bottom} = element.getBoundingClientRect();
      return {left, top, right, bottom, text: element.textContent};
    };
    const all = (selector) => [...box.querySelectorAll(selector)].map(rect).filter((one) => one.right > one.left);
    return {bars: all('.trace.bars .point path'), lines: all('.scatterlayer .trace .point[d*="H"]:not([d*="V"])'),
            texts: all('.bartext, .xtick text, .ytick text, .xtitle, .ytitle, .annotation-text-g'),
            toolbar: all('.modebar'), legends: [...box.parentElement.querySelectorAll('.legend')].map(rect)};
  }, chart);
}

/** Texts on the ticks of an axis, as drawn. */
function tickTexts(page, chart, letter) {
  return page.locator(`#${chart} .${letter}tick text`).evaluateAll((ticks) => ticks.map((tick) => {
    const {left, right, top, bottom} = tick.getBoundingClientRect();
    return {text: tick.textContent, left, right, top, bottom};
  }));
}

function overlap(a, b, slack = 0.5) {
  return a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
}

let single;
let three;
let machines;
let both;
let bare;
let host;
let instructions;
let lines;

before(async () => {
  single = draw('single', 'tests/report/sample-gpu');
  three = draw('three', 'results/h200/gpp214');  // three models
  machines = draw('machines', 'results/h200/gpp214', 'results/xeon-2-cores/silicon8');
  both = draw('both', 'tests/report/sample-gpu', 'tests/report/sample-cpu');
  bare = draw('bare', 'results/xeon-2-cores/medium');
  host = draw('host', 'results/xeon-2-cores/silicon8');
  instructions = draw('instructions', 'tests/report/sample-instructions');
  lines = draw('lines', 'tests/report/sample-lines');
});

afterEach(closePages);

after(async () => {
  await stopBrowser();
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
  const kept = ['ladder-chart', 'roofline-chart', 'time-chart', 'plane-chart', 'stalls-chart'];
  const own = ['instructions-chart', 'global_access-chart', 'shared_access-chart'];
  for (const [path, wanted] of [[single, kept], [instructions, kept.toSpliced(2, 0, ...own)]]) {
    const page = await open(path);
    const charts = await page.locator('.chart').evaluateAll((boxes) => boxes.map((box) => box.id));
    assert.deepEqual(charts, wanted);
    for (const chart of charts) {
      const marks = await page.locator(`#${chart} .cartesianlayer :is(.point, .js-line)`).count();
      assert.ok(marks >= 12, `${chart} has only ${marks} marks`);
    }
    await page.close();
  }
});

withPlotly('places one marker per variant and level under measured and theoretical roofs', async () => {
  const page = await open(single);
  const cuda = (await points(page)).filter((trace) => trace.name.includes('cuda'));
  assert.deepEqual(cuda.map((trace) => trace.meta.level), ['l1', 'shared', 'l2', 'dram']);
  for (const trace of cuda) assert.equal(trace.x.length, trace.meta.level === 'shared' ? 3 : 12);
  const roofs = (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.roof);
  const solid = roofs.filter((roof) => !roof.meta.dashed).map((roof) => roof.meta.roof).sort();
  assert.deepEqual(solid, ['dram', 'fp64_fma', 'fp64_no_fma', 'fp64_operands_3', 'l1', 'l2', 'shared']);
  const dashed = roofs.filter((roof) => roof.meta.dashed);
  assert.deepEqual(dashed.map((roof) => roof.meta.roof).sort(), ['dram', 'fp64_fma', 'fp64_no_fma', 'l1', 'shared']);
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

/** A study of SC19's ladder: the sample's steps in CUDA without v5, and v7 failed. */
function ladderStudy() {
  const study = JSON.parse(readFileSync(join(source, 'tests/report/sample-gpu/study.json')));
  study.ladder = {name: 'sc19', rows: []};
  study.results = study.results.filter((result) => result.model === 'cuda' && result.variant !== 'v5');
  const failed = study.results.find((result) => result.variant === 'v7');
  Object.assign(failed, {status: 'failed', reason: 'asx is wrong', terms_per_s: null, speedup: null});
  for (const key of ['median', 'min', 'max', 'low', 'high']) failed.time_s[key] = null;
  failed.roofline = {};
  failed.rooflines = {};
  const place = join(folder, 'ladder-study');
  mkdirSync(place, {recursive: true});
  writeFileSync(join(place, 'study.json'), JSON.stringify(study));
  return relative(source, place);
}

withPlotly('draws a published ladder step by step, without numbers where there are none', async () => {
  for (const width of [1280, 390]) {
    const page = await open(draw('ladder', ladderStudy()), {width});
    const [published, measured] = await tracesOf(page, 'ladder-chart-0');
    assert.equal(published.name, 'V100, published');
    assert.deepEqual(published.x, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(measured.x, [0, 1, 2, 3, 5, 7], 'v5 was left out, v7 failed, v9 is not the published one');
    assert.match(measured.hover[1], /v2: bands inside each thread.*speedup over the first step/s);
    const ticks = await page.evaluate(() => document.getElementById('ladder-chart-0').layout.xaxis.ticktext);
    assert.deepEqual(ticks.filter((tick) => tick.includes('no number')),
                     ['v5', 'v7', 'v9'].map((step) => `${step}<br>no number`));
    const rows = await page.locator('#ladder-0 tbody tr').allTextContents();
    assert.equal(rows.length, 9);
    assert.match(rows[4], /left out/);
    assert.match(rows[6], /FAILED: asx is wrong/);
    assert.match(rows[8], /sc19_9_strided.*taken for granted here/s);
    assert.ok((await tracesOf(page, 'ladder-chart')).every((trace) => trace.name !== 'V100'), 'one published series');
    assert.ok(await overflow(page) <= 0, `at ${width} nothing is wider than the page`);
  }
});

withPlotly('draws the ladder on a logarithmic axis, and on a linear one where asked', async () => {
  const page = await open(single);
  const axis = () => page.evaluate(() => document.getElementById('ladder-chart')._fullLayout.yaxis.type);
  for (const view of ['time', 'terms/s', 'speedup']) {
    await choose(page, 'ladder', view);
    assert.equal(await axis(), 'log', view);
  }
  /** What the axis says at the top of the bar of the published v7. */
  const top = () => page.evaluate(() => {
    const box = document.getElementById('ladder-chart');
    const {yaxis, _size: size} = box._fullLayout;
    const bar = box.querySelectorAll('.trace.bars')[0].querySelectorAll('.point path')[6];
    return yaxis.p2d(bar.getBoundingClientRect().top - box.getBoundingClientRect().top - size.t);
  });
  assert.ok(Math.abs(await top() / (1.63 / 0.66) - 1) < 0.02, `a bar ends at ${await top()}`);
  await choose(page, 'scale', 'linear');
  assert.equal(await axis(), 'linear');
  assert.ok(Math.abs(await top() / (1.63 / 0.66) - 1) < 0.02, `a bar ends at ${await top()}`);
});

withPlotly('shows published times beside times of the same input alone, and says so', async () => {
  /** Whether the chart shows the published series, its legend does, and what the note says. */
  const shown = async (page) => [
    (await tracesOf(page, 'ladder-chart')).some((trace) => trace.name === 'V100'),
    await page.locator('#ladder .legend li', {hasText: 'published'}).isVisible(),
    await page.locator('#ladder-note:visible').allTextContents()];
  const leftOut = /^Left out: V100.* an input of 2\.45×10¹⁰ terms, not of 6\.21×10⁷\./;
  const small = await open(host);
  assert.deepEqual(await shown(small), [true, true, []], 'speedups compare');
  await choose(small, 'ladder', 'time');
  const [chart, legend, [note]] = await shown(small);
  assert.deepEqual([chart, legend], [false, false]);
  assert.match(note, leftOut);
  assert.match(note, /Compare by speedup or terms\/s instead\.$/);
  const top = await small.evaluate(() => 10 ** document.getElementById('ladder-chart').layout.yaxis.range[1]);
  const slowest = Math.max(...(await tracesOf(small, 'ladder-chart')).flatMap((trace) => trace.y));
  assert.ok(top < 2 * slowest, `the axis ends at ${top} s, the slowest takes ${slowest} s`);
  await choose(small, 'ladder', 'terms/s');
  assert.deepEqual(await shown(small), [true, true, []], 'rates compare');

  const withoutFirst = await open(changed(host, 'without-v1.html', (study) => {
    for (const result of study.results) result.speedup = null;
  }));
  const [, , [first]] = await shown(withoutFirst);
  assert.match(first, leftOut, 'time is shown first where nothing has a speedup');
  assert.match(first, /Compare by terms\/s instead\.$/);

  const large = await open(single);
  await choose(large, 'ladder', 'time');
  assert.deepEqual(await shown(large), [true, true, []], 'the published input');
  const mixed = await open(machines);
  await choose(mixed, 'ladder', 'time');
  const [beside, , [two]] = await shown(mixed);
  assert.ok(!beside, 'one of two machines ran the published input');
  assert.match(two, /The times shown are of different inputs\. Compare by/);
  await choose(mixed, 'machines', 'Intel Xeon');
  assert.deepEqual(await shown(mixed), [true, true, []], 'the other one is hidden');
});

withPlotly('ticks read 1, 2, 5 times powers of ten with their unit, none over another', async () => {
  const axes = [['ladder-chart', 'y', '×'], ['roofline-chart', 'y', 'FLOP/s'], ['roofline-chart', 'x', 'FLOP/B'], ['time-chart', 'y', 's'],
                ['plane-chart', 'x', 's'], ['plane-chart', 'y', 's']];
  for (const path of [machines, single, host])
    for (const width of [390, 1024, 1400]) {
      const page = await open(path, {width});
      for (const [chart, letter, unit] of axes) {
        const ticks = await tickTexts(page, chart, letter);
        const where = `${path} at ${width}, ${chart} ${letter}: ${ticks.map(({text}) => text).join(', ')}`;
        assert.ok(ticks.length >= 2, where);
        const round = new RegExp(`^(0\\.0*)?[125]0{0,3}${unit === '×' ? '×' : ` [nµmkMGT]?${unit}`}$`);
        for (const {text} of ticks) assert.match(text, round, where);
        ticks.forEach((a, i) => ticks.slice(i + 1).forEach((b) =>
          assert.ok(!overlap(a, b), `'${a.text}' over '${b.text}': ${where}`)));
      }
      await page.close();
    }
});

withPlotly('ticks follow a zoom', async () => {
  const page = await open(single);
  await page.evaluate(() => window.Plotly.relayout('time-chart', {'yaxis.range[0]': Math.log10(0.3), 'yaxis.range[1]': Math.log10(0.36)}));
  await page.waitForFunction(() => document.querySelectorAll('#time-chart .ytick text').length >= 3);
  const texts = (await tickTexts(page, 'time-chart', 'y')).map(({text}) => text);
  assert.ok(texts.every((text) => / ms$/.test(text)), texts.join());
});

withPlotly('lets nothing cover a bar', async () => {
  for (const path of [machines, three, single])
    for (const [width, colorScheme] of [[390, 'light'], [1024, 'dark'], [1400, 'light']]) {
      const page = await open(path, {width, colorScheme});
      for (const chart of ['ladder-chart', 'time-chart', 'stalls-chart']) {
        await page.locator(`#${chart}`).scrollIntoViewIfNeeded();
        const {bars, lines, texts, toolbar, legends} = await barsOf(page, chart);
        const all = chart === 'time-chart' ? lines : bars;
        const where = `${path} at ${width}, ${chart}`;
        assert.ok(all.length > 5, `${where}: ${all.length} bars`);
        for (const other of [...texts, ...toolbar, ...legends])
          for (const bar of all)
            assert.ok(!overlap(bar, other), `${where}: '${other.text}' covers a bar`);
        if (chart !== 'stalls-chart')
          all.forEach((a, i) => all.slice(i + 1).forEach((b) =>
            assert.ok(!overlap(a, b, 1.5), `${where}: a bar covers another one`)));
      }
      await page.close();
    }
});

test('fits its tables into the widths of common screens', async () => {
  for (const path of [machines, three, single, both, bare, host, instructions, lines])
    for (const width of [1024, 1400]) {
      const page = await open(path, {width});
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
      const wide = await page.locator('.scroll').evaluateAll((boxes) => boxes
        .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.getAttribute('aria-label')));
      assert.deepEqual(wide, [], `${path} at ${width}`);
      assert.ok(await overflow(page) <= 0, `${path} is wider than ${width} pixels`);
      await page.close();
    }
});

test('marks what causes time, has a share of it and moved with it', () => {
  const stalls = {stall_long_scoreboard: 5, stall_wait: 3, stall_selected: 1};
  assert.deepEqual(marked(plainRow(0.3, {fp16_flop: 49e9, fp64_flop: 3.6e12}, {compute: 0.1}),
                          plainRow(0.2, {fp16_flop: 1e8, fp64_flop: 3.6e12}, {compute: 0.1})), [],
                   'FP16 instructions load constants');
  assert.deepEqual(marked(plainRow(0.3, {fp64_flop: 4e12}, {compute: 0.1}),
                          plainRow(0.2, {fp64_flop: 2e12}, {compute: 0.05})), ['fp64_flop']);
  assert.deepEqual(marked(plainRow(0.3, {fp64_flop: 4e12}, {compute: 0.1}),
                          plainRow(0.4, {fp64_flop: 2e12}, {compute: 0.05})), [], 'less work, more time');
  assert.deepEqual(marked(plainRow(0.3, {dram_bytes: 4e9}, {levels: {dram: 0.02}}),
                          plainRow(0.2, {dram_bytes: 1e9}, {levels: {dram: 0.005}})), [], 'too small a share');
  assert.deepEqual(marked(plainRow(0.9, {l1_bytes: 4e9}, {levels: {l1: 0.1}}),
                          plainRow(0.3, {l1_bytes: 3.7e9}, {levels: {l1: 0.095}})), [], 'it hardly moved');
  assert.deepEqual(marked(plainRow(0.3, {l1_hit: 20, ...stalls}), plainRow(0.2, {l1_hit: 80, ...stalls, stall_long_scoreboard: 1})),
                   ['l1_hit', 'stall_long_scoreboard']);
  assert.deepEqual(marked(plainRow(0.3, {l1_hit: 20, ...stalls}), plainRow(0.2, {l1_hit: 80, ...stalls})), [],
                   'warps wait for memory as before');
  assert.deepEqual(marked(plainRow(0.3, {fp64_pipe: 30, issue: 30, clock: 1e9, cycles: 3e8}),
                          plainRow(0.2, {fp64_pipe: 45, issue: 45, clock: 2e9, cycles: 2e8})), [], 'how fast, not why');
  assert.deepEqual(marked(plainRow(0.3, {instructions: 2e11, issue: 50, fp64_pipe: 60, fp64_pipe_instructions: 2e12, fp64_flop: 4e12}, {compute: 0.1}),
                          plainRow(0.2, {instructions: 1e11, issue: 40, fp64_pipe: 50, fp64_pipe_instructions: 1e12, fp64_flop: 2e12}, {compute: 0.05})),
                   ['fp64_pipe_instructions', 'instructions'], 'one of the arithmetic');
});

test('marks on the H200 what the step was made for, and no constants', async () => {
  const page = await open(three);
  const lines = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.counters')].map((box) =>
    [box.querySelector('h4').textContent.replace(/.*, (.*), time.*/, '$1'),
     [...box.querySelectorAll('tr.marked th')].map((cell) => cell.firstChild.textContent)])));
  const all = Object.values(lines).flat();
  assert.ok(all.length > 20, `${all.length} are marked`);
  for (const name of all) assert.doesNotMatch(name, /fp16|clock|cycles|^issue|^fp64 pipe$|selected/);
  assert.deepEqual(lines['cuda: v5 to v6'], ['occupancy']);
  assert.deepEqual(lines['omp gpu: v8 to v9'], ['l1 hit', 'stall long scoreboard']);
  assert.deepEqual(lines['cuda: v10 to v11'], ['fp64 pipe thread instructions', 'warp instructions']);
});

test('says latency where no roof is near, with the stall that shows it', async () => {
  const page = await open(machines);
  const cells = await page.locator('#roofs-table tbody tr').evaluateAll((rows) => rows.map((row) =>
    [...row.cells].map((cell) => cell.textContent)));
  const row = (variant, model) => cells.find((one) => one[0] === variant && one[1] === model).join('|');
  assert.match(row('v8', 'cuda'), /27\.0%\|latency\|long scoreboard 5\.32/);
  assert.match(row('v10', 'cuda'), /46\.6%\|compute\|.*71\.8%/, 'its FP64 pipe is busy');
  assert.match(row('v12', 'cuda'), /60\.8%\|compute/);
  assert.match(row('v7', 'omp'), /3\.66%\|no roof near\|–/);
  assert.match(await page.locator('#step-v8').textContent(), /latency \(long_scoreboard 5\.32 per issue\)/);
});

test('names the model of each step, and whose instructions are counted', async () => {
  const page = await open(three);
  assert.match(await page.locator('#step-v7 > summary').textContent(), /reciprocal.*232 ms, omp gpu/);
  const other = await open(machines);
  assert.match(await other.locator('#step-v7 > summary').textContent(), /232 ms, NVIDIA H200, omp gpu/);
  const counters = await page.locator('#step-v7 .counters').first().textContent();
  assert.match(counters, /warp instructions/);
  assert.match(counters, /fp64 pipe thread instructions/);
});

withPlotly('switches machines where studies share a report', async () => {
  const page = await open(both);
  const names = async () => [...new Set((await points(page)).map((trace) => trace.name.split(',')[0]))];
  assert.equal((await names()).length, 2);
  await choose(page, 'machines', 'Sample GPU');
  assert.deepEqual(await names(), ['Sample CPU (not a measurement)']);
  assert.equal(await page.locator('#results-table tbody tr').count(), 10);
});

test('gives labels the cheapest places that are free, and those with little choice theirs first', () => {
  const {boxAround, placeLabels} = placement();
  const place = (x, cost, leader) => ({box: boxAround(x, 50, 10, 10), cost, leader});
  const room = {frame: {left: 0, top: 0, right: 100, bottom: 100}, boxes: [boxAround(20, 50, 10, 10)], lines: []};
  const costs = (labels, other = {}) => placeLabels(labels, {...room, ...other}).map((one) => one?.cost ?? null);
  assert.deepEqual(costs([[place(20, 0), place(40, 2), place(60, 1)]]), [1], 'taken, dear, cheap');
  assert.deepEqual(costs([[place(60, 0), place(40, 2)], [place(60, 1)]]), [2, 1], 'the second has but one place');
  assert.deepEqual(costs([[place(60, 0)], [place(60, 0)], [place(97, 0)]]), [0, null, null], 'no room, and outside');
  const two = (x, y) => [place(x, 0), place(y, 1)];
  assert.deepEqual(costs([two(40, 80), two(60, 90), [place(40, 0), place(41, 1), place(60, 2)]]), [1, 0, 0],
                   'the third found its places taken, and the first has another one');
  const line = {x1: 60, y1: 0, x2: 60, y2: 100};
  assert.deepEqual(costs([[place(60, 0), place(40, 0.5), place(80, 0.7)]], {lines: [line]}), [0.5], 'off the line');
  const over = {x1: 10, y1: 50, x2: 35, y2: 50};
  assert.deepEqual(costs([[place(40, 0, over), place(60, 3)]]), [3], 'no leader over what is there');
  assert.deepEqual(costs([[place(40, 0, {...over, x1: 20})]]), [0], 'except from within it');
  const long = {x1: 30, y1: 50, x2: 75, y2: 50};
  assert.deepEqual(costs([[place(80, 0, long)], [place(50, 0), place(50, 1)]]), [0, null], 'none on a leader');
});

test('tells threads and the load of others, and nothing that a record does not say', () => {
  const scripts = [script('roofline', 'numbers'), script('harness/report', 'record')].join('\n');
  const {isDisturbed, threadsText, loadText} =
    new Function(`${scripts}; return {isDisturbed, threadsText, loadText};`)();
  const quiet = {model: 'omp', kind: 'host', threads: 2, load: {others: [0.01, null], steal: [0.02, null], disturbed: false}};
  const busy = {...quiet, load: {others: [0.3, 0.2], steal: [0.05, 0], disturbed: true}};
  const old = {model: 'serial', kind: 'host'};
  assert.deepEqual([quiet, busy, old].map(isDisturbed), [false, true, false]);
  assert.equal(threadsText([quiet, busy, {...old, threads: 1}]), 'omp 2, serial 1');
  assert.equal(threadsText([old]), '');
  assert.match(loadText([quiet, busy]), /at most 35/);
  assert.equal(loadText([{...quiet, load: {others: [null], steal: [null]}}]), 'not known');
  assert.equal(loadText([old]), '');
  assert.equal(loadText([{...busy, kind: 'gpu'}]), '', 'a GPU does not wait for the cores');
});

test('moves labels apart as little as can be', () => {
  const {spreadOut} = placement();
  assert.deepEqual(spreadOut([10, 50, 90], 20, 0, 100), [10, 50, 90]);
  assert.deepEqual(spreadOut([50, 50], 20, 0, 100), [40, 60]);
  assert.deepEqual(spreadOut([40, 48, 62], 20, 0, 100), [30, 50, 70], 'all three');
  assert.deepEqual(spreadOut([0, 5, 95, 100], 20, 0, 100), [0, 20, 80, 100]);
  assert.deepEqual(spreadOut([], 20, 0, 100), []);
});

withPlotly('labels the roofline so that no label covers another one or a marker', async () => {
  for (const path of [three, machines, single, host])
    for (const [width, colorScheme] of [[360, 'light'], [390, 'dark'], [700, 'light'], [1280, 'light'], [1920, 'dark']]) {
      const page = await open(path, {width, colorScheme});
      const labels = await expectReadable(page, `${path} at ${width}`);
      const {markers} = await marksOf(page);
      // A kernel of a variant has a point, and its name on pointing.
      const variants = new Set(markers.filter(({variant}) => !variant.includes(' ')).map(({variant, series}) => `${variant} ${series}`)).size;
      const names = await expectNamesAtTheirMarkers(page);
      assert.ok(names.length >= variants * (width < 1000 || path === machines ? 0.6 : 1),
                `${path} at ${width}: ${names.length} of ${variants} variants are named`);
      const roofs = labels.filter((label) => label.kind === 'roof').flatMap(({text}) => text.split(' and '));
      const there = (await marksOf(page)).roofs.length;
      assert.ok(roofs.length >= (width < 1000 ? 0.6 : 1) * there,
                `${path} at ${width}: ${roofs.length} of ${there} roofs are named`);
      await page.close();
    }
});

withPlotly('leads from the name of each flat roof to its end', async () => {
  for (const width of [1280, 1920]) {
    const page = await open(three, {width});
    const flat = (await marksOf(page)).roofs.filter((roof) => roof.flat);
    assert.ok(flat.length >= 3);
    const labels = await labelsOf(page);
    for (const roof of flat) {
      const label = labels.find(({text}) => text.startsWith(`${roof.text}<br>`));
      const [from, to] = label.ends.sort((a, b) => b.x - a.x);
      assert.ok(Math.hypot(to.x - roof.x, to.y - roof.y) < 2, `${roof.text}: ${to.x} ${to.y}, not ${roof.x} ${roof.y}`);
      assert.ok(Math.abs(from.x - label.left) < 4 && from.y > label.top && from.y < label.bottom, roof.text);
    }
    await page.close();
  }
});

withPlotly('names a roof on its line where the margin has no room', async () => {
  const page = await open(three, {width: 390});
  const labels = (await labelsOf(page)).filter(({kind}) => kind === 'roof');
  const named = (await marksOf(page)).roofs.filter((roof) => roof.flat).flatMap((roof) => labels
    .filter(({text}) => `FP64, ${text}` === roof.text).map((label) => ({label, roof})));
  assert.ok(named.length >= 2, 'some roof gives way to another one');
  for (const {label, roof} of named)
    assert.ok(Math.abs((label.top + label.bottom) / 2 - roof.y) < 1.5, roof.text);
});

withPlotly('places the labels anew for every switch, width and zoom', async () => {
  const page = await open(three);
  const named = async (where) => {
    await expectReadable(page, where);
    return new Set(await expectNamesAtTheirMarkers(page));
  };
  assert.ok((await named('all')).has('v10'));
  await choose(page, 'levels', 'DRAM');
  await named('without DRAM');
  await choose(page, 'models', 'cuda');
  assert.ok(!(await named('without cuda')).has('v10'), 'only cuda has a v10');
  await choose(page, 'levels', 'DRAM');
  await choose(page, 'models', 'cuda');
  await drawnAnew(page, () => page.setViewportSize({width: 800, height: 900}));
  await named('narrower');
  const place = (variant) => marksOf(page).then(({markers}) =>
    markers.find((one) => one.variant === variant && one.level === 'dram' && one.series.includes('omp')));
  await relabelled(page, async () => {
    const [corner, other] = [await place('v8'), await place('v9')];
    await page.mouse.move(corner.x - 20, corner.y + 30);
    await page.mouse.down();
    await page.mouse.move(other.x + 20, other.y - 30, {steps: 4});
    await page.mouse.up();
  });
  const close = await named('zoomed');
  assert.ok(close.has('v6') && !close.has('v10'), [...close].join());
  await relabelled(page, async () => {
    const {x, y} = await place('v9');
    await page.mouse.dblclick(x - 5, y - 50);
  });
  assert.ok((await named('and back')).has('v10'));
});

withPlotly('draws arrows at the outermost level alone where several models are shown', async () => {
  const page = await open(three);
  const arrows = async () => (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta.arrows).length;
  assert.equal(await arrows(), 3);
  await choose(page, 'models', 'omp gpu');
  await choose(page, 'models', 'thrust');
  assert.equal(await arrows(), 4, 'one model at four levels');
  await choose(page, 'models', 'thrust');
  assert.equal(await arrows(), 2, 'two models at one level');
});

/** A report as if `change` had befallen its first study. */
function changed(path, name, change) {
  const text = readFileSync(path, 'utf8');
  const [, json] = text.match(/id="report-data">(.*?)<\/script>/s);
  const data = JSON.parse(json);
  change(data.studies[0].study);
  const other = join(folder, name);
  writeFileSync(other, text.replace(json, () => JSON.stringify(data).replaceAll('<', '\\u003c')));
  return other;
}

/** FP32 work in v7 of CUDA, twice as much as in FP64, that keeps shared memory busy. */
function mixPrecisions(study) {
  const v7 = study.results.find((result) => result.variant === 'v7' && result.model === 'cuda');
  const fp64 = {...v7.roofline, precision: 'fp64', share: 1 / 3};
  const doubled = (values) => Object.fromEntries(Object.entries(values).map(([level, x]) => [level, 2 * x]));
  v7.rooflines = {
    fp32: {...fp64, precision: 'fp32', share: 2 / 3, flops: 2 * fp64.flops, flops_per_s: 2 * fp64.flops_per_s,
           intensity: {...doubled(fp64.intensity), shared: 5}, bytes: {...fp64.bytes, shared: 1e12},
           percent: {...fp64.percent, shared: 40}},
    fp64};
  const compute = study.ceilings.gpu.list.find((roof) => roof.name === 'fp64_fma');
  study.ceilings.gpu.list.push({...compute, name: 'fp32_fma', label: 'FP32, FMA', measured: 2 * compute.measured});
}

withPlotly('shows one precision at a time, under its own roofs, and lets the reader choose', async () => {
  assert.equal(await (await open(single)).locator('fieldset[data-switch="precision"], #shares-table').count(), 0,
               'there is nothing to choose');
  const page = await open(changed(single, 'mixed.html', mixPrecisions));
  const roofs = async () => (await tracesOf(page, 'roofline-chart')).filter((trace) => trace.meta?.roof && !trace.meta.dashed)
    .map((trace) => trace.meta.roof).sort();
  const axis = () => page.locator('#roofline-chart .ytitle').textContent();
  assert.ok((await roofs()).includes('fp64_fma') && !(await roofs()).includes('fp32_fma'));
  assert.equal(await axis(), 'FP64 operations per second');
  await choose(page, 'precision', 'FP32');
  assert.deepEqual(await roofs(), ['dram', 'fp32_fma', 'l1', 'l2', 'shared']);
  assert.equal(await axis(), 'FP32 operations per second');
  const shown = await points(page);
  assert.deepEqual(shown.map((trace) => [trace.meta.level, trace.x.length]),
                   [['l1', 1], ['shared', 1], ['l2', 1], ['dram', 1]], 'v7 alone, shared memory behind L1');
  assert.match(shown[1].hover[0], /v7.*at shared memory.*FP32 of all operations: 66\.7%/);
  await expectReadable(page, 'FP32');
  assert.match(await page.locator('#shares-table tbody').textContent(), /v7.*cuda33\.3%66\.7%/);
  await choose(page, 'precision', 'FP64');
  assert.ok((await points(page)).some((trace) => trace.x.length === 12));
});

/** The record of the sample with instructions. */
function instructionStudy() {
  const study = JSON.parse(readFileSync(join(source, 'tests/report/sample-instructions/study.json')));
  const roof = (name) => study.ceilings.gpu.list.find((one) => one.name === name);
  const result = (variant) => study.results.find((one) => one.variant === variant && one.model === 'cuda');
  return {study, roof, result};
}

function near(value, wanted, what, slack = 1e-9) {
  assert.ok(Math.abs(value / wanted - 1) < slack, `${what}: ${value}, not ${wanted}`);
}

withPlotly('places instructions over transactions, with a dash for lanes that were switched off', async () => {
  const page = await open(instructions);
  const traces = await tracesOf(page, 'instructions-chart');
  const markers = traces.filter((trace) => trace.meta.level);
  assert.deepEqual(markers.map((trace) => trace.meta.level), ['l1', 'l2', 'dram']);
  const {result, roof} = instructionStudy();
  const {metrics, time_s: time} = result('v9');
  const at = (trace) => trace.meta.variants.indexOf('v9');
  const dashes = traces.filter((trace) => trace.meta.dashes);
  assert.equal(dashes.length, 3, 'at every level');
  for (const [i, name] of ['l1_transactions', 'l2_transactions', 'dram_transactions'].entries()) {
    near(markers[i].x[at(markers[i])], metrics.instructions / metrics[name], name);
    near(markers[i].y[at(markers[i])], metrics.active_warp_instructions / time.median, 'the marker');
    near(dashes[i].y[at(markers[i])], metrics.instructions / time.median, 'the dash');
  }
  const roofs = traces.filter((trace) => trace.meta.roof && !trace.meta.dashed);
  assert.deepEqual(roofs.map((trace) => trace.meta.roof), ['l1', 'l2', 'dram', 'issue', 'issue_fp64', 'issue_alu', 'issue_xu']);
  const l2 = roofs.find((trace) => trace.meta.roof === 'l2');
  near(l2.y[3] / l2.x[3], roof('l2').measured / 32, 'sectors of 32 B');
  const pipe = roofs.find((trace) => trace.meta.roof === 'issue_fp64');
  assert.ok(pipe.y.every((y) => y === roof('issue_fp64').measured), 'a pipe is flat and below the peak');
  assert.equal(await page.locator('#instructions-chart .ytitle').textContent(), 'warp instructions per second');
  const text = markers[2].hover[at(markers[2])];
  for (const part of ['v9 cache_blocking at DRAM', 'rate: 570 GIPS', 'switched off: 594 GIPS', 'of their lanes: 96.0%', 'inst/txn', 'moved: 253 Mtxn'])
    assert.ok(text.includes(part), `'${part}' is not in '${text}'`);
  assert.doesNotMatch(text, /FLOP| B<|undefined|NaN/);
});

withPlotly('ends walls at their roofs, and says what they are', async () => {
  const page = await open(instructions);
  const {roof} = instructionStudy();
  const expected = {'global_access-chart': [['same address', 1], ['unit stride, 4 B', 1 / 4], ['unit stride, 8 B', 1 / 8],
                                            ['a sector a thread', 1 / 32]],
                    'shared_access-chart': [['no conflict', 1], ['all in one bank', 1 / 32]]};
  for (const [chart, walls] of Object.entries(expected)) {
    const drawn = (await tracesOf(page, chart)).filter((trace) => trace.meta.wall);
    assert.deepEqual(drawn.map((trace) => [trace.name, trace.x[0]]), walls, chart);
    const bandwidth = chart.startsWith('global') ? roof('l1').measured / 32 : roof('shared').measured / 128;
    for (const {name, x, y, hover: text} of drawn) {
      assert.ok(x.every((one) => one === x[0]), 'upright');
      near(Math.max(...y), Math.min(roof('issue').measured, x[0] * bandwidth), name);
      assert.match(text, new RegExp(`${name}, a pattern of access.*GIPS`));
    }
    const names = (await labelsOf(page, chart)).map(({text}) => text);
    for (const [name] of walls) assert.ok(names.includes(name), `'${name}' is not among ${names.join('; ')}`);
  }
  assert.ok(!(await tracesOf(page, 'roofline-chart')).some((trace) => trace.meta.wall), 'operations have none');
});

withPlotly('labels instruction rooflines so that no label covers another one or a marker', async () => {
  for (const [width, colorScheme] of [[360, 'light'], [390, 'dark'], [1280, 'light'], [1920, 'dark']]) {
    const page = await open(instructions, {width, colorScheme});
    for (const chart of ['instructions-chart', 'global_access-chart', 'shared_access-chart']) {
      const labels = await expectReadable(page, `${chart} at ${width}`, chart);
      assert.ok(labels.filter(({kind}) => kind === 'variant').length >= 6, `${chart} at ${width}`);
      const title = await page.locator(`#${chart} .xtitle`).boundingBox();
      assert.ok(title.x >= 0 && title.x + title.width <= width, `${chart} at ${width}: its title is cut off`);
    }
    await page.close();
  }
});

test('shows the kernels of a variant apart, each with what to look at next', async () => {
  const at = await open(draw('kernels', 'results/h200/gpp214'));
  const parts = async () => (await points(at)).flatMap((trace) => trace.meta.variants).filter((name) => name.includes('kernel<'));
  const shown = await parts();
  for (const name of ['v11 cuda::factored_kernel<2, true>', 'v12 cuda::real_poles_kernel<2, false>'])
    assert.ok(shown.includes(name), name);
  assert.ok(!shown.some((name) => name.includes('sum_partials')), 'less than 5% of the time');
  const rows = at.locator('#kernels-table tbody tr');
  assert.equal(await rows.count(), 4);
  const first = await rows.first().innerText();
  assert.match(first, /factored_kernel<2, true>/);
  assert.match(first, /67\.\d%/);
  assert.match(first, /arithmetic/);
  await drawnAnew(at, () => choose(at, 'kernels', 'Kernels of a variant apart'));
  assert.equal((await parts()).length, 0);
  const without = await open(host);
  assert.equal(await without.locator('#kernels-table').count(), 0);
});

test('has a table of instructions, sorted like the others', async () => {
  const page = await open(instructions);
  const cells = () => page.locator('#instructions-table tbody tr').evaluateAll((rows) => rows.map((row) =>
    [...row.cells].map((cell) => cell.textContent)));
  const first = (await cells())[0];
  assert.deepEqual([first[0], first[2], first[3]], ['v1', '619 GIPS', '78.0%']);
  assert.ok(first.includes('0.88× unit stride, 8 B'), first.join('; '));
  const v10 = (await cells()).find(([variant]) => variant === 'v10');
  assert.ok(v10.includes('unit stride, 4 B') && v10.includes('no conflict'), v10.join('; '));
  assert.equal((await cells()).length, 9, 'thrust was not counted');
  const heading = page.locator('#instructions-table thead button', {hasText: 'active'});
  await heading.click();
  await heading.click();
  assert.equal((await cells())[0][3], '97.0%');
});

test('gives the reason where there are no instruction rooflines', async () => {
  const reason = async (path) => (await open(path)).locator('#no-instructions').allTextContents();
  assert.equal((await reason(instructions)).length, 0);
  const [old] = await reason(single);  // of a program that knew no such charts
  assert.match(old, /issue, was not measured; global_instructions was not counted/);
  assert.match(old, /A new gpp study/);
  assert.match((await reason(host))[0], /NVIDIA’s GPUs alone/);
  assert.equal(await (await open(single)).locator('#instructions, #instructions-table').count(), 0);
});

test('keeps the models of instructions apart from those whose work is arithmetic', () => {
  const [, json] = readFileSync(instructions, 'utf8').match(/id="report-data">(.*?)<\/script>/s);
  const {models, instruction_models: own} = JSON.parse(json);
  assert.deepEqual(own.map(({name}) => name), ['instructions', 'global_access', 'shared_access']);
  assert.ok(models.length > 5 && !models.some(({work}) => own.some((one) => one.work === work)));
});

/** A launch of the record costs so much, and the variant starts so many kernels. */
function withLaunches(study, cost, count) {
  study.ceilings.gpu.launch.seconds = cost;
  for (const result of study.results)
    if (result.model === 'cuda') result.launch = Array(count).fill(result.launch[0]);
}

withPlotly('places work and time on the time plane, with a box for launches', async () => {
  const page = await open(instructions);
  const {result, roof} = instructionStudy();
  const traces = await tracesOf(page, 'plane-chart');
  const [least, taken] = ['least', 'taken'].map((place) =>
    traces.find((trace) => trace.meta.place === place && trace.name.includes('cuda')));
  const i = taken.meta.variants.indexOf('v12');
  const {roofline, time_s: time} = result('v12');
  near(least.x[i], roofline.flops / roof('fp64_fma').measured, 'operations at the peak', 0.01);
  near(least.y[i], roofline.bytes.dram / roof('dram').measured, 'bytes at the bandwidth', 0.01);
  const balance = roof('fp64_fma').measured / roof('dram').measured;
  near(taken.x[i], time.median, 'it is held by compute');
  near(taken.y[i], time.median * balance / roofline.intensity.dram, 'T B / AI', 0.01);
  assert.deepEqual([least.symbol, taken.symbol], ['diamond', 'diamond-open']);
  for (const trace of traces.filter((one) => one.meta.runTime))
    assert.deepEqual([trace.x[1], trace.y[1]], [trace.meta.runTime, trace.meta.runTime], 'corners lie on the diagonal');
  const boxes = traces.filter((trace) => trace.meta.box);
  assert.deepEqual(boxes.map((trace) => [trace.meta.box, Number(Math.max(...trace.x).toPrecision(6))]),
                   [[4, 8.8e-6], [2, 4.4e-6], [1, 2.2e-6]], 'the largest below');
  assert.match(taken.hover[i], /v12.*launches: 2, 4\.40 µs of them alone/);
  assert.match(await page.locator('#plane-note').textContent(), /not known.*one launch: .*thrust/);
  await choose(page, 'plane', 'L2');
  const other = (await tracesOf(page, 'plane-chart')).find((trace) => trace.meta.place === 'least' && trace.name.includes('cuda'));
  near(other.y[other.meta.variants.indexOf('v12')], roofline.bytes.l2 / roof('l2').measured, 'bytes of L2', 0.01);
  assert.match(await page.locator('#plane-legend').textContent(), /bytes of L2/);
});

withPlotly('says of launches what it does not draw', async () => {
  const note = async (path) => (await open(path)).locator('#plane-note').textContent();
  assert.match(await note(three), /How often these launch kernels is not known.*thrust/);
  const unmeasured = changed(three, 'no-launch.html', (study) => { delete study.ceilings.gpu.launch; });
  assert.match(await note(unmeasured), /a launch costs on NVIDIA H200 was not measured/);
  assert.match(await note(host), /nothing is launched on Intel Xeon/);
  const short = changed(instructions, 'short-launches.html', (study) => withLaunches(study, 1e-9, 1));
  assert.match(await note(short), /far less than is drawn: 1\.00 ns for 1 launch/);
  const many = await open(changed(instructions, 'many-launches.html', (study) => {
    withLaunches(study, 1e-5, 1);
    study.results.forEach((result, i) => { result.launch = Array(i + 1).fill(study.results[0].launch[0]); });
  }));
  const boxes = (await tracesOf(many, 'plane-chart')).filter((trace) => trace.meta.box);
  assert.deepEqual(boxes.map((trace) => trace.meta.box), [11, 1]);
});

withPlotly('labels the time plane so that no label covers another one', async () => {
  for (const path of [instructions, three, host])
    for (const width of [390, 1280]) {
      const page = await open(path, {width});
      const labels = await labelsOf(page, 'plane-chart');
      assert.ok(labels.filter(({kind}) => kind === 'variant').length >= 5, `${path} at ${width}: ${labels.length} labels`);
      labels.forEach((a, i) => labels.slice(i + 1).forEach((b) =>
        assert.ok(!overlap(a, b), `${path} at ${width}: '${a.text}' and '${b.text}' overlap`)));
      await page.close();
    }
});

/** Texts of a record that would be HTML where anything took them for it. */
function spoil(study) {
  const evil = '<img src=x onerror="document.title=1"></script><b>x</b>';
  for (const roof of study.ceilings.gpu.list) roof.label = `${roof.label} ${evil}`;
  study.ceilings.gpu.launch.definition = evil;
  for (const result of study.results) Object.assign(result, {device: evil, step: evil});
}

withPlotly('takes nothing in the charts of instructions and times for HTML', async () => {
  const page = await open(changed(instructions, 'hostile.html', spoil));
  const before = await page.title();
  for (const chart of ['instructions-chart', 'global_access-chart', 'plane-chart']) {
    const box = page.locator(`#${chart}`);
    assert.equal(await box.locator('img, b').count(), 0, chart);
    const texts = await tracesOf(page, chart);
    for (const {hover: all} of texts)
      for (const text of [all ?? []].flat()) assert.doesNotMatch(text, /<(?!b>|\/b>|br>|extra>|\/extra>)/, chart);
  }
  assert.equal(await page.locator('main img').count(), 0);
  assert.equal(await page.title(), before);
});

/** The sample as another program might write it: with a time, a speedup and a place on the roofline
 *  beside wrong sums. */
function withTimesOfFailures() {
  const [before, failed] = readFileSync(single, 'utf8').split('{"variant":"wrong_idea"');
  const [, roofline] = before.match(/("roofline":\{"(?:precision|flops)":.*?"defects":\[[^\]]*\]\})/);
  const path = join(folder, 'times-of-failures.html');
  writeFileSync(path, [before, failed.replace('"median":null', '"median":0.001')
                                     .replace('"terms_per_s":null', '"terms_per_s":2.4e13')
                                     .replace('"speedup":null', '"speedup":305')
                                     .replace('"roofline":{}', roofline)].join('{"variant":"wrong_idea"'));
  return path;
}

withPlotly('keeps failed variants off every chart', async () => {
  const page = await open(withTimesOfFailures());
  assert.equal(await page.locator('#failures', {hasText: 'wrong_idea'}).count(), 1);
  for (const view of ['speedup', 'time', 'terms/s']) {
    await choose(page, 'ladder', view).catch(() => {});  // the first is chosen already
    for (const chart of ['ladder-chart', 'roofline-chart', 'time-chart', 'plane-chart', 'stalls-chart']) {
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
  assert.match(await panel.locator('.idea abbr', {hasText: 'shared memory'}).first().getAttribute('title'),
               /^Memory of one block/);
});

/** The fastest of a study as a variant of one's own, whose file has one name and no number. */
function nameFastest(study) {
  const passed = study.results.filter((result) => result.status === 'passed');
  const best = passed.sort((a, b) => a.time_s.median - b.time_s.median)[0];
  Object.assign(best, {variant: 'my_idea', step: 'my_idea'});
}

test('names a variant once whose step is called the same', async () => {
  const page = await open(changed(single, 'my-idea.html', nameFastest));
  assert.match(await page.locator('#figures').textContent(), /msmy_idea, /);
  const row = page.locator('#results-table tbody tr', {hasText: 'my_idea'});
  assert.deepEqual(await row.locator(':is(th, td)').evaluateAll((cells) => cells.slice(0, 3).map((cell) => cell.textContent)),
                   ['my_idea', '', 'cuda']);
  assert.match(await page.locator('#step-my_idea > summary').textContent(), /^my_idea[\d.]+ ms/);
  assert.match(await page.locator('#failures').textContent(), /wrong_idea \(/);
  const drawn = await page.evaluate(() => [...document.querySelectorAll('.js-plotly-plot')].map(({data, layout}) =>
    JSON.stringify([data, layout])).join());
  for (const text of [drawn, await page.locator('body').innerText()])
    assert.doesNotMatch(text, /my_idea(\s|<br>)*my[_ ]/);
});

/** As LIKWID and a traced build count the steps of a host, which take ever fewer bytes and divisions. */
function countOnHost(study) {
  study.results.filter((result) => result.metrics).forEach((result, i) => Object.assign(result.metrics, {
    l3_bytes: 7.65e6 / (i + 1), fp64_flop_scalar: 2e9, traced_flop: 6e9, divisions: 3e8 / (i + 1),
    division_time: 0.0937, scalar_fraction: 0.5}));
}

test('gives the metrics of a host their units', async () => {
  const page = await open(changed(host, 'counted-on-host.html', countOnHost));
  const values = await page.locator('.counters tbody tr').evaluateAll((rows) => rows.flatMap((row) =>
    [1, 2].map((i) => [row.cells[0].firstChild.textContent, row.cells[i].textContent])));
  const units = {'l3 bytes': /^[\d.]+ [kMG]?B$/, 'dram bytes': /^[\d.]+ [kMG]?B$/, 'fp64 flop scalar': /^2\.00 GFLOP$/,
                 'traced flop': /^6\.00 GFLOP$/, 'division time': /^9\.37%$/, 'scalar fraction': /^50\.0%$/};
  for (const [name, unit] of Object.entries(units)) {
    const shown = values.filter(([metric]) => metric === name).map(([, value]) => value);
    assert.ok(shown.length > 5, `${name} is shown ${shown.length} times`);
    for (const value of shown) assert.match(value, unit, name);
  }
});

test('claims no more than the rule tells where no counter is marked', async () => {
  const page = await open(changed(host, 'unexplained.html', countOnHost));
  const notes = await page.locator('.counters:not(:has(.marked)) > p').allTextContents();
  const rule = 'None of these meets the rule for “explains” at the end of this section. The rule does not ask ' +
    'every counter, so the cause may still be among them.';
  assert.ok(notes.includes(rule), notes.join('\n'));
  for (const note of notes) assert.ok(note === rule || note.startsWith('The two times do not differ'), note);
});

/** A report of the sample with lines as if `change` had befallen its record. */
function drawLines(name, change) {
  const study = JSON.parse(readFileSync(join(source, 'tests/report/sample-lines/study.json')));
  change(study, study.results.at(-1).lines);
  const record = join(folder, `${name}-record`);
  mkdirSync(record);
  writeFileSync(join(record, 'study.json'), JSON.stringify(study));
  const output = join(folder, name);
  execFileSync(gpp, ['report', record, '-o', output]);
  return join(output, 'report.html');
}

/** The row of a line in the file that is shown. */
function sourceLine(page, number) {
  return page.locator(`#source-code tr[data-line="${number}"]`);
}

async function told(page) {
  return `${await page.locator('#source-headline').textContent()} ${await page.locator('#source-line').textContent()}`;
}

/** Waits until it tells of that line. */
function tells(page, name) {
  return page.waitForFunction((wanted) => document.getElementById('source-headline').textContent.startsWith(`${wanted} `), name);
}

/** Chooses the file with that in its name. */
async function chooseFile(page, part) {
  const options = await page.locator('#source-file option').allTextContents();
  await page.locator('#source-file').selectOption({label: options.find((text) => text.includes(part))});
}

test('shows the source of a variant with the heat of each line', async () => {
  const page = await open(lines);
  const text = readFileSync(join(source, 'tests/report/sample-lines/study.json'), 'utf8');
  const record = JSON.parse(text).results.at(-1).lines;
  const own = 'variants/cuda/v12_real_poles.cu';
  const rows = await page.locator('#source-code tbody tr').evaluateAll((all) => all.map((row) =>
    [row.cells[0].textContent, row.querySelector('.code').textContent, row.querySelector('.heat').textContent]));
  assert.deepEqual(rows.map(([number, code]) => [number, code]), record.sources[own].map((line, i) => [String(i + 1), line]));
  const wanted = (number) => record.lines.filter((line) => (line.called_from ?? line).file === own &&
    (line.called_from ?? line).line === number).reduce((sum, line) => sum + line.samples, 0) / record.samples;
  const hottest = record.lines.map((line) => line.called_from?.line).sort((a, b) => wanted(b) - wanted(a))[0];
  for (const number of [hottest, 48, 66])
    assert.equal(rows[number - 1][2], `${(100 * wanted(number)).toFixed(1)}%`, `line ${number}`);
  const bar = (number) => page.locator('#source-code tbody tr').nth(number - 1).locator('.heat').evaluate((cell) =>
    parseFloat(getComputedStyle(cell).backgroundSize.split(',')[0].replace('calc(', '')));
  assert.ok(await bar(hottest) === 100 && await bar(48) < 50, `${await bar(hottest)}% and ${await bar(48)}%`);
  const numbers = await sourceLine(page, 43).locator('.count').allTextContents();
  assert.match(numbers.join('|'), /^[\d.]+ [kM]\|[\d.]+ [MG]\|[\d.]+ M \/ [\d.]+ M\|[\d.]+ [kM] \/ [\d.]+ [kM]$/);
});

test('tells of a line what its warps waited for, most first, with meanings and counts', async () => {
  const page = await open(lines);
  await sourceLine(page, 43).scrollIntoViewIfNeeded();
  await sourceLine(page, 43).hover();
  const reasons = await page.locator('.reasons-of-line tr').evaluateAll((rows) => rows.map((row) =>
    [...row.cells].map((cell) => cell.textContent)));
  const shares = reasons.map(([, share]) => parseFloat(share.replace('<', '')));
  assert.deepEqual(shares, shares.toSorted((a, b) => b - a));
  assert.ok(reasons.length > 5 && !reasons.some(([name]) => name === 'selected'), 'a selected warp does not stall');
  const meaning = (name) => reasons.find(([reason]) => reason === name)[2];
  assert.match(meaning('wait'), /fixed|latency|dependen/i);
  assert.ok(meaning('no instructions').length > 10, 'CUPTI names it otherwise than the counters');
  const text = await told(page);
  for (const part of [/^v12_real_poles\.cu:43 [\d.]+% of all samples: [a-z ]+ \d+%, /, /issued, which is no stall\d+/,
                      /warp instructions[\d,]{7,}/, /thread instructions[\d,]{9,}, 32\.0 of a warp’s 32 threads/, /sectors of global memory[\d,]+; [\d,]+ would do \(\d\.\d\d×\)/])
    assert.match(text, part);
});

test('keeps a line that is clicked, and follows the arrow keys', async () => {
  const page = await open(lines);
  const first = await told(page);
  await sourceLine(page, 43).click();
  assert.match(await told(page), /^v12_real_poles\.cu:43 /);
  await sourceLine(page, 66).hover();
  assert.match(await told(page), /^v12_real_poles\.cu:66 /, 'while the mouse is there');
  await page.locator('#source-words').hover();
  assert.match(await told(page), /^v12_real_poles\.cu:43 /, 'and back');
  await sourceLine(page, 43).focus();
  await page.keyboard.press('ArrowDown');
  const next = await told(page);
  assert.doesNotMatch(next, /^v12_real_poles\.cu:43 /);
  assert.notEqual(next, first);
  await page.keyboard.press('ArrowUp');
  assert.match(await told(page), /^v12_real_poles\.cu:43 /);
  assert.equal(await page.locator('#source-code tr[tabindex="0"]').count(), 1, 'one stop for the tabulator key');
});

test('tells of a line that is tapped on a phone, where counts have no columns', async () => {
  const page = await open(lines, {width: 390, hasTouch: true});
  await sourceLine(page, 48).tap();
  assert.match(await told(page), /^v12_real_poles\.cu:48 .*warp instructions[\d,]{7,}/s);
  assert.equal(await page.locator('#source-code .count:visible').count(), 0);
  assert.ok(await overflow(page) <= 0);
});

test('leads from the hottest lines to the source, and on to what was inlined there', async () => {
  const page = await open(lines);
  const hot = page.locator('#hottest-lines tbody tr');
  const shares = await hot.locator('.heat').allTextContents();
  assert.ok(shares.length >= 5 && shares.length <= 10, `${shares.length} lines`);
  const values = shares.map(parseFloat);
  assert.deepEqual(values, values.toSorted((a, b) => b - a));
  for (const text of await hot.locator('td:nth-child(3)').allTextContents()) assert.match(text, /^[a-z ]+ [1-9]\d?%/);
  assert.doesNotMatch((await hot.allTextContents()).join(), / 0%/);
  const elsewhere = await hot.locator('th', {hasText: 'in other kernels'}).allTextContents();
  assert.ok(elsewhere.includes('device_double.cuh:27 in other kernels'), elsewhere.join());
  const link = hot.nth(1).locator('a');
  const name = await link.textContent();
  await link.click();
  await tells(page, name);
  assert.equal(await page.locator('#source-code tr.chosen').getAttribute('data-line'), name.split(':')[1]);
  assert.match(await page.evaluate(() => location.hash), /^#source-0-0-\d+$/);
  const inlined = page.locator('.parts-of-line a').first();
  const other = await inlined.textContent();
  await inlined.click();
  await page.locator('.parts-of-line h4', {hasText: 'Called from'}).waitFor();
  await tells(page, other);
  const shown = await page.locator('#source-file option:checked').textContent();
  assert.ok(shown.includes(other.split(':')[0]), `${other} in ${shown}`);
  await page.goBack();
  await tells(page, name);
  await page.locator('#step-v12 > summary').click();
  const step = page.locator('#step-v12 tr', {hasText: 'hottest line'});
  assert.match(await step.textContent(), /v12_real_poles\.cu:43 \(34\.9% of the samples\)/);
  await step.locator('a').click();
  await tells(page, 'v12_real_poles.cu:43');
});

test('shows every file that was inlined, and says where it has no text', async () => {
  const page = await open(lines);
  const options = await page.locator('#source-file option').allTextContents();
  assert.match(options[0], /^variants\/cuda\/v12_real_poles\.cu \(\d/);
  for (const file of ['gpp/array.h', 'gpp/complex.h', 'device_double.cuh', '/usr/local/cuda/include/sm_30_intrinsics.hpp'])
    assert.ok(options.some((text) => text.includes(file)), file);
  await chooseFile(page, 'gpp/array.h');
  assert.match(await sourceLine(page, 29).textContent(), /data|\[|return/);
  assert.match(await page.locator('#source-words').textContent(), /whoever called it: together [\d.]+% of the samples/);
  await chooseFile(page, 'sm_30_intrinsics.hpp');
  assert.match(await page.locator('#source-words').textContent(), /does not hold the text of this file/);
  assert.match(await sourceLine(page, 397).textContent(), /__shfl_down_sync/);
  await chooseFile(page, 'code without a line');
  assert.match(await page.locator('#source-code').textContent(), /division/);
  assert.match(await told(page), /^code without a line/);
});

test('says how lines were measured, and what is lost or doubtful', async () => {
  const page = await open(lines);
  const how = await page.locator('#source-how').textContent();
  assert.match(how, /1,290,492 samples, one of a multiprocessor every 4096 cycles; 148 in kernels.*\+1\.0% while it was sampled/);
  assert.match(how, /Instructions were counted on the whole input/);
  assert.match(await page.locator('#source-lost').textContent(), /Missing or doubtful:.*warp_instructions: the lines have 30599812/);
  assert.match(await page.locator('#source').textContent(), /gpp lines v1 --into FOLDER adds/, 'v1 has none');
  const part = await open(drawLines('part', (_, all) => {
    Object.assign(all, {part: "35 of 1385 G'", scale: 39.5714, lost: [], dropped: 7});
  }));
  assert.match(await part.locator('#source-how').textContent(), /7 more dropped.*35 of 1385 G' and multiplied by 39\.5714/);
  assert.equal(await part.locator('#source-lost').count(), 0);
});

test('names the command that adds lines where a record has none', async () => {
  const page = await open(single);
  const notice = page.locator('#source');
  assert.match(await notice.textContent(), /line by line.*No variant has evidence per source line yet: gpp lines v1 --into FOLDER adds/);
  assert.equal(await notice.locator('table, select').count(), 0);
  assert.equal(await (await open(host)).locator('#source').count(), 0, 'there is no such evidence of processors');
});

test('chooses among variants with lines, of those that are shown', async () => {
  const path = drawLines('several', ({results}, all) => {
    results[0].lines = {...all, part: '3 of 4', scale: 2};
  });
  const page = await open(path);
  assert.match(await page.locator('#source-body h3').textContent(), /^v12 real_poles/);
  await choose(page, 'source', 'v1 collapse3');
  assert.match(await page.locator('#source-body h3').textContent(), /^v1 collapse3/);
  assert.match(await page.locator('#source-how').textContent(), /3 of 4/);
  const shared = readFileSync(join(source, 'gpp/array.h'), 'utf8').split('\n')[0];
  assert.equal(readFileSync(path, 'utf8').split(shared).length, 2, 'both have this file, and the page has it once');
  await page.evaluate(() => { location.hash = '#source-1-0-48'; });
  await tells(page, 'v12_real_poles.cu:48');
  assert.match(await page.locator('#source-body h3').textContent(), /^v12 real_poles/);
});

test('takes nothing of the sources for HTML', async () => {
  const evil = '<img src=x onerror="document.title=1"></script><b>x</b>';
  const page = await open(drawLines('hostile-lines', (_, all) => {
    const file = Object.keys(all.sources).find((one) => one.endsWith('.cu'));
    all.sources[file][42] = evil;
    all.lost = [evil];
    all.part = evil;
    all.lines = all.lines.map((line) => ({...line, function: evil,
      file: line.file.startsWith('/') ? `/${evil}` : line.file}));
  }));
  await sourceLine(page, 43).click();
  await chooseFile(page, 'onerror');
  assert.ok((await page.locator('#source').textContent()).includes(evil));
  assert.equal(await page.locator('#source img, #source b').count(), 0);
  assert.doesNotMatch(await page.title(), /^1$/);
});

test('stays quick with ten thousand lines of a file of twenty thousand', async () => {
  const path = drawLines('long', (_, all) => {
    const [file] = Object.keys(all.sources).filter((one) => one.endsWith('.cu'));
    const [line] = all.lines;
    all.sources = {[file]: Array.from({length: 20000}, (_one, i) => `line ${i + 1}`)};
    all.lines = Array.from({length: 10000}, (_one, i) => ({...line, file, line: 2 * i + 2, function: 'f', stalls: {wait: i + 1}, samples: i + 1}));
    all.samples = 10000 * 10001 / 2;
  });
  const start = Date.now();
  const page = await open(path);
  assert.ok(Date.now() - start < 20000, `${Date.now() - start} ms`);
  const shown = () => page.locator('#source-code tbody tr').count();
  assert.equal(await shown(), 1000);
  assert.match(await page.locator('#source-parts').textContent(), /Lines 1 to 1,000 of 20,000/);
  await page.locator('#source-parts button', {hasText: 'Later'}).click();
  assert.match(await page.locator('#source-parts').textContent(), /Lines 1,001 to 2,000 of/);
  await page.locator('#hottest-lines a').first().click();
  await tells(page, 'v12_real_poles.cu:20000');
  assert.match(await page.locator('#source-parts').textContent(), /Lines 19,001 to 20,000 of/);
  assert.equal(await shown(), 1000);
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

/** The sample on a part of its device and on the whole: on the part nothing was counted by hardware. */
function trajectoryRecord() {
  const study = JSON.parse(readFileSync(join(source, 'tests/report/sample-gpu/study.json'), 'utf8'));
  const path = join(folder, 'trajectory-record');
  mkdirSync(path, {recursive: true});
  const part = structuredClone(study);
  for (const {counting, roofline} of part.results.filter((result) => result.counting.source)) {
    counting.source = 'analytic';
    roofline.analytic = true;
  }
  const {results: [{device}], created} = study;
  writeFileSync(join(path, 'trajectory.json'), JSON.stringify({
    schema_version: 1, kernel: 'gpp', created, complete: true, kind: 'gpu', device, units: 132, seconds: 1, sizes: ['small'],
    lost: ['a process <b>crashed</b>'], points: [{units: 66, size: 'small', study: part}, {units: 132, size: 'small', study}]}));
  return relative(source, path);
}

withPlotly('shows trajectories, hollow where nothing was counted', async () => {
  const path = draw('trajectory', trajectoryRecord());
  const page = await open(path);
  const box = page.locator('#trajectory-1');
  assert.match(await box.locator('h2').textContent(), /^Over multiprocessors$/);
  assert.match(await box.textContent(), /Missing: a process <b>crashed<\/b>/, 'as text');
  const first = await box.locator('.chart').first().getAttribute('id');
  const traces = await tracesOf(page, first);
  assert.deepEqual(traces.filter((trace) => trace.meta?.roof).map((trace) => trace.meta.roof), [66, 132]);
  const curves = traces.filter((trace) => trace.meta?.curve);
  assert.ok(curves.length > 1);
  for (const {symbol} of curves) assert.deepEqual(symbol, ['circle-open', 'circle']);
  const rows = box.locator('table').first().locator('tbody tr');
  assert.equal(await rows.count(), 2);
  assert.match(await rows.first().textContent(), /^66.*1\.00×.*\(\d/s, 'in brackets');
  assert.ok(await page.locator('#results-table tbody tr').count() > 5, 'and the study on the most');
  for (const width of [360, 1920]) {
    const sized = await open(path, {width});
    assert.ok(await overflow(sized) <= 0, `wider than ${width} pixels`);
    await sized.close();
  }
});

test('fits a phone and a projector', async () => {
  for (const path of [single, both, bare, host, instructions, lines])
    for (const width of [360, 1920]) {
      const page = await open(path, {width});
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
      assert.ok(await overflow(page) <= 0, `${path} is wider than ${width} pixels`);
      await page.close();
    }
});

test('prints light, without its switches', async () => {
  const page = await open(single, {colorScheme: 'dark'});
  await drawnAnew(page, () => page.emulateMedia({media: 'print', colorScheme: 'dark'}));
  assert.ok(await brightness(page) > 200);
  assert.equal(await page.locator('fieldset.switches:visible').count(), 0);
  const inks = await page.locator('.js-plotly-plot').evaluateAll((boxes) =>
    boxes.map((box) => box.layout.font.color));
  assert.ok(inks.every((ink) => ink === '#1b1d21'), `charts in ${inks} on white paper`);
  await drawnAnew(page, () => page.emulateMedia({media: 'screen', colorScheme: 'light'}));
  await choose(page, 'theme', 'Dark');
  await page.emulateMedia({media: 'print'});
  assert.ok(await brightness(page) > 200, 'whatever was chosen for the screen');
});

test('says what is missing where nothing was counted', async () => {
  const page = await open(bare);
  assert.match(await page.locator('#roofline').textContent(), /Nothing was counted.*gpp doctor/s);
  assert.equal(await page.locator('#time, #stalls').count(), 0, 'no empty charts');
  assert.ok(await page.locator('#results-table tbody tr').count() > 10);
});

test('says loudly that a study is partial', async () => {
  assert.equal(await (await open(single)).getByText('Partial: ').count(), 0);
  const path = join(folder, 'partial.html');
  writeFileSync(path, readFileSync(single, 'utf8').replace('"complete":true', '"complete":false'));
  const page = await open(path);
  assert.match(await page.locator('#main > .notice').first().textContent(), /^Partial: .*interrupted or killed/);
});

test('falls back to static charts without Plotly', async () => {
  const text = readFileSync(single, 'utf8').replace(/<script>\/\*\*\s*\* plotly\.js.*?<\/script>/s, '<script></script>');
  const image = 'data:image/svg+xml;base64,' + Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"/>').toString('base64');
  const path = join(folder, 'static.html');
  const drawings = ['roofline.svg', 'roofline-instructions.svg', 'roofline-gpu-global_access.svg', 'plane.svg'];
  writeFileSync(path, text.replace(/"charts":\{[^}]*\}/, `"charts":${JSON.stringify(Object.fromEntries(
    drawings.map((name) => [name, image])))}`));
  const page = await open(path);
  const picture = page.locator('#roofline-chart img');
  assert.equal(await picture.count(), 1, 'those of instructions are others');
  assert.equal(await page.locator('#plane-chart img').count(), 1);
  assert.equal(await picture.evaluate((one) => one.naturalWidth), 9);
  assert.match(await page.locator('#ladder-chart').textContent(), /needs Plotly.*No ladder\.svg/s);
  assert.ok(await page.locator('#results-table tbody tr').count() > 10);
});

test('gave the browser no reason to complain, and asked no network', () => {
  assert.deepEqual(complaints, []);
});
