/** A user's words and facts as lines of JSON, read page by page. */
import { request } from '../request.ts';
import type { FactItem, Page, TurnItem } from '../types.ts';

const PAGE = 200;

async function* pagesOf<Name extends string, Item>(
  name: Name,
  query: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  let cursor: string | undefined;
  do {
    const page: Page<Name, Item> = await request(`/memory/${name}`, {
      query: { ...query, limit: PAGE, cursor },
      signal,
    });
    yield page[name];
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Returns a turn as `turnstone ingest` reads it, so that it can be stored elsewhere. */
const turnLine = ({ user_id, session_id, role, text, timestamp }: TurnItem): string =>
  line({ user_id, session_id, role, text, timestamp });

/** Reads all turns of a user. `tell` is called with the number of those read by now. */
export const turnLines = async (
  user: string,
  tell: (read: number) => void,
  signal: AbortSignal,
): Promise<string[]> => {
  const lines: string[] = [];
  for await (const turns of pagesOf<'turns', TurnItem>('turns', { user_id: user }, signal)) {
    lines.push(...turns.map(turnLine));
    tell(lines.length);
  }
  return lines;
};

/** Reads all facts of a user, also those that no longer hold. */
export const factLines = async (
  user: string,
  tell: (read: number) => void,
  signal: AbortSignal,
): Promise<string[]> => {
  const lines: string[] = [];
  for await (const facts of pagesOf<'facts', FactItem>('facts', { user_id: user, holds: 'ever' }, signal)) {
    lines.push(...facts.map(line));
    tell(lines.length);
  }
  return lines;
};
