import { afterEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import { DAY_MS } from '../../core/time.ts';
import type { AccountEvent } from '../../projections/accounts/accounts-projection.ts';
import type { ObservationsExtracted } from '../../schemas/events/observations.ts';
import { makeLists } from '../../services/use-cases/lists/lists.ts';
import { isLong } from '../support/long.ts';
import { extracted, type Logged, minute, retracted, turnRecorded } from '../support/worlds/builders.ts';
import { drawing, history, interleaved } from '../support/worlds/history.ts';
import { answersOf, queryOf } from './openers/answers.ts';
import { fold } from './openers/embedded.ts';
import { findIn } from './openers/finding.ts';
import { principal } from './openers/listing.ts';
import type { OpenProjections } from './openers/projections.ts';

const QUESTIONS = ['Where did Marta repair the violin?', 'the harbour in Lisbon', 'ref7'];
const anybody = principal();
const all = { limit: 200 };

/** The first and the last instant at which something expires. */
const FIRST = minute(1_000_000);
const LAST = FIRST + 3 * DAY_MS;

const at = (ms: number): string => new Date(ms).toISOString();
const isExtraction = (event: Event): event is Logged<ObservationsExtracted> =>
  event.type === 'observations.extracted';

/** Each of these turns expires at one of some instants, or never, and what was found in it does with it. */
const expiring = (
  events: readonly Event[],
  expiryOf: (turn: Event, n: number) => number | undefined,
): Event[] => {
  const turns = new Map(events.filter(({ id }) => id.startsWith('trn_')).map(turn => [turn.id, turn]));
  const expiries = new Map([...turns.values()].map((turn, n) => [turn.id, expiryOf(turn, n)]));
  return events.map(event => {
    const turn = isExtraction(event) ? event.data.turn_id : event.id;
    const expires = expiries.get(turn);
    if (expires !== undefined) return { ...event, expires_at: at(expires) };
    return isExtraction(event) ? { ...event, kept_from: turns.get(turn)!.recorded_at } : event;
  });
};

/** Tests that an index always says what one says in which nothing that has expired was ever written. */
export const describeExpiry = (
  name: string,
  open: (clock: () => number) => Promise<OpenProjections>,
): void => {
  describe(`expiry: ${name}`, () => {
    const opened: OpenProjections[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close();
    });
    const rewrite = async ({ store }: OpenProjections, events: readonly Event[]): Promise<void> => {
      for (let from = 0; from < events.length; from += 300)
        await store.apply({ ...fold(events.slice(from, from + 300)), positions: {} });
    };
    const another = async (clock: () => number, events: readonly Event[]): Promise<OpenProjections> => {
      const one = await open(clock);
      opened.push(one);
      const positions = Object.fromEntries(
        ['turns', 'observations'].flatMap(topic => [0, 1, 2, 3].map(n => [`${topic}/${n}`, 1_000_000])),
      );
      for (let from = 0; from < events.length; from += 300)
        await one.store.apply({ ...fold(events.slice(from, from + 300)), positions });
      return one;
    };

    /** All that it says of acme, and all that ranking is told. */
    const told = async ({ index, listing, feed }: OpenProjections, ids: readonly string[]) => {
      const admission = { tail: async () => [] };
      const settledUntil = async () => LAST;
      const lists = makeLists({
        find: findIn(index),
        listing,
        details: index,
        admission,
        settledUntil,
        clock: () => LAST,
      });
      const scopes = [
        { org: 'acme' },
        { org: 'acme', user: 'ada' },
        { org: 'acme', user: 'ada', session: 's1' },
        { org: 'acme', user: 'ada', asOf: minute(200_000) },
      ];
      const recalled = [];
      for (const scope of scopes)
        for (const q of QUESTIONS) {
          const { enrichment: _, ...answers } = await answersOf(index, scope, q, ids);
          recalled.push(answers);
        }
      const ranges = ['turns', 'observations'].flatMap(topic =>
        [0, 1, 2, 3].map(partition => ({ topic: topic as 'turns', partition, from: 0, to: 1_000_000 })),
      );
      const fed = [];
      for (const range of ranges)
        fed.push(
          ...(await feed.read({ org: 'acme' }, [range], 10_000)).entries.map(({ fragment }) => fragment.id),
        );
      return {
        recalled,
        fed: fed.sort(),
        users: (await lists.users(anybody, all)).users,
        sessions: (await lists.sessions(anybody, all)).sessions,
        turns: (await lists.turns(anybody, { ...all, user_id: 'ada' })).turns,
        observations: (await lists.observations(anybody, all)).observations,
        entities: (await lists.entities(anybody, all)).entities,
        found: {
          turns: (await lists.turns(anybody, { ...all, q: 'violin harbour' })).turns,
          observations: (await lists.observations(anybody, { ...all, q: 'violin harbour' })).observations,
          users: (await lists.users(anybody, { ...all, q: 'violin' })).users,
          sessions: (await lists.sessions(anybody, { ...all, q: 'violin' })).sessions,
          entities: (await lists.entities(anybody, { ...all, q: 'marta' })).entities,
        },
        ofSession: (await lists.entities(anybody, { ...all, user_id: 'ada', session_id: 's1' })).entities,
        facts: (await lists.facts(anybody, { user_id: 'ada', holds: 'ever' })).facts,
      };
    };

    const isTurn = ({ id }: Event) => id.startsWith('trn_');
    const idsOf = (events: readonly Event[]) => events.filter(isTurn).map(({ id }) => id);

    it.each([90, 1_400])(
      'hides from its moment on, exactly, of %i turns',
      { timeout: 240_000 },
      async size => {
        const { steps } = history([size], drawing(size));
        const instants = [FIRST, FIRST + DAY_MS, LAST];
        const draw = drawing(7);
        const events = expiring(steps.flat(), ({ org_id: _, data }) => {
          // All of one session expires, and all that two users said in a rare spelling may.
          if ((data as { session_id: string }).session_id === 's2') return FIRST;
          return draw(2) ? instants[draw(3)] : undefined;
        });
        let now = FIRST - 1;
        const whole = await another(() => now, events);
        const ids = idsOf(events).slice(0, 300);
        // With many turns, each moment takes seconds.
        const moments = size < 1_000 || isLong ? [FIRST - 1, FIRST, FIRST + DAY_MS, LAST] : [FIRST, LAST];
        for (const moment of moments) {
          now = moment;
          const living = events.filter(({ expires_at }) => !expires_at || Date.parse(expires_at) > moment);
          const without = await another(() => 0, living);
          const expected = await told(without, ids);
          const isAsIfNeverSaid = async () => {
            expect(await told(whole, ids)).toEqual(expected);
            await whole.sweep(moment);
            expect(await told(whole, ids)).toEqual(expected);
            expect(await whole.kept()).toBe(await without.kept());
          };
          await isAsIfNeverSaid();
          // A process that is late writes all of it once more.
          await rewrite(whole, interleaved(events, draw));
          await isAsIfNeverSaid();
          expect(living.length < events.length).toBe(moment >= FIRST);
        }
      },
    );

    it('keeps by a retention, from when a turn was recorded, a day after it was set', {
      timeout: 120_000,
    }, async () => {
      const { steps } = history([120], drawing(5));
      const draw = drawing(9);
      // One in three has an expiry of its own, which no retention changes.
      const events = expiring(steps.flat(), () => (draw(3) ? undefined : LAST));
      const recorded = events.filter(isTurn).map(({ recorded_at }) => Date.parse(recorded_at));
      const middle = recorded.sort((a, b) => a - b)[Math.floor(recorded.length / 2)]!;
      const set = middle + 9 * DAY_MS;
      let now = set;
      const whole = await another(() => now, events);
      const changed = (days: number | null, when: number): AccountEvent => ({
        id: `ret_${when}`,
        type: 'org.retention_changed',
        version: 1,
        org_id: 'acme',
        recorded_at: at(when),
        correlation_id: 'c',
        data: { days },
      });
      const key = { key_id: 'k', name: 'n', prefix: 'p', secret_hash: '0'.repeat(64), roles: ['*'] };
      const signedUp: AccountEvent = {
        id: 'acme',
        type: 'org.signed_up',
        version: 1,
        org_id: 'acme',
        recorded_at: at(0),
        correlation_id: 'c',
        data: {
          ...{ name: null, email: null, key: { ...key, user_id: 'u', session_id: null } },
          began: { turns: [], observations: [], usage: [] },
        },
      };
      await whole.account([signedUp, changed(10, set)]);
      const ids = idsOf(events);
      const keptFrom = (event: Event) => Date.parse(event.kept_from ?? event.recorded_at);
      for (const [moment, gone] of [
        [set + DAY_MS - 1, -1],
        [set + DAY_MS, middle],
      ] as const) {
        now = moment;
        const living = events.filter(event => event.expires_at !== undefined || keptFrom(event) > gone);
        expect(living.length < events.length).toBe(gone > 0);
        const without = await another(() => 0, living);
        const expected = await told(without, ids);
        expect(await told(whole, ids)).toEqual(expected);
        // It looks for what retentions have removed once an hour.
        if (gone < 0) continue;
        await whole.sweep(moment);
        expect(await told(whole, ids)).toEqual(expected);
        expect(await whole.kept()).toBe(await without.kept());
      }
    });

    it('answers for a turn that is sent again as it did before it was swept', async () => {
      const shown = turnRecorded(0, { text: 'I live in Lyon.' });
      const bare = turnRecorded(1, { text: 'I live in Porto.', active: false });
      const hidden = turnRecorded(2, { text: 'I live in Rome.' });
      const turns = expiring([shown, bare, hidden], () => FIRST);
      const whole = await another(() => FIRST, [...turns, retracted(3, hidden)]);
      const ids = [shown, bare, hidden].map(({ id }) => id);
      const known = new Map([
        [shown.id, true],
        [bare.id, false],
        [hidden.id, true],
      ]);
      expect(await whole.known('acme', 'ada', ids)).toEqual(known);
      await whole.sweep(FIRST);
      expect(await whole.known('acme', 'ada', ids)).toEqual(known);
      // A turn that was hidden expires as one that wasn't: nothing keeps its session in a list.
      expect(await whole.swept.isOver({ org: 'acme', user: 'ada', session: 's1', state: '' }, FIRST)).toBe(
        true,
      );
      expect((await whole.listing.sessions({ org: 'acme' }, undefined, 10)).length).toBe(0);
    });

    it('lets the older value hold again, and names nobody that only it named', async () => {
      const home = (value: string) => ({ subject: 'Ada', attribute: 'home', value });
      const old = turnRecorded(0, { text: 'I live in Lyon.' });
      const gone = turnRecorded(1, { text: 'I live in Porto.', role: 'Zed' });
      const person = (label: string, kind: string) => ({ entities: [{ label, kind }] });
      const found = [
        extracted(0, old, {
          observations: [{ text: 'Ada lives in Lyon.', fact: home('Lyon') }],
          ...person('Anna', 'person'),
        }),
        extracted(1, gone, {
          observations: [{ text: 'Ada lives in Porto.', fact: home('Porto') }],
          ...person('ANNA', 'animal'),
        }),
      ];
      const events = expiring([old, gone, ...found], (_, n) => (n === 1 ? FIRST : undefined));
      let now = FIRST - 1;
      const { index, listing } = await another(() => now, events);
      const { facts, turn, entities } = makeLists({
        find: findIn(index),
        listing,
        details: index,
        admission: { tail: async () => [] },
        settledUntil: async () => LAST,
        clock: () => now,
      });
      const said = async () => ({
        holds: (await facts(anybody, { user_id: 'ada' })).facts.map(({ value }) => value),
        named: (await entities(anybody, {})).entities.map(({ label, kind }) => [label, kind]),
        recalled: (await index.entitiesOf({ org: 'acme' }, [old.id])).map(({ label }) => label),
        speakers: (await index.retrieve({ org: 'acme' }, () => queryOf('Lyon'), [])).statistics.speakers,
      });
      const before = { holds: ['Porto'], named: [['ANNA', 'animal']], recalled: ['ANNA'] };
      expect(await said()).toEqual({ ...before, speakers: ['Zed', 'user'] });
      await expect(turn(anybody, gone.id)).resolves.toMatchObject({ id: gone.id });
      now = FIRST;
      const after = { holds: ['Lyon'], named: [['Anna', 'person']], recalled: ['Anna'] };
      expect(await said()).toEqual({ ...after, speakers: ['user'] });
      await expect(turn(anybody, gone.id)).rejects.toMatchObject({ code: 'not_found' });
    });
  });
};
