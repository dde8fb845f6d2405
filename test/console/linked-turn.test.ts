import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus, settled } from '../support/http/client.ts';
import { describeInBrowser } from './support/chromium.ts';
import { startWorld, type World } from './support/world.ts';

const TURNS = 500;
const SESSIONS = {
  short: (n: number) => `Turn ${n}.`,
  facts: (n: number) =>
    `Turn ${n}. I live in Porto and my sister Miriam works at Siemens. I like tea. I bought ${n} apples.`,
  mixed: (n: number) => `Turn ${n}. ${'word '.repeat((n * 37) % 120)}`,
};

/** Where the turns lie beside the scrolled box: pixels of its height, and of the distance to its top. */
interface Placed {
  view: number;
  top: number;
  height: number;
}

describeInBrowser('a conversation', () => {
  let world: World;
  const ids: Record<string, string[]> = {};
  beforeAll(async () => {
    world = await startWorld({});
    for (const [session_id, text] of Object.entries(SESSIONS)) {
      const turns = Array.from({ length: TURNS }, (_, n) => ({
        role: n % 2 ? 'assistant' : 'Ines',
        text: text(n),
        timestamp: new Date(Date.UTC(2026, 1, 3, 8, n)).toISOString(),
      }));
      const body = { scope: { org_id: 'local', user_id: 'ines', session_id }, turns };
      const { active_fragment_ids } = expectStatus(
        await world.ask<{ active_fragment_ids: string[] }>('/ingestion/memory', body),
        202,
      );
      ids[session_id] = active_fragment_ids;
    }
    await settled(world.server.url, 60_000);
  });
  afterAll(() => world?.close());

  const addressOf = (session: string, also: Record<string, string> = {}): string =>
    `${world.server.url}/console/explorer?${new URLSearchParams({ user: 'ines', session, ...also })}`;
  const open = async (session: string, width: number, also: Record<string, string> = {}) => {
    const tab = await world.signedIn('/explorer', { width });
    await tab.page.goto(addressOf(session, also));
    await tab.page.locator('.turn').first().waitFor();
    return tab;
  };
  type Page = Awaited<ReturnType<typeof open>>['page'];

  /** The number of the first turn on the screen, once nothing moves any more. */
  const firstShown = async (page: Page): Promise<number> => {
    const read = () =>
      page.evaluate(() => {
        const feed = document.querySelector('.turns')!.getBoundingClientRect();
        const shown = [...document.querySelectorAll('.row')]
          .map(row => ({ row, box: row.getBoundingClientRect() }))
          .filter(({ box }) => box.bottom > feed.top + 4)
          .sort((a, b) => a.box.top - b.box.top)[0]!;
        return Number(/Turn (\d+)/.exec(shown.row.textContent!)![1]);
      });
    for (let before = -1; ; ) {
      await page.waitForTimeout(300);
      const now = await read();
      if (now === before) return now;
      before = now;
    }
  };

  const placeOfTarget = (page: Page): Promise<Placed> =>
    page.evaluate(() => {
      const feed = document.querySelector('.turns')!.getBoundingClientRect();
      const turn = document.querySelector('.row:has(.turn.target)')!.getBoundingClientRect();
      return { view: feed.height, top: turn.top - feed.top, height: turn.height };
    });

  const cases = [
    { session: 'short', width: 1100 },
    { session: 'mixed', width: 390 },
  ];

  it.each(cases)('shows the turn that a link names ($session, $width px)', async ({ session, width }) => {
    const tab = await open(session, width);
    for (const n of [150, 260, 499]) {
      await tab.page.goto(addressOf(session, { turn: ids[session]![n]! }));
      await tab.page.locator('.turn').first().waitFor();
      await firstShown(tab.page);
      const { view, top, height } = await placeOfTarget(tab.page);
      expect(top, `turn ${n}`).toBeGreaterThanOrEqual(-1);
      expect(top + Math.min(height, 40), `turn ${n}`).toBeLessThanOrEqual(view);
      // Behind it there is more than a screen.
      if (n < 400) expect(top, `turn ${n}`).toBeLessThan(40);
    }
    await tab.close();
  });

  it.each(cases)(
    'stays where it is when it is loaded again ($session, $width px)',
    async ({ session, width }) => {
      const tab = await open(session, width, { turn: ids[session]![200]! });
      await firstShown(tab.page);
      await tab.page.locator('.turns').hover();
      await tab.page.mouse.wheel(0, 3_000);
      const at = await firstShown(tab.page);
      expect(at).toBeGreaterThan(205);
      for (let i = 0; i < 2; i++) {
        await tab.page.waitForTimeout(500);
        await tab.page.reload();
        await tab.page.locator('.turn').first().waitFor();
        expect(await firstShown(tab.page)).toBe(at);
      }
      await tab.close();
    },
  );

  it.each(cases)(
    'ends with the last turn on the screen ($session, $width px)',
    async ({ session, width }) => {
      const tab = await open(session, width);
      await tab.page.getByRole('slider', { name: 'Time in the session' }).press('End');
      await tab.page.getByText(`Turn ${TURNS - 1}.`).waitFor();
      await firstShown(tab.page);
      const beyond = await tab.page.evaluate(() => {
        const feed = document.querySelector('.turns')!;
        return feed.scrollHeight - feed.clientHeight - feed.scrollTop;
      });
      expect(beyond).toBeLessThan(40);
      await tab.close();
    },
  );

  it('shows a linked turn among the last ones, however late the facts beside them come', async () => {
    const tab = await open('facts', 1280);
    await tab.page.route('**/memory/turns/*', async route => {
      await new Promise(resolve => setTimeout(resolve, 700));
      await route.continue().catch(() => undefined);
    });
    await tab.page.goto(addressOf('facts', { turn: ids.facts!.at(-1)! }));
    await tab.page.locator('.turn.target').waitFor();
    await tab.page.waitForTimeout(7_000);
    const { view, top } = await placeOfTarget(tab.page);
    expect(top + 40).toBeLessThanOrEqual(view);
    await tab.close();
  });

  it('stays where somebody scrolled up to while the facts come', async () => {
    const tab = await open('facts', 1280, { turn: ids.facts![150]! });
    await firstShown(tab.page);
    await tab.page.locator('.turns').hover();
    for (let i = 0; i < 4; i++) await tab.page.mouse.wheel(0, -300);
    await tab.page.waitForTimeout(150);
    const topOfTarget = async (): Promise<number> => (await placeOfTarget(tab.page)).top;
    const before = await topOfTarget();
    await tab.page.waitForTimeout(1_500);
    expect(Math.abs((await topOfTarget()) - before)).toBeLessThan(60);
    await tab.close();
  });
});
