import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, expectStatus, settled } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { startWorld, type World } from './support/world.ts';

const home = (subject: string, value: string, day: string) => ({
  role: 'user',
  text: `${subject} lives in ${value}.`,
  timestamp: `2026-${day}T09:00:00Z`,
  observations: [{ text: `${subject} lives in ${value}.`, subject, attribute: 'home', value }],
});

describeInBrowser('names that a key with memory:curate corrects', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({});
    for (const [look] of LOOKS) {
      const body = {
        scope: { org_id: 'local', user_id: `names ${look}`, session_id: 'one' },
        turns: [home('Mel', 'Lyon', '01-05'), home('Melanie', 'Porto', '02-05')],
      };
      expectStatus(await world.ask('/ingestion/memory', body), 202);
    }
    await settled(world.server.url, 60_000);
  });
  afterAll(() => world?.close());

  it.each(LOOKS)('set apart, merged again and renamed (%s)', async (look, how) => {
    const user = `names ${look}`;
    const tab = await world.signedIn(`/facts?${new URLSearchParams({ user, subject: 'Melanie' })}`, how);
    const { page } = tab;
    const dialog = page.getByRole('dialog');
    const held = page.getByRole('row').filter({ hasText: 'Lyon' });
    await held.waitFor();
    await page.getByRole('button', { name: 'Mel is not the same' }).click();
    await expectSound(tab, `split-name-${look}`);
    await dialog.getByRole('button', { name: 'Set apart' }).click();
    await held.waitFor({ state: 'detached' });
    await expectSound(tab, `names-apart-${look}`);

    await page.goto(`${world.server.url}/console/facts?${new URLSearchParams({ user, subject: 'Mel' })}`);
    await held.waitFor();
    await page.getByRole('button', { name: 'Same as …' }).click();
    await dialog.getByLabel('Listed under').selectOption({ label: 'Melanie (person)' });
    await expectSound(tab, `merge-names-${look}`);
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await page.getByRole('heading', { level: 1, name: 'Melanie' }).waitFor();
    await page.getByRole('button', { name: 'Mel is not the same' }).waitFor();

    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Shown as').fill('');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByText('must have at least 1 character').waitFor();
    await dialog.getByLabel('Shown as').fill('Nell');
    await expectSound(tab, `rename-${look}`);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nell' }).waitFor();
    await held.waitFor();
    expect(new URL(page.url()).searchParams.get('subject')).toBe('Nell');
    await expectSound(tab, `renamed-${look}`);

    const asked = await (await connect(world.server)).request(
      'PATCH',
      `/memory/sessions/one?${new URLSearchParams({ user_id: user })}`,
      { title: 'Who lives where' },
    );
    expectStatus(asked, 200);
    await page.goto(`${world.server.url}/console/explorer?${new URLSearchParams({ user })}`);
    await page.getByText('Who lives where').waitFor();
    await expectSound(tab, `titled-session-${look}`);
    await tab.close();
  });
});
