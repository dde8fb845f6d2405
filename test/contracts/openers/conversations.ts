import type { TurnItem } from '../../../schemas/http/items.ts';
import { minute, turnRecorded } from '../../support/worlds/builders.ts';
import { type ListingWorld, pagesOf, principal, withCursor } from './listing.ts';

export const USERS = ['ada', 'ben', 'grace'];
export const SESSIONS = ['friday', 'monday', 'sunday', 'tuesday'];
export const MANY = 1_200;

/** The turn `n` of a conversation in twelve sessions of three users, told in another order than spoken. */
export const spoken = (n: number) =>
  turnRecorded(n, {
    user: USERS[n % 3]!,
    session: SESSIONS[Math.floor(n / 3) % 4]!,
    timestamp: minute((n * 7_919) % 50_000),
    role: n % 5 === 0 ? 'assistant' : 'user',
  });

export const inOrder = (a: TurnItem, b: TurnItem): number =>
  Buffer.compare(Buffer.from(a.user_id), Buffer.from(b.user_id)) ||
  Buffer.compare(Buffer.from(a.session_id), Buffer.from(b.session_id)) ||
  Date.parse(a.timestamp) - Date.parse(b.timestamp);

export const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** Where it stands, without what tells turns of one instant apart. */
export const inOrderOnly = ({ user_id, session_id, timestamp }: TurnItem): string[] => [
  user_id,
  session_id,
  timestamp,
];

/** All turns of a list, page by page; `between` is called after each page. */
export const makeTurnsOf =
  (world: () => ListingWorld) =>
  async (
    query: Parameters<ListingWorld['lists']['turns']>[1],
    between?: (page: { turns: TurnItem[]; next_cursor: string | null }, number: number) => Promise<void>,
    as = principal(),
  ): Promise<TurnItem[]> => {
    const pages = await pagesOf(cursor => world().lists.turns(as, withCursor(query, cursor)), between);
    return pages.flatMap(({ turns }) => turns);
  };
