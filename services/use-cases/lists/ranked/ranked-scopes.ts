/** Users and sessions, ranked by their ids, by what they are called, and by what was said in them. */
import { freshnessOf } from '../../../../core/freshness.ts';
import type {
  ListedSession,
  ListedUser,
  Listing,
  Scope,
  SessionName,
  TailTurn,
  TurnDetails,
} from '../../../../core/ports.ts';
import type { CallContext } from '../../../../core/use-cases.ts';
import { ownNames } from '../../../../domain/facts/names/own-names.ts';
import { makeNameScore, makeTextRanking } from '../../../../domain/search/ranked-texts.ts';
import type { Match } from '../../../../schemas/http/parts/match.ts';
import type { Freshness } from '../../../../schemas/http/parts/parts.ts';
import { withTailSessions, withTailUsers } from '../tail.ts';
import type { RankedPorts } from './ranked-fragments.ts';
import { bestFirst, eachName, inSteps, MOST_NAMES, type Ranked, rankedPage, shownScore } from './ranking.ts';

export interface RankedScopePorts extends RankedPorts {
  listing: Pick<
    Listing,
    'userNames' | 'sessionNames' | 'ownNames' | 'titles' | 'usersNamed' | 'sessionsNamed'
  >;
  details: Pick<TurnDetails, 'nameCorrections'>;
}

export interface AskedWords {
  q: string;
  limit: number;
  cursor: string | undefined;
}

interface RankedScopes<Item> {
  page: { item: Item; match: Match }[];
  next_cursor: string | null;
  freshness: Freshness;
}

/** Of what is found in several ways, the best one counts. */
const makeMatches = <Item>(nameOf: (item: Item) => string) => {
  const found = new Map<string, Ranked<Item>>();
  return {
    put: (item: Item, match: Match): void => {
      const name = nameOf(item);
      if (match.score > (found.get(name)?.match.score ?? 0)) found.set(name, { item, match, name });
    },
    ranked: (): Ranked<Item>[] => bestFirst(found.values()),
  };
};

const sessionName = ({ user, session }: SessionName): string => JSON.stringify([user, session]);

/** Users whose names are looked up again, since a correction counts only as long as turns say the names. */
const MOST_CALLED = 100;

/** Reads what a page shows: the index has it by name, the tail what the index doesn't have. */
const readPage = async <Item, Listed>(
  ranked: readonly Ranked<Item>[],
  nameOf: (listed: Listed) => string,
  read: (items: Item[]) => Promise<Listed[]>,
): Promise<{ item: Listed; match: Match }[]> => {
  const listed = new Map((await read(ranked.map(({ item }) => item))).map(one => [nameOf(one), one]));
  return ranked.flatMap(({ name, match }) => {
    const item = listed.get(name);
    return item === undefined ? [] : [{ item, match: { ...match, score: shownScore(match.score) } }];
  });
};

/** Puts what words were said in, by the best turn of each. */
const putSaid = async (
  { find }: RankedPorts,
  { scope, q, tail }: { scope: Scope; q: string; tail: readonly TailTurn[] },
  of: 'users' | 'sessions',
  put: (item: { user: string; session: string }, match: Match) => void,
  context: CallContext | undefined,
): Promise<void> => {
  const { found } = await find({ scope, q, tail, of, filter: {}, from: 0, limit: 0 }, context?.deadline);
  for (const { score, fragment } of found)
    put(fragment, { score, by: 'text', text: fragment.text, turn_id: fragment.id });
};

/** Returns one page of the users that q names, or who said its words. */
export const rankUsers = async (
  ports: RankedScopePorts,
  scope: Scope,
  { q, limit, cursor }: AskedWords,
  context: CallContext | undefined,
): Promise<RankedScopes<ListedUser>> => {
  const { listing, details, admission, clock } = ports;
  const { org } = scope;
  const { from, next } = rankedPage('users', scope, { q }, cursor);
  const now = clock();
  const tail = await admission.tail(scope);
  const matches = makeMatches<string>(user => user);
  await putSaid(ports, { scope, q, tail }, 'users', ({ user }, match) => matches.put(user, match), context);

  const idScore = makeNameScore(q);
  const stored = await eachName<string>((after, most) => listing.userNames(scope, after, most));
  const users = new Set([...stored, ...tail.map(({ user }) => user), ...(await exactUser(ports, scope, q))]);
  await inSteps(users, user => matches.put(user, { score: idScore(user), by: 'id' }));

  for (const { user, name, score } of await calledBy(ports, scope, q)) {
    const names = ownNames(await details.nameCorrections({ org, user }));
    if (names.includes(name)) matches.put(user, { score, by: 'name', text: name });
  }

  const ranked = matches.ranked();
  const shown = ranked.slice(from, from + limit);
  const isShown = new Set(shown.map(({ name }) => name));
  const ofTail = tail.filter(({ user }) => isShown.has(user));
  const page = await readPage(
    shown,
    ({ user }: ListedUser) => user,
    async names => withTailUsers(await listing.usersNamed(scope, names), ofTail, undefined, names.length),
  );
  const known = new Set(stored);
  const fromTail = page.filter(({ item }) => !known.has(item.user)).length;
  return { page, next_cursor: next(limit, ranked.length), freshness: freshnessOf(now, tail, fromTail) };
};

/** A user with this very id, however many users there are. */
const exactUser = async (
  { listing }: RankedScopePorts,
  { org, user }: Scope,
  q: string,
): Promise<string[]> => {
  const id = q.trim();
  return id === '' || (user ?? id) !== id ? [] : listing.userNames({ org, user: id }, undefined, 1);
};

/** Sessions with this very id: several users may have one. */
const exactSessions = async (
  { listing }: RankedScopePorts,
  scope: Scope,
  q: string,
): Promise<SessionName[]> => {
  const session = q.trim();
  if (session === '' || scope.session !== undefined) return [];
  return listing.sessionNames({ ...scope, session }, undefined, MOST_CALLED);
};

/** The users whose own names have the words or what was typed, the best first. */
const calledBy = async (
  { listing }: RankedScopePorts,
  scope: Scope,
  q: string,
): Promise<{ user: string; name: string; score: number }[]> => {
  const called = (await listing.ownNames(scope, MOST_NAMES)).flatMap(({ user, names }) =>
    names.map(name => ({ user, name })),
  );
  const words = makeTextRanking(q);
  const nameScore = makeNameScore(q);
  await inSteps(called, ({ name }) => words.add(name));
  const found: { user: string; name: string; score: number }[] = [];
  await inSteps(called, one => {
    const score = Math.max(words.score(one.name), nameScore(one.name));
    if (score > 0) found.push({ ...one, score });
  });
  return found.sort((a, b) => b.score - a.score).slice(0, MOST_CALLED);
};

/** Returns one page of the sessions that q names, or in which its words were said. */
export const rankSessions = async (
  ports: RankedScopePorts,
  scope: Scope,
  { q, limit, cursor }: AskedWords,
  context: CallContext | undefined,
): Promise<RankedScopes<ListedSession>> => {
  const { listing, admission, clock } = ports;
  const { from, next } = rankedPage('sessions', scope, { q }, cursor);
  const now = clock();
  const tail = await admission.tail(scope);
  const matches = makeMatches<SessionName>(sessionName);
  const put = ({ user, session }: SessionName, match: Match) => matches.put({ user, session }, match);
  await putSaid(ports, { scope, q, tail }, 'sessions', put, context);

  const stored = await eachName<SessionName>((after, most) => listing.sessionNames(scope, after, most));
  const idScore = makeNameScore(q);
  const exact = await exactSessions(ports, scope, q);
  await inSteps([...stored, ...exact, ...tail], one => put(one, { score: idScore(one.session), by: 'id' }));

  const titles = await listing.titles(scope.org, stored);
  const words = makeTextRanking(q);
  await inSteps(titles, title => title !== undefined && words.add(title));
  await inSteps(titles.entries(), ([i, text]) => {
    if (text !== undefined) put(stored[i]!, { score: words.score(text), by: 'title', text });
  });

  const ranked = matches.ranked();
  const shown = ranked.slice(from, from + limit);
  const isShown = new Set(shown.map(({ name }) => name));
  const ofTail = tail.filter(turn => isShown.has(sessionName(turn)));
  const page = await readPage(shown, sessionName, async names =>
    withTailSessions(await listing.sessionsNamed(scope, names), ofTail, undefined, names.length),
  );
  const known = new Set(stored.map(sessionName));
  const fromTail = page.filter(({ item }) => !known.has(sessionName(item))).length;
  return { page, next_cursor: next(limit, ranked.length), freshness: freshnessOf(now, tail, fromTail) };
};
