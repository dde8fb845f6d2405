/** A look at a service at rest: everything that it tells must be as the model has it. */

import { ServiceError } from '../../../core/errors.ts';
import { parsePartition } from '../../../core/log/positions.ts';
import type { VerifyReport } from '../../../core/operator/verification.ts';
import type { Machine } from '../machine/machine.ts';
import { hasExpired, isUnsure, mustHide, mustShow } from '../model/expected.ts';
import { type Item, overlap } from '../model/item.ts';
import type { Model } from '../model/model.ts';
import { type Caller, ORGS, type World } from '../world/world.ts';
import { checkWords } from './attempts.ts';
import { checkReceipt } from './curate.ts';
import { checkSums } from './perform.ts';
import { USERS } from './steps.ts';
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
  const named: Record<string, readonly string[]> = {};
  for (const user of USERS) named[user] = await run(namesOf(world, caller, user));
  const lines: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const some of await exported(caller, {}, new AbortController().signal)) lines.push(...some);
  };
  await run(reading());
  return { turns, observations, users, sessions, entities, facts, named, lines };
};

const orNotFound = async <T>(answer: Promise<T>): Promise<T | 'not_found'> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return error.code;
    throw error;
  }
};

const namesOf = async ({ useCases }: World, caller: Caller, user: string): Promise<readonly string[]> => {
  const found = await orNotFound(useCases.lists.user(caller, user));
  return found === 'not_found' ? [] : found.names;
};

export type Told = Awaited<ReturnType<typeof toldTo>>;

const once = (ids: readonly string[], what: string): void => {
  if (new Set(ids).size < ids.length) throw new Violation('stored once', `${what} are listed twice`);
};

const isSaid = ({ kind }: Item): boolean => kind === 'said';

/** Returns the last correction of a statement; undefined where nobody was told which came last. */
const correctedTo = (root: Item, family: readonly Item[], now: number): Item | undefined => {
  let last = root;
  for (;;) {
    const next = family.filter(one => one.corrects === last && mustShow(one, now)).sort((a, b) => b.n - a.n);
    const [first] = next;
    if (first === undefined) return last;
    if (next.slice(1).some(one => one.writes.some(w => first.writes.some(other => overlap(w, other)))))
      return undefined;
    last = first;
  }
};

/** Where a user lives is what it said last of it, as that was corrected. */
const checkHomes = (model: Model, org: string, { facts }: Told): void => {
  const now = Date.now();
  const said = [...model.items.values()].filter(one => isSaid(one) && one.scope.org === org);
  for (const user of new Set(said.map(({ scope }) => scope.user))) {
    const own = said.filter(({ scope }) => scope.user === user);
    const isKnown = (one: Item): boolean =>
      one.stored === 'no' ||
      mustHide(one, now) ||
      (mustShow(one, now) && (one.root === undefined || one.corrects !== undefined));
    if (!own.every(isKnown)) continue;
    const roots = own.filter(one => one.root === undefined && mustShow(one, now)).sort((a, b) => b.n - a.n);
    const [root] = roots;
    const last = root && correctedTo(root, own, now);
    if (root && !last) continue;
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

/** The last title of a session and the last names of a user are shown, and no others. */
const checkLabels = (model: Model, org: string, { sessions, named }: Told): void => {
  const now = Date.now();
  const shown = [
    ...sessions.map(one => ({
      of: { user: one.user_id, session: one.session_id, kind: 'title' },
      numbers: refsIn(one.title),
    })),
    ...Object.entries(named).map(([user, names]) => ({
      of: { user, session: '', kind: 'name' },
      numbers: refsIn(names),
    })),
  ];
  for (const { of, numbers } of shown) {
    const labels = [...model.items.values()].filter(
      ({ kind, scope }) =>
        kind === of.kind && scope.org === org && scope.user === of.user && scope.session === of.session,
    );
    const what = `the ${of.kind} of ${org}/${of.user}/${of.session}`;
    const [number] = numbers;
    const label = labels.find(({ n }) => n === number);
    if (label?.stored === 'no') throw new Violation('stored once', `${what} was never stored`);
    if (numbers.size > 1 || (number !== undefined && label?.replaced !== 'no' && label?.replaced !== 'maybe'))
      throw new Violation('what holds is the fold', `${what} is ${[...numbers].join(' and ')}`);
    const expected = labels.find(one => mustShow(one, now));
    if (expected && expected !== label)
      throw new Violation('acknowledged is kept', `${what} is ${number}, not ${expected.n}`);
    if (!label || !mustHide(label, now)) model.labelSeen(labels, number);
  }
};

/** Learns what was corrected by a call of which nobody was told. */
const learnCorrections = (items: readonly Item[], { observations }: Told): void => {
  const said = items.filter(isSaid);
  const itemOf = (id: string | undefined): Item | undefined => {
    const refs = refsIn(observations.find(one => one.id === id)?.text ?? '');
    return said.find(({ n }) => refs.has(n));
  };
  for (const { id, corrects } of observations) {
    const item = corrects === undefined ? undefined : itemOf(id);
    if (item) item.corrects ??= itemOf(corrects);
  }
};

/** A correction is shown only where what it corrects is shown: one call may have hidden either. */
const checkCorrections = (items: readonly Item[], shown: ReadonlySet<number>): void => {
  for (const { n, corrects } of items)
    if (corrects && shown.has(n) && !shown.has(corrects.n))
      throw new Violation('hidden stays hidden', `the said ${n} corrects ${corrects.n}, which is not shown`);
};

const checkReceipts = async (world: World, model: Model, org: string, run: Run): Promise<void> => {
  const caller = await run(world.caller(org));
  for (const kept of model.receipts.of(org)) {
    const since = Date.now();
    checkReceipt(model, kept, await run(orNotFound(world.useCases.recallReceipt(caller, kept.id))), since);
  }
};

/** The retention that was set last. */
const retentionOf = async ({ accounts }: World, org: string): Promise<number | null> => {
  const { days, next } = await accounts.retention(org);
  return next ? next.days : days;
};

/** Whether the title's session has expired or was erased: a hidden turn keeps its session in the lists. */
const isOver = (model: Model, { kind, scope }: Item, since: number): boolean =>
  kind === 'title' &&
  [...model.items.values()]
    .filter(
      one =>
        (one.kind === 'turn' || one.kind === 'said') &&
        one.scope.org === scope.org &&
        one.scope.user === scope.user &&
        one.scope.session === scope.session,
    )
    .every(
      one =>
        one.stored === 'no' || (mustHide(one, since) && (one.erased === 'yes' || hasExpired(one, since))),
    );

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
    const items = [...model.items.values()].filter(({ scope }) => scope.org === org);
    checkLabels(model, org, all);
    for (const item of items) {
      if (item.kind !== 'turn' && item.kind !== 'said') continue;
      const isSeen = refs[item.kind].has(item.n);
      if (isUnsure(item, since)) model.seen(item, isSeen);
      if (item.stored === 'no' && isSeen)
        throw new Violation('stored once', `the ${item.kind} ${item.n} is shown, and was never stored`);
    }
    learnCorrections(items, all);
    checkCorrections(items, refs.said);
    checkWords(model, all, {
      of: 'acknowledged is kept',
      hides: item => item.scope.org === org && (mustHide(item, since) || isOver(model, item, since)),
      shows: () => false,
    });
    for (const item of items)
      if (
        (item.kind === 'turn' || item.kind === 'said') &&
        mustShow(item, now) &&
        !refs[item.kind].has(item.n)
      )
        throw new Violation('acknowledged is kept', `the ${item.kind} ${item.n} is not shown`);
    model.retentions(org).told(await run(retentionOf(world, org)));
    once(
      all.turns.map(({ session_id, user_id, text }) => `${user_id} ${session_id} ${text}`),
      `turns of ${org}`,
    );
    once(
      all.observations.map(({ id }) => id),
      `observations of ${org}`,
    );
    checkHomes(model, org, all);
    await checkReceipts(world, model, org, run);
    const actual = await run(world.engines.usage.reader.billed(org, '0001-01-01', '9999-12-31'));
    checkSums(model, org, actual);
    model.summed(org, actual);
  }
  await verify(world, run);
  return told;
};
