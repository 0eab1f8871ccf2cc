// A page with a sample of each block, assembled from roofline/page/ without a program.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const page = (source, name) => readFileSync(join(source, 'roofline/page', name), 'utf8');

/** Writes a page of this model; `plotly` embeds Plotly, as the program does. */
export function writePage(source, path, model, {plotly = true} = {}) {
  const scripts = ['elements', 'switches', 'table', 'labels', 'chart', 'source', 'page'].map((name) => page(source, `${name}.js`));
  const parts = {
    title: 'Sample', style: `${colours()}\n${page(source, 'page.css')}`, without_script: '',
    data: JSON.stringify(model).replaceAll('<', '\\u003c'), script: scripts.join('\n'),
    plotly: plotly ? page(source, 'node_modules/plotly.js-basic-dist-min/plotly-basic.min.js') : ''};
  writeFileSync(path, page(source, 'page.html').replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name]));
}

/** Colours in the form of roofline/page/assemble.cpp, as far as the sample needs them. */
function colours() {
  const pairs = {paper: ['#fcfbf8', '#14161a'], ink: ['#1b1d21', '#ebe8e1'], 'ink-soft': ['#5b6068', '#a3a7af'], raised: ['#fff', '#1d2026'],
                 rule: ['#c9c6bd', '#454a53'], grid: ['#e3e0d8', '#2b2f36'], 'grid-minor': ['#f0eee8', '#1f2228'], accent: ['#0072b2', '#6cb8e6'],
                 box: ['#d9d9d9', '#3a3f48'], 'roof-soft': ['#9a9da3', '#7d828b'], notice: ['#f3f0e6', '#22252b'], marked: ['#fdf1d0', '#3d3417'],
                 added: ['#e2f3e6', '#17301f'], removed: ['#fbe6e4', '#3a1f1e'], 'added-ink': ['#14532d', '#a7e3b7'], 'removed-ink': ['#7f1d1d', '#f5b5ad'],
                 bad: ['#b3261e', '#ff9b8f'], 'bad-paper': ['#fdecea', '#3a1d1b'], published: ['#8b8f98', '#8e939c'],
                 'series-0': ['#0072b2', '#56b4e9'], 'series-1': ['#d55e00', '#e69f00']};
  const all = (dark) => Object.entries(pairs).map(([name, values]) => `--${name}: ${values[dark]};`).join(' ');
  return `:root { color-scheme: light; ${all(0)} }
@media screen { :root[data-theme="dark"] { color-scheme: dark; ${all(1)} } }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; ${all(1)} } }`;
}

const decades = (low, high, unit) => {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const digit of [1, 2, 5]) {
      const at = Number(`${digit}e${power}`);
      if (at >= low && at <= high) ticks.push({at, text: `${at} ${unit}`});
    }
  return {title: unit, unit, logarithmic: true, low, high, categories: false, ticks};
};

const frame = {width: 1200, height: 800, left: 118, bottom: 84, right: 304, top: 108};
const narrowFrame = {width: 390, height: 600, left: 76, bottom: 46, right: 10, top: 10};
const machine = (model) => ({machine: '0 gpu', model, series: `0 gpu ${model}`});
const roof = (name, x, y, tags) => ({x, y, width: 2.8, item: 'roof', of: name, name, colour: 'ink', headline: `${name} of a machine`,
                                     facts: [['measured', '2 TB/s']], tags: {machine: '0 gpu', ...tags}});

/** A roofline of two models with markers for six steps and two memory levels. */
export function roofline() {
  const marks = [], arrows = [];
  for (const [model, colour, factor] of [['cuda', 'series-0', 1], ['omp', 'series-1', 0.4]])
    for (const [level, shape, across] of [['l2', 'square', 3], ['dram', 'diamond', 40]]) {
      const at = Array.from({length: 6}, (_, i) => ({x: across * (1 + 0.3 * i), y: factor * (20 + 25 * i)}));
      at.forEach(({x, y}, i) => marks.push({
        x, y, shape, item: 'point', of: level, colour, name: `v${i + 1}`, hollow: model === 'omp', headline: `v${i + 1} <b>step</b> at ${level}`,
        facts: [['rate', `${y} GFLOP/s`], ['intensity', `${x} FLOP/B`]], tags: {...machine(model), level, variant: `v${i + 1}`}}));
      if (level === 'dram')
        at.slice(1).forEach((to, i) => arrows.push({x: [at[i].x, to.x], y: [at[i].y, to.y], width: 1.3, item: 'arrow', of: level, colour, arrow: true,
                                                    tags: {...machine(model), level}}));
    }
  return {
    name: 'roofline', title: 'Roofline', description: 'A roofline', frame, narrow_frame: narrowFrame, boxes: [], marks,
    x: decades(1, 1000, 'FLOP/B'), y: decades(1, 1000, 'GFLOP/s'),
    lines: [roof('dram', [1, 100], [4, 400], {level: 'dram'}), roof('l2', [1, 20], [20, 400], {level: 'l2'}), roof('peak', [20, 1000], [400, 400]),
            {...roof('theory', [1, 100], [5, 500], {level: 'dram', theoretical: 'yes'}), item: 'theoretical', dash: 'dash'}, ...arrows],
    labels: [{text: 'DRAM 4 TB/s', x: 1, y: 4, dx: 150, dy: 100, angle: 34, tags: {level: 'dram'}},
             {text: 'peak 400 GFLOP/s', x: 1000, y: 400, dx: 18, dy: 0, angle: 0, outside: true, led: true}],
    narrow_labels: [{text: 'DRAM', x: 1, y: 4, dx: 60, dy: 80, angle: 40, tags: {level: 'dram'}}],
    key: [{text: 'cuda', colour: 'series-0'}, {text: 'omp', colour: 'series-1'}, {text: 'L2', colour: 'ink-soft', shape: 'square'},
          {text: 'DRAM', colour: 'ink-soft', shape: 'diamond'}, {text: 'theoretical', colour: 'ink-soft', dash: 'dash'}],
    notes: ['A note <i>of it</i>.']};
}

/** Bars with error bars and names, on an axis that can be switched to linear. */
export function bars() {
  const names = ['v1\nfirst', 'v2\nsecond', 'v3\nthird'];
  return {
    name: 'bars', title: 'Bars', description: 'Bars', frame: {...frame, right: 20}, narrow_frame: narrowFrame, lines: [], labels: [], narrow_labels: [],
    x: {title: '', unit: '', logarithmic: false, low: -0.6, high: 2.6, categories: true, ticks: names.map((text, at) => ({at, text}))},
    y: decades(0.5, 20, 'x'), key: [{text: 'cuda', colour: 'series-0', shape: 'square'}],
    boxes: names.map((_, i) => ({left: i - 0.3, right: i + 0.3, bottom: 1, top: 2 * i + 1.5, item: 'bar', of: 'cuda', colour: 'series-0',
                                 headline: `bar ${i}`, facts: [['value', String(2 * i + 1.5)]], tags: machine('cuda')})),
    marks: names.map((_, i) => ({x: i, y: 2 * i + 2, low: 2 * i + 1.8, high: 2 * i + 2.4, shape: 'bar', item: 'measured', colour: 'series-1',
                                 headline: `mark ${i}`, facts: [], tags: machine('omp')}))};
}

const number = (text, key) => ({text, key});

export function results() {
  return {name: 'results', caption: 'Results', notes: ['Below the table.'],
          columns: [{name: 'variant', title: 'variant'}, {name: 'step', title: 'step'}, {name: 'time', title: 'time', note: 'median', right: true}],
          rows: [['v10', 'a_long_name', number('24.4 ms', 0.0244), 'cuda'], ['v2', 'second', number('448 ms', 0.448), 'cuda'],
                 ['v9', 'third', number('316 ms', 0.316), 'omp'], ['v1', '-', '-', 'omp']].map(([variant, step, time, model]) => (
            {cells: [{text: variant, link: `step-${variant}`}, step, time], tags: machine(model)}))};
}

export function sourceView(lines = 80) {
  return {kind: 'source', texts: [Array.from({length: lines}, (_, i) => `line ${i + 1} <b>`)], reasons: [['long scoreboard', 'data from memory'], ['wait', 'a fixed latency']],
          facts: ['samples', 'warp instructions'], variants: ['0', '1'].map((key) => ({
            key, title: `v${key} of cuda`, tags: machine(key === '0' ? 'cuda' : 'omp'), how: 'Sampled.', lost: key === '0' ? ['something <b>lost</b>'] : [],
            columns: [['warp instr.', 'instructions that warps executed']],
            files: [{path: 'a/v.cu', label: 'a/v.cu', own: true, share: '90.0%', words: 'Of own lines.', text: 0,
                     lines: [43, 48, 66].map((line, i) => ({line, share: `${50 - 20 * i}.0%`, heat: 1 - 0.4 * i, headline: `${50 - 20 * i}.0% of all samples: wait 60%`,
                       counts: [`${3 - i}.00 M`], stalls: [[0, '60.0%', 1], [1, '30.0%', 0.5]], facts: [[0, '1,234'], [1, '3,000,000']],
                       parts: i ? [] : [[1, 7, '5.0%']], more: i ? '' : 'and 2 cooler lines'}))},
                    {path: 'b.h', label: 'b.h', own: false, share: '10.0%', words: 'Of others.', text: null,
                     lines: [{line: 7, share: '10.0%', heat: 0.2, headline: '10.0% of all samples', counts: ['1'], stalls: [], facts: [], parts: [[0, 43, '5.0%']], function: 'f<int>'}]}],
            hottest: {name: 'hottest-lines', caption: '', notes: [], columns: [{name: 'share', title: 'share'}, {name: 'line', title: 'line'}, {name: 'waits', title: 'waits most for'}, {name: 'source', title: 'source'}],
                      rows: [43, 48].map((line, i) => ({cells: [{text: `${50 - 20 * i}.0%`, key: 1 - 0.4 * i}, {text: `v.cu:${line}`, link: `source-${key}-0-${line}`}, 'wait 60%', `line ${line}`]}))}}))};
}

const panel = (variant, tags) => ({
  kind: 'details', id: `step-${variant}`, class: 'panel', summary: [{text: variant, class: 'id'}, {text: 'a step', class: 'name'}], tags: {series: tags.map((one) => one.series)},
  results: tags.map((one) => ({text: `1 ms, ${one.model}`, tags: {series: [one.series]}})),
  blocks: [{kind: 'group', class: 'idea', blocks: [{kind: 'prose', html: '<p>An <abbr title="meaning">idea</abbr>.</p>'}]},
           {kind: 'diff', before: 'a.cu', after: 'b.cu', lines: [['@', '@@ -1 +1 @@'], ['-', 'old <b>'], ['+', 'new'], [' ', 'same']]}]});

export function sampleModel() {
  return {
    kicker: 'Sample', footer: 'Drawn by a test.', pages: [{
      name: 'first', heading: 'A machine', notices: [{kind: 'text', class: 'notice', text: 'Partial: first. It was killed.'}], scope: ['model'],
      masthead: [{kind: 'text', class: 'lead', text: 'An input.'},
                 {kind: 'text', class: 'failures', id: 'failures', role: 'alert', text: '1 of 5 failed:', items: ['v5: <b>wrong</b>']}],
      switches: {
        machine: {label: 'Machines', kind: 'some', choices: [{key: '0 gpu', label: 'A machine'}]},
        model: {label: 'Models', kind: 'some', choices: [{key: 'cuda', label: 'cuda'}, {key: 'omp', label: 'omp'}]},
        level: {label: 'Levels', kind: 'some', choices: [{key: 'l2', label: 'L2'}, {key: 'dram', label: 'DRAM'}]},
        theoretical: {label: '', kind: 'some', choices: [{key: 'yes', label: 'Theoretical roofs'}], chosen: ['yes']},
        precision: {label: 'Operations', kind: 'one', choices: [{key: 'fp64', label: 'FP64'}, {key: 'fp32', label: 'FP32'}], chosen: ['fp64']},
        scale: {label: 'Axis', kind: 'one', choices: [{key: 'log', label: 'logarithmic'}, {key: 'linear', label: 'linear'}], chosen: ['log']},
        source: {label: 'Variant', kind: 'one', choices: [{key: '0', label: 'v0', tags: machine('cuda')}, {key: '1', label: 'v1', tags: machine('omp')}], chosen: ['1']}},
      sections: [
        {id: 'roofline', title: 'Roofline', lead: 'Charts.', blocks: [
          ...['precision', 'level', 'theoretical'].map((name) => ({kind: 'switch', name})),
          {kind: 'chart', id: 'roofline', chart: roofline(), tags: {precision: ['fp64']}},
          {kind: 'chart', id: 'other', chart: {...roofline(), marks: roofline().marks.slice(0, 6)}, tags: {precision: ['fp32']}}]},
        {id: 'ladder', title: 'Bars', lead: '', blocks: [{kind: 'switch', name: 'scale'}, {kind: 'chart', id: 'bars', chart: bars(), scale: 'scale'}]},
        {id: 'results', title: 'Results', lead: '', blocks: [{kind: 'table', table: results(), sortable: true}]},
        {id: 'steps', title: 'Steps', lead: '', blocks: [{kind: 'openers', of: 'panel'}, panel('v10', [machine('cuda'), machine('omp')]), panel('v2', [machine('omp')])]},
        {id: 'source', title: 'Source', lead: '', blocks: [{kind: 'switch', name: 'source'}, sourceView()]},
        {id: 'record', title: 'Record', lead: '', blocks: [{kind: 'facts', items: [['machine', 'a host <b>']]}, {kind: 'reasons', items: [['no device', 'v3, v4']]}]}]}]};
}
