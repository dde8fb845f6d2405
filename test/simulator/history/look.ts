/** A look at a service at rest: everything that it tells must be as the model has it. */

import { parsePartition } from '../../../core/log/positions.ts';
import type { VerifyReport } from '../../../core/operator/verification.ts';
import type { Machine } from '../machine/machine.ts';
import { ORGS, type World } from '../world/world.ts';
import { isUnsure, mustHide, mustShow } from './expected.ts';
import type { Item, Model } from './model.ts';
import { checkSums, checkWords } from './perform.ts';
import { Violation } from './violation.ts';
import { placeOf, refsIn } from './words.ts';

const REST_MS = 120_000;
const TOPICS = ['turns', 'observations', 'usage', 'accounts'];
const LIMIT = 200;

/** Runs a call to its end on the machine's time; undefined when the process has ended. */
export type Run = <T>(work: Promise<T>) => Promise<T>;

/** Waits until everything that is in the log is projected, and nothing is added to it any more. */
const rest = async (world: World, machine: Machine, run: Run): Promise<void> => {
  const { transfer, memory } = world.engines;
  const end = machine.now() + REST_MS;
  for (let before = ''; ; ) {
    await machine.pass(500);
    const ends = await run(transfer.log.ends());
    const addresses = Object.entries(ends).flatMap(([name, offset]) => {
      const at = parsePartition(name);
      return offset > 0 && TOPICS.includes(at.topic) ? [{ ...at, offset: offset - 1 }] : [];
    });
    await run(memory.settled(addresses, new AbortController().signal));
    const now = JSON.stringify(ends);
    if (now === before) return;
    before = now;
    if (machine.now() > end) throw new Violation('errors are expected ones', 'the log does not come to rest');
  }
};

/** All that an organization is told of itself. */
export const toldTo = async (world: World, org: string, run: Run) => {
  const caller = await run(world.caller(org));
  const { lists, exported } = world.useCases;
  const pages = async <Page extends { next_cursor: string | null }>(
    read: (cursor?: string) => Promise<Page>,
  ): Promise<Page[]> => {
    const all: Page[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await run(read(cursor));
      all.push(page);
      if (page.next_cursor === null) return all;
      cursor = page.next_cursor;
    }
  };
  const paged = (cursor: string | undefined) => ({ limit: LIMIT, ...(cursor !== undefined && { cursor }) });
  const turns = (await pages(cursor => lists.turns(caller, paged(cursor)))).flatMap(one => one.turns);
  const observations = (await pages(cursor => lists.observations(caller, paged(cursor)))).flatMap(
    one => one.observations,
  );
  const users = (await pages(cursor => lists.users(caller, paged(cursor)))).flatMap(one => one.users);
  const sessions = (await pages(cursor => lists.sessions(caller, paged(cursor)))).flatMap(
    one => one.sessions,
  );
  const entities = (await pages(cursor => lists.entities(caller, paged(cursor)))).flatMap(
    one => one.entities,
  );
  const facts: Record<string, unknown[]> = {};
  for (const { user_id } of users)
    facts[user_id] = (await pages(cursor => lists.facts(caller, { user_id, ...paged(cursor) }))).flatMap(
      one => one.facts,
    );
  const lines: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const some of await exported(caller, {}, new AbortController().signal)) lines.push(...some);
  };
  await run(reading());
  return { turns, observations, users, sessions, entities, facts, lines };
};

export type Told = Awaited<ReturnType<typeof toldTo>>;

const byKind =
  (told: Told, refs: Record<'turn' | 'said', Set<number>>) =>
  (item: Item): boolean =>
    item.kind === 'title' ? refsIn(told.sessions).has(item.n) : refs[item.kind].has(item.n);

const once = (ids: readonly string[], what: string): void => {
  if (new Set(ids).size < ids.length) throw new Violation('stored once', `${what} are listed twice`);
};

/** Where a user lives is what it said last of it. */
const checkHomes = (model: Model, org: string, { facts }: Told): void => {
  const now = Date.now();
  const said = [...model.items.values()].filter(one => one.kind === 'said' && one.scope.org === org);
  for (const user of new Set(said.map(({ scope }) => scope.user))) {
    const own = said.filter(({ scope }) => scope.user === user);
    if (own.some(one => isUnsure(one, now))) continue;
    const last = own.filter(one => mustShow(one, now)).sort((a, b) => b.n - a.n)[0];
    const homes = (facts[user] ?? []).filter(
      one => (one as { attribute: string }).attribute === 'home' && JSON.stringify(one).includes('ville'),
    ) as { value: string }[];
    const expected = last ? [placeOf(last.n)] : [];
    const found = homes.map(({ value }) => value);
    if (JSON.stringify(found) !== JSON.stringify(expected))
      throw new Violation(
        'what holds is the fold',
        `the home of ${org}/${user} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
      );
  }
};

const verify = async (world: World, run: Run): Promise<void> => {
  let report: VerifyReport | undefined;
  const reading = async (): Promise<void> => {
    const signal = new AbortController().signal;
    for await (const message of world.engines.operatorCalls.verify({}, signal))
      if (message.kind === 'report') report = message;
  };
  await run(reading());
  if (!report || report.differences > 0)
    throw new Violation('verify finds nothing', JSON.stringify(report?.named.slice(0, 3)));
};

/** Looks at everything once the service has come to rest. Returns what it tells, for the trace. */
export const look = async (
  world: World,
  machine: Machine,
  model: Model,
  run: Run,
): Promise<Record<string, Told>> => {
  await rest(world, machine, run);
  const told: Record<string, Told> = {};
  for (const org of ORGS) {
    const since = Date.now();
    const all = await toldTo(world, org, run);
    told[org] = all;
    const now = Date.now();
    const refs = { turn: refsIn(all.turns), said: refsIn(all.observations) };
    const isSeen = byKind(all, refs);
    const items = [...model.items.values()].filter(({ scope }) => scope.org === org);
    for (const item of items) {
      if (item.kind === 'title') continue;
      if (isUnsure(item, since)) model.seen(item, isSeen(item));
      if (item.stored === 'no' && isSeen(item))
        throw new Violation('stored once', `the ${item.kind} ${item.n} is shown, and was never stored`);
    }
    const own = (item: Item): boolean => item.scope.org === org && item.kind !== 'title';
    checkWords(model, all, {
      of: 'acknowledged is kept',
      hides: item => item.scope.org === org && mustHide(item, since),
      shows: () => false,
    });
    for (const item of items)
      if (own(item) && mustShow(item, now) && !isSeen(item))
        throw new Violation('acknowledged is kept', `the ${item.kind} ${item.n} is not shown`);
    once(
      all.turns.map(({ session_id, user_id, text }) => `${user_id} ${session_id} ${text}`),
      `turns of ${org}`,
    );
    once(
      all.observations.map(({ id }) => id),
      `observations of ${org}`,
    );
    checkHomes(model, org, all);
    const actual = await run(world.engines.usage.reader.billed(org, '0001-01-01', '9999-12-31'));
    checkSums(model, org, actual);
    model.summed(org, actual);
  }
  await verify(world, run);
  return told;
};
