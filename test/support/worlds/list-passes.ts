/** Reads all turns page by page, again and again, beside all else. Nothing may be erased meanwhile. */
import type { TurnItem } from '../../../schemas/http/items.ts';
import { type Client, expectStatus } from '../http/client.ts';
import { pause } from '../wait.ts';

const PAUSE_MS = 300;

interface Page {
  turns: TurnItem[];
  next_cursor: string | null;
}

/** Every turn that the client may see, in the order of the answers. */
export const listTurns = async (client: Client, limit: number): Promise<TurnItem[]> => {
  const turns: TurnItem[] = [];
  for (let cursor = ''; ; ) {
    const page = expectStatus(
      await client.request<Page>('GET', `/memory/turns?limit=${limit}${cursor}`),
      200,
    );
    turns.push(...page.turns);
    if (page.next_cursor === null) return turns;
    cursor = `&cursor=${page.next_cursor}`;
  }
};

/** Each pass has to hold a turn once, and all turns of the pass before it. */
export const startPasses = (client: Client, limit: number) => {
  const faults: string[] = [];
  let seen = new Set<string>();
  let passes = 0;
  let stopping = false;

  const pass = async (): Promise<void> => {
    const ids = (await listTurns(client, limit)).map(({ id }) => id);
    const found = new Set(ids);
    if (found.size < ids.length) faults.push(`pass ${passes} names a turn twice`);
    const missing = [...seen].filter(id => !found.has(id));
    if (missing.length > 0) faults.push(`pass ${passes} misses ${missing.length} turns`);
    seen = found;
    passes++;
  };
  const running = (async () => {
    while (!stopping) {
      try {
        await pass();
      } catch (error) {
        faults.push((error as Error).message);
      }
      await pause(PAUSE_MS);
    }
  })();
  return {
    /** Finishes the pass under way. */
    stop: async (): Promise<{ passes: number; faults: string[] }> => {
      stopping = true;
      await running;
      return { passes, faults };
    },
  };
};
