// The slides in a browser, from the disk: keys, notes, widths, both papers, and print.
//
//   node talk_test.mjs GPP_TALK SOURCE_FOLDER
// Exit status 77: skipped, with the reason.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, test} from 'node:test';
import {brightness, closePages, complaints, open, overflow, startBrowser, stopBrowser} from '../browser.mjs';

const [program, source] = process.argv.slice(2);
await startBrowser(source);
const folder = mkdtempSync(join(tmpdir(), 'talk-'));
const path = join(folder, 'talk.html');
execFileSync(program, ['-o', path]);

afterEach(closePages);
after(async () => {
  await stopBrowser();
  rmSync(folder, {recursive: true, force: true});
});

const visible = (page, what) => page.locator(what).evaluateAll((all) => all.filter((one) => one.checkVisibility()).length);

test('turns pages by keys, and shows notes when asked', async () => {
  const page = await open(path);
  const place = () => page.locator('#place').textContent();
  assert.match(await place(), /^1 of \d+$/);
  for (const key of ['ArrowRight', ' ', 'PageDown', 'ArrowLeft']) await page.keyboard.press(key);
  assert.match(await place(), /^3 of /);
  assert.deepEqual([await visible(page, '.slide'), await visible(page, '.notes')], [1, 0]);
  await page.keyboard.press('s');
  assert.equal(await visible(page, '.notes'), 1);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  assert.match(await place(), /^(\d+) of \1$/);
});

test('fits a screen and a phone, on both papers', async () => {
  for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark']]) {
    const page = await open(path, {width, colorScheme});
    const count = await page.locator('.slide').count();
    for (let i = 0; i < count; ++i, await page.keyboard.press('ArrowRight')) {
      assert.ok(await overflow(page) <= 0, `slide ${i + 1} is wider than ${width}`);
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(width < 1280 || height <= 900, `slide ${i + 1} is ${height} high`);
    }
    assert.equal(await brightness(page) > 128, colorScheme === 'light');
  }
});

test('prints one slide a page, with notes where they are shown', async () => {
  const page = await open(path);
  const count = await page.locator('.slide').count();
  const pages = async () => (await page.pdf({preferCSSPageSize: true})).toString('latin1').match(/\/Type \/Page\b/g).length;
  assert.equal(await pages(), count);
  await page.keyboard.press('s');
  assert.equal(await pages(), count);
});

test('asked for nothing and complained of nothing', () => assert.deepEqual(complaints, []));
