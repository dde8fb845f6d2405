import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, settled } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

const fact = (subject: string, attribute: string, value: string) => ({
  text: `${subject}: ${value}.`,
  subject,
  attribute,
  value,
});
const TURNS = [
  {
    role: 'Ines',
    text: 'My sister Grace plays the cello, she lives in Porto now.',
    timestamp: '2026-01-06T09:00:00Z',
    observations: [
      fact('Ines', 'sibling', 'Grace'),
      fact('Grace', 'instrument', 'cello'),
      fact('Grace', 'partner', 'Mel'),
      fact('Mel', 'pet', 'Bobik'),
    ],
  },
  { role: 'Ines', text: 'We fixed the roof on Sunday.', timestamp: '2026-01-07T09:00:00Z' },
];

describeInBrowser("a user's page", () => {
  let world: World;
  const store = async (user_id: string): Promise<void> => {
    const body = { scope: { org_id: 'local', user_id, session_id: 'one' }, turns: TURNS };
    expectStatus(await world.ask('/ingestion/memory', { ...body, options: { write_passive: false } }), 202);
  };
  beforeAll(async () => {
    world = await startWorld({});
    for (const [look] of LOOKS) await store(`ines ${look}`);
    await store('gone & away');
    await settled(world.server.url, 60_000);
  });
  afterAll(() => world?.close());
  const path = (user: string, more: Record<string, string> = {}): string =>
    `/users?${new URLSearchParams({ user, ...more })}`;

  describe.each(LOOKS)('%s', (look, how) => {
    const user = `ines ${look}`;

    it('has its sections in the address, and Back leads through them', async () => {
      const tab = await world.signedIn('/users', how);
      const { page } = tab;
      await page.getByRole('link', { name: user }).scrollIntoViewIfNeeded();
      await page.getByRole('link', { name: user }).getByText('Ines: We fixed the roof').waitFor();
      await expectSound(tab, `hub-users-${look}`);
      await page.getByRole('link', { name: user }).click();
      await page.getByRole('region', { name: 'Facts about Grace' }).waitFor();
      await page.getByText('1 conversation · 2 turns').waitFor();
      await expectSound(tab, `hub-known-${look}`);
      const tabs = page.getByRole('navigation', { name: 'Sections of this user' });
      for (const [name, show] of [
        ['People', 'people'],
        ['Conversations', 'conversations'],
        ['Ask', 'ask'],
        ['Context', 'context'],
        ['Receipts', 'receipts'],
        ['Activity', 'activity'],
        ['Data', 'data'],
      ] as const) {
        await tabs.getByRole('link', { name }).click();
        expect(new URL(page.url()).searchParams.get('show')).toBe(show);
        expect(await tabs.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
        await expectSound(tab, `hub-${show}-${look}`);
      }
      await page.goBack();
      await page.getByText('Turns stored').waitFor();
      for (let i = 0; i < 6; i++) await page.goBack();
      await page.getByRole('region', { name: 'Facts about Grace' }).waitFor();
      await tab.close();
    });

    it('walks from one person to the next', async () => {
      const tab = await world.signedIn(path(user, { show: 'people', at: 'Ines' }), how);
      const { page } = tab;
      await page.getByRole('list', { name: 'Around Ines' }).getByRole('link', { name: 'Grace' }).click();
      const around = page.getByRole('list', { name: 'Around Grace' });
      await around.getByText('sibling is Grace').waitFor();
      await expectSound(tab, `people-${look}`);
      await around.getByRole('link', { name: 'Mel' }).click();
      await page.getByRole('list', { name: 'Around Mel' }).getByText('partner is Mel').waitFor();
      await page.goBack();
      await around.waitFor();
      await tab.close();
    });

    it('takes a fact, and the names by which the user is called', async () => {
      const tab = await world.signedIn(path(user), how);
      const { page } = tab;
      await page.getByRole('button', { name: 'Add a fact' }).click();
      const form = page.getByRole('form', { name: 'Add a fact' });
      await form.getByRole('button', { name: 'Add' }).click();
      await form
        .getByText(/^Sentence must/)
        .first()
        .waitFor();
      await form.getByLabel('Sentence').fill('Ines has a boat called Ondina.');
      await form.getByLabel('About whom').fill('Ines');
      await form.getByLabel('Attribute').fill('Boat');
      await form.getByLabel('Value').fill('Ondina');
      await expectSound(tab, `add-fact-${look}`);
      await page.keyboard.press('Enter');
      await page.getByText('Added: “Ines has a boat called Ondina.”').waitFor();
      await page.getByRole('row').filter({ hasText: 'boat' }).getByText('Ondina').waitFor();

      await page.getByRole('button', { name: 'Own names' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Names').fill('Ines\nInês Prado');
      await expectSound(tab, `own-names-${look}`);
      await dialog.getByRole('button', { name: 'Set' }).click();
      await page.getByText('also Inês Prado').waitFor();
      await tab.close();
    });

    it("shows a question's context, smaller with a smaller budget", async () => {
      const tab = await world.signedIn(path(user, { show: 'context' }), how);
      const { page } = tab;
      const bodies: { context_max_tokens?: number }[] = [];
      page.on('request', request => {
        if (request.url().endsWith('/recall')) bodies.push(request.postDataJSON());
      });
      await page.getByLabel('Question').fill('Who plays the cello?');
      await page.keyboard.press('Enter');
      const context = page.getByRole('region', { name: 'the context' });
      await context.getByText('My sister Grace plays the cello').waitFor();
      expect(new URL(page.url()).searchParams.get('budget')).toBe('800');
      await expectSound(tab, `context-${look}`);
      const slider = page.getByRole('slider', { name: 'Budget' });
      await slider.press('Home');
      await expect.poll(() => new URL(page.url()).searchParams.get('budget')).toBe('50');
      await page.getByText(/^Of 50 that it may have|fits into so few/).waitFor();
      // One call when it was asked, one when the slider had come to rest.
      expect(bodies.map(body => body.context_max_tokens)).toEqual([800, 50]);
      await tab.close();
    });
  });

  it('asks nothing of a link, until somebody does', async () => {
    const asked: string[] = [];
    const tab = await world.signedIn(path('ines light', { show: 'context', q: 'Who plays the cello?' }));
    const { page } = tab;
    page.on('request', request => {
      if (request.url().endsWith('/recall')) asked.push(request.url());
    });
    await page.reload();
    const question = page.getByLabel('Question');
    await expect.poll(() => question.inputValue()).toBe('Who plays the cello?');
    await page.getByText('It is billed like any recall.').waitFor();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('region', { name: 'the context' }).waitFor();
    expect(asked).toHaveLength(1);
    await tab.close();
  });

  it('keeps a receipt of an answer, and reads it again', async () => {
    const tab = await world.signedIn(path('ines light', { show: 'ask' }));
    const { page } = tab;
    await page.getByLabel('Question').fill('Who plays the cello?');
    await page.getByLabel('receipt').check();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Receipt', exact: true }).click();
    await page.getByRole('heading', { name: 'Who plays the cello?' }).waitFor();
    await page.getByText('My sister Grace plays the cello').first().waitFor();
    await expectSound(tab, 'receipt');
    await page.goBack();
    await page.locator('.hits li').first().waitFor();
    await tab.close();
  });

  it('downloads what was said, in the form in which it can be stored again', async () => {
    const tab = await world.signedIn(path('gone & away', { show: 'data' }));
    const { page } = tab;
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download turns' }).click();
    const file = await downloaded;
    expect(file.suggestedFilename()).toBe('gone_away-turns.jsonl');
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).toEqual(
      TURNS.map(({ role, text, timestamp }) => ({
        user_id: 'gone & away',
        session_id: 'one',
        role,
        text,
        timestamp: new Date(timestamp).toISOString(),
      })),
    );
    await page.getByText('2 turns saved.').waitFor();
    await tab.close();
  });

  it('erases a user whose id was typed, and shows the receipt', async () => {
    const tab = await world.signedIn(path('gone & away', { show: 'data' }));
    const { page } = tab;
    await page.getByRole('button', { name: 'Erase this user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type the id of the user').fill('gone');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByText('This is not the id of the user.').waitFor();
    await expectSound(tab, 'erase');
    await dialog.getByLabel('Type the id of the user').fill('gone & away');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.getByText(/^2 turns, 4 facts, .* were erased on/).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Erased');
    const receipt = await page.getByRole('region', { name: 'the receipt' }).textContent();
    expect(receipt?.split('.')).toHaveLength(3);
    await expectSound(tab, 'erased');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByText('This user has no sessions').waitFor();
    await tab.close();
  });
});
