import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, settled } from '../support/http/client.ts';
import type { Tab } from './support/browser.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

const fact = (subject: string, attribute: string, value: string) => ({
  text: `${subject}: ${value}.`,
  subject,
  attribute,
  value,
});
const turn = (text: string, day: string, ...observations: object[]) => ({
  role: 'Ines',
  text,
  timestamp: `2026-${day}T09:00:00Z`,
  observations,
});

/**
 * Two homes, one after the other, of which nothing says since when; two people who know each other; a subject
 * whose name is odd.
 */
const TURNS = [
  turn('I live in Lyon.', '01-05', fact('Ines', 'home', 'Lyon')),
  turn('My sister Grace plays the cello.', '01-06', fact('Ines', 'sibling', 'Grace'), {
    ...fact('Grace', 'instrument', 'cello'),
  }),
  turn('I moved to Porto.', '06-01', fact('Ines', 'home', 'Porto')),
  turn('Still in Porto, by the way.', '06-09', fact('Ines', 'home', 'Porto')),
  turn('Our boat is called <X> & Y?', '06-10', fact('<X> & Y?', 'favourite_colour', 'green')),
];

describeInBrowser('the facts of a user', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
    const body = {
      scope: { org_id: 'local', user_id: 'ines & co', session_id: 'one/two' },
      turns: TURNS,
      // Facts that rules find would make the page depend on them.
      options: { write_passive: false },
    };
    expectStatus(await world.ask('/ingestion/memory', body), 202);
    await settled(world.server.url, 60_000);
  });
  afterAll(() => world?.close());

  const rows = async ({ page }: Tab, subject: string): Promise<string[]> => {
    const table = page.getByRole('region', { name: `Facts about ${subject}` });
    await table.waitFor();
    return (await table.locator('tbody tr').allInnerTexts()).map(row => row.replace(/\s+/g, ' ').trim());
  };

  describe.each(LOOKS)('%s', (look, how) => {
    it('leads from a user to a subject, its history, and the turn that said it', async () => {
      const tab = await world.signedIn('/facts', how);
      const { page } = tab;
      await page.getByRole('link', { name: 'ines & co' }).waitFor();
      await expectSound(tab, `fact-users-${look}`);
      await page.getByRole('link', { name: 'ines & co' }).click();
      await page.getByText('4 facts hold, 1 no longer does.').waitFor();
      expect((await rows(tab, 'Ines'))[0]).toMatch(/^home Porto turn, turn 2/);
      await expectSound(tab, `facts-${look}`);

      await page.getByLabel('Show what held before').check();
      const withHistory = await rows(tab, 'Ines');
      expect(withHistory[1]).toMatch(/^Lyon until 1 June 2026 no longer turn/);
      await expectSound(tab, `facts-history-${look}`);

      // A value that names somebody leads to them, and they know who names them.
      await page.getByRole('link', { name: 'Grace', exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor();
      expect(await rows(tab, 'Grace')).toEqual([expect.stringMatching(/^instrument cello turn/)]);
      const namedBy = page.getByRole('region', { name: 'Named by' });
      await namedBy.getByText('as sibling').waitFor();
      const saidIn = page.getByRole('region', { name: 'Said in' });
      await saidIn.getByText('My sister Grace plays the cello.').waitFor();
      await expectSound(tab, `subject-${look}`);

      await namedBy.getByRole('link', { name: 'Ines' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ines' }).waitFor();
      const table = page.getByRole('region', { name: 'Facts about Ines' });
      await table.getByRole('link', { name: 'turn', exact: true }).first().click();
      await page.locator('.turn.target').waitFor();
      expect(await page.locator('.turn.target .said').textContent()).toBe('Still in Porto, by the way.');
      expect(new URL(page.url()).searchParams.get('session')).toBe('one/two');

      // Back goes to the subject, not to the step between.
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Ines' }).waitFor();
      await tab.close();
    });
  });

  it('has a page for a name that is odd, and for one that is nobody', async () => {
    const tab = await world.signedIn(`/facts?${new URLSearchParams({ user: 'ines & co' })}`);
    const { page } = tab;
    await page.getByRole('heading', { level: 2, name: '<X> & Y?' }).getByRole('link').click();
    await page.getByRole('region', { name: 'Said in' }).getByText('Our boat is called').waitFor();
    expect(new URL(page.url()).searchParams.get('subject')).toBe('<X> & Y?');
    await page.getByText('favourite colour').waitFor();
    await expectSound(tab, 'odd-subject');
    await page.goto(
      `${world.server.url}/console/facts?${new URLSearchParams({ user: 'ines & co', subject: 'Nobody' })}`,
    );
    await page.getByText('No fact is about it.').waitFor();
    await expectSound(tab, 'no-facts');
    await tab.close();
  });

  it('is reached from a name beside a turn, and finds the turns that name it', async () => {
    const query = new URLSearchParams({ user: 'family', session: '2026-03' });
    const tab = await world.signedIn(`/explorer?${query}`);
    const { page } = tab;
    await page
      .getByRole('list', { name: 'Names in this turn' })
      .getByRole('link', { name: 'Grace' })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Grace' }).waitFor();
    await page.getByText(/named in \d+ turns?$/).waitFor();
    await page.getByRole('button', { name: 'Find turns that name it' }).click();
    await page.locator('.hits li').first().waitFor();
    expect(await page.locator('.hits li .said').first().textContent()).toContain('Grace');
    expect(tab.faults()).toEqual([]);
    await tab.close();
  });

  it('marks a hit that no longer holds', async () => {
    const tab = await world.signedIn('/ask');
    const { page } = tab;
    await page.getByLabel('Question').fill('Where did Ines live before?');
    for (const kind of ['turns', 'names']) await page.getByLabel(kind, { exact: true }).uncheck();
    await page.keyboard.press('Enter');
    await page.locator('.no-longer').getByText('no longer: since 1 June 2026').first().waitFor();
    await expectSound(tab, 'ask-no-longer');
    await page.getByRole('link', { name: 'home of Ines' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Ines' }).waitFor();
    await tab.close();
  });

  it('says that a turn was not kept, and tries again what could not be loaded', async () => {
    const tab = await world.signedIn(
      `/explorer?${new URLSearchParams({ user: 'family', turn: `trn_${'0'.repeat(32)}` })}`,
    );
    const { page } = tab;
    await page.getByText('This turn is not stored').waitFor();
    await page.route('**/memory/facts?*', route => route.abort());
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Users' }).click();
    await page.getByRole('link', { name: 'ines & co' }).click();
    await page.getByText('The service is unreachable').waitFor();
    await page.unroute('**/memory/facts?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('4 facts hold').waitFor();
    await tab.close();
  });
});
