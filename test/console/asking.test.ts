import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tab } from './support/browser.ts';
import { describeInBrowser } from './support/chromium.ts';
import { startWorld, type World } from './support/world.ts';

const ROOF = 'When did Ben fix the roof?';
const GRACE = 'Where does Grace live?';

const ask = async (page: Page, question: string): Promise<void> => {
  await page.getByLabel('Question').fill(question);
  await page.keyboard.press('Enter');
};

/** The questions of the recalls that the page made, in their order. */
const recallsOf = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().endsWith('/recall')) asked.push(request.postDataJSON().q);
  });
  return asked;
};

/** Keeps the recall of this question until it is let go. */
const hold = async (page: Page, question: string): Promise<() => Promise<void>> => {
  let letGo!: () => void;
  const gone = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let answered: Promise<void> = Promise.resolve();
  await page.route('**/recall', async (route: Route) => {
    if (route.request().postDataJSON().q !== question) return route.fallback();
    answered = gone.then(() => route.continue()).catch(() => undefined);
    await answered;
  });
  return async () => {
    letGo();
    await answered;
  };
};

describeInBrowser('asking', () => {
  let world: World;
  let tab: Tab;
  let page: Page;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  const open = async (): Promise<void> => {
    tab = await world.signedIn('/ask');
    page = tab.page;
  };
  const close = async (): Promise<void> => {
    expect(tab.faults()).toEqual([]);
    await tab.close();
  };

  it('drops the answer to an earlier question, also when the page was left meanwhile', async () => {
    await open();
    const letGo = await hold(page, ROOF);
    await ask(page, ROOF);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys of local' }).waitFor();
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByText('Loading the answer …').waitFor();
    await ask(page, GRACE);
    await page.getByRole('heading', { name: GRACE }).waitFor();
    await letGo();
    await page.waitForTimeout(500);
    expect(await page.locator('.hits .said').first().textContent()).toContain('Grace');
    await page.getByRole('heading', { name: GRACE }).waitFor();
    await close();
  });

  it('tells of every answer, and marks the old one while another question is asked', async () => {
    await open();
    await ask(page, ROOF);
    const told = page.getByRole('status').filter({ hasText: /^\d+ hits?, very likely answered$/ });
    await told.waitFor();
    const answer = page.getByRole('region', { name: ROOF });
    expect(await answer.getAttribute('aria-busy')).toBe('false');
    const again = 'When was the roof fixed by Ben?';
    const letGo = await hold(page, again);
    await ask(page, again);
    await page.getByText('Loading the answer …').waitFor();
    expect(await answer.getAttribute('aria-busy')).toBe('true');
    expect(await told.count()).toBe(0);
    await letGo();
    await told.waitFor();
    await page.getByRole('region', { name: again }).waitFor();
    await close();
  });

  it('shows the part of a long turn that matters, and all of it where that is asked for', async () => {
    const q = 'How is a sourdough starter kept alive?';
    const paragraph = (about: string): string => `There is much to say of ${about}, and we will. `.repeat(6);
    const answer = 'A sourdough starter is kept alive by feeding it rye flour every week.';
    const text = [paragraph('ovens'), `${answer} 😀 ${paragraph('starters')}`, paragraph('knives')].join(
      '\n\n',
    );
    const turns = [{ role: 'assistant', text, timestamp: '2026-05-01T09:00:00Z' }];
    await world.ask('/ingestion/memory', { scope: { org_id: 'local', user_id: 'baker' }, turns });
    await open();
    await ask(page, q);
    const hit = page.locator('.hits li').filter({ hasText: answer });
    await hit.waitFor();
    const said = async (): Promise<string> => (await hit.locator('.said').textContent()) ?? '';
    expect(await said()).toMatch(/^… A sourdough.* …$/s);
    expect(await said()).not.toContain('ovens');
    await hit.getByRole('button', { name: 'Show the whole turn' }).click();
    expect(await said()).toBe(text);
    expect(await hit.locator('mark').textContent()).toContain(answer);
    await tab.screenshot('ask-part');
    await hit.getByRole('button', { name: 'Show the part alone' }).click();
    expect(await said()).not.toContain('ovens');
    await close();
  });

  describe('asks nothing', () => {
    const focused = () =>
      page.evaluate(() => {
        const at = document.activeElement as HTMLInputElement;
        const words = document.getElementById(at.getAttribute('aria-describedby') ?? '')?.textContent;
        return [at.labels?.[0]?.firstChild?.textContent?.trim(), at.getAttribute('aria-invalid'), words];
      });
    const expectRefused = async (label: string, words: RegExp): Promise<void> => {
      await expect.poll(focused).toEqual([label, 'true', expect.stringMatching(words)]);
      expect(await page.locator(':focus').isVisible()).toBe(true);
    };

    it('with a date or a number that is half typed', async () => {
      await open();
      const asked = recallsOf(page);
      const more = page.getByText('Filters');
      await more.click();
      await page.getByLabel('Said from').focus();
      await page.keyboard.type('04');
      await more.click();
      await ask(page, ROOF);
      await expectRefused('Said from', /date is incomplete/);
      await page.keyboard.type('04102026');
      await page.getByLabel('Maximum hits').focus();
      await page.keyboard.type('1e');
      await page.keyboard.press('Enter');
      await expectRefused('Maximum hits', /whole number from 1 to 30/);
      expect(asked).toEqual([]);
      await page.getByLabel('Maximum hits').fill('3');
      await page.keyboard.press('Enter');
      await page.locator('.hits li').first().waitFor();
      expect(asked).toEqual([ROOF]);
      await close();
    });

    it('that the service would refuse, and names the field as it is labelled', async () => {
      await open();
      const asked = recallsOf(page);
      await page.getByRole('button', { name: 'Ask' }).click();
      await expectRefused('Question', /Enter a question/);
      await page.getByText('Filters').click();
      await page.getByLabel('Maximum hits').fill('31');
      await ask(page, ROOF);
      await expectRefused('Maximum hits', /from 1 to 30/);
      await page.getByLabel('Maximum hits').fill('');
      await page.getByLabel('Said from').fill('2026-04-10');
      await page.getByLabel('Said until').fill('2026-04-09');
      await page.keyboard.press('Enter');
      await expectRefused('Said until', /before “Said from”/);
      expect(asked).toEqual([]);
      await tab.screenshot('ask-fault');

      await page.getByLabel('Said until').fill('2026-04-11');
      await page.getByLabel('As of').fill('2040-01-01T00:00');
      await page.keyboard.press('Enter');
      await expectRefused('As of', /^As of must not be after/);
      expect(asked).toEqual([ROOF]);
      expect(await page.getByRole('alert').count()).toBe(0);
      await close();
    });
  });

  it('names the filters that found nothing, and asks without them', async () => {
    await open();
    await page.getByText('Filters').click();
    await page.getByLabel('User').fill('nobody');
    await page.getByLabel('Said until').fill('2020-01-31');
    await ask(page, ROOF);
    const searched = page.getByRole('region', { name: 'Filters were applied' });
    await searched.waitFor();
    expect(await searched.locator('dl').textContent()).toBe('UsernobodySaid until2020-01-31');
    await tab.screenshot('ask-nothing');
    await searched.getByRole('button', { name: 'Ask without filters' }).click();
    await page.locator('.hits li').first().waitFor();
    expect(await page.getByLabel('User').inputValue()).toBe('');
    await close();
  });
});
