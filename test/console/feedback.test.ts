import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

interface Receipt {
  receipt_id: string;
  hits: { id: string | null; verdict?: string }[];
  feedback: { helpful: number; wrong: number };
}

describeInBrowser('feedback on a hit', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ example: true });
  });
  afterAll(() => world?.close());

  it.each(LOOKS)('is given, shown as given, and changed (%s)', async (look, how) => {
    const tab = await world.signedIn('/ask?user=family', how);
    const { page } = tab;
    let id = '';
    page.on('response', async response => {
      if (new URL(response.url()).pathname !== '/recall') return;
      id = ((await response.json()) as Receipt).receipt_id;
    });
    await page.getByLabel('receipt').check();
    await page.getByLabel('Question').fill('When did Ben fix the roof?');
    await page.keyboard.press('Enter');
    const first = page.getByRole('group', { name: 'Was hit 1 helpful?' });
    await first.waitFor();
    const pressed = (name: string): Promise<string | null> =>
      first.getByRole('button', { name }).getAttribute('aria-pressed');
    expect([await pressed('Helpful'), await pressed('Wrong')]).toEqual(['false', 'false']);
    await first.getByRole('button', { name: 'Helpful' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => pressed('Helpful')).toBe('true');
    await expectSound(tab, `feedback-${look}`);
    await first.getByRole('button', { name: 'Wrong' }).click();
    await expect.poll(() => pressed('Wrong')).toBe('true');
    expect(await pressed('Helpful')).toBe('false');
    const kept = await world.ask<Receipt>(`/recalls/${id}`);
    expect(kept.body.feedback).toEqual({ helpful: 0, wrong: 1 });

    await page.getByRole('link', { name: 'Open conversation' }).first().click();
    await page.locator('.turn.target').waitFor();
    await page.goBack();
    await expect.poll(() => pressed('Wrong')).toBe('true');
    expect(new URL(page.url()).search).not.toContain(id);
    await tab.close();
  });

  it('is not offered where the answer has no receipt, and its failure is told', async () => {
    const tab = await world.signedIn('/ask?user=family');
    const { page } = tab;
    await page.getByLabel('Question').fill('When did Ben fix the roof?');
    await page.keyboard.press('Enter');
    await page.locator('.hits li').first().waitFor();
    expect(await page.getByRole('group', { name: /helpful/ }).count()).toBe(0);
    await page.getByText('Ask with “receipt” to say which hits were helpful.').waitFor();

    await page.getByLabel('receipt').check();
    await page.getByLabel('Question').fill('Who fixed the roof?');
    await page.keyboard.press('Enter');
    const first = page.getByRole('group', { name: 'Was hit 1 helpful?' });
    await first.waitFor();
    await page.route('**/recalls/*/feedback', route => route.abort());
    await first.getByRole('button', { name: 'Wrong' }).click();
    await page.getByText('The service is unreachable').waitFor();
    expect(await first.getByRole('button', { name: 'Wrong' }).getAttribute('aria-pressed')).toBe('false');
    await tab.close();
  });
});
