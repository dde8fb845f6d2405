import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../core/ports.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import { type Logged, minute, sentence, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { inScope, queryOf } from './openers/answers.ts';
import { fold } from './openers/embedded.ts';
import type { OpenProjections } from './openers/projections.ts';

type Told = Logged<TurnRecorded>;

/** Recorded later than the instant that a scope asks about. */
const LATER = '2026-03-11T08:00:00.000Z';
const AS_OF = Date.parse('2026-03-10T12:00:00.000Z');
/** Said once, in a session where nothing else answers the question. */
const RARE = 'ref99999';

/**
 * Returns turns of a user in a partition of its own: offsets begin at 0 in each. Three turns have each
 * minute, in no order.
 */
const conversation = (
  user: string,
  partition: number,
  sessions: readonly (readonly [name: string, turns: number])[],
): Told[] => {
  const names = sessions.flatMap(([name, turns]) => Array.from({ length: turns }, () => name));
  const { length } = names;
  return names.map((_, n) => {
    // Sessions mix in the log; 7919 is prime to the lengths used here, so each place is taken once.
    const session = names[(n * 7919) % length]!;
    const said = session === 'quiet' ? 'hm' : sentence(n);
    const event = turnRecorded(n, {
      user,
      session,
      role: `${user}-${n}`,
      text: `${said}, the ${n}th`,
      timestamp: minute(Math.floor(((n * 31) % length) / 3)),
    });
    return { ...event, partition, recorded_at: n % 5 === 0 ? LATER : event.recorded_at };
  });
};

const ada = conversation('ada', 0, [
  ['long', 700],
  ['quiet', 1_200],
  ['short', 40],
  ['brief', 12],
]);
const grace = conversation('grace', 1, [
  ['long', 300],
  ['other', 90],
  ['short', 50],
]);
const rare = ada.findIndex(({ data }, n) => n > 900 && n % 5 !== 0 && data.session_id === 'quiet');
ada[rare] = { ...ada[rare]!, data: { ...ada[rare]!.data, text: `${RARE} then` } };
const all = [...ada, ...grace];

const SCOPES: Record<string, Scope> = {
  'a user': { org: 'acme', user: 'ada' },
  'an organization of two users in two partitions': { org: 'acme' },
  'a window': { org: 'acme', user: 'ada', since: minute(90), until: minute(560) },
  'a session of that name of each user': { org: 'acme', session: 'long' },
  'a past instant': { org: 'acme', user: 'ada', asOf: AS_OF },
};

/**
 * Roles, which name each turn, at -2, -1, +1 and +2 of each turn of the scope, as plainly as it can be said.
 */
const expectedAround = (scope: Scope): Map<string, (string | undefined)[]> => {
  const sessions = Map.groupBy(
    all.filter(
      event =>
        inScope(tailTurn(event), scope) &&
        (scope.asOf === undefined || Date.parse(event.recorded_at) <= scope.asOf),
    ),
    ({ data }) => `${data.user_id}/${data.session_id}`,
  );
  return new Map(
    [...sessions.values()].flatMap(turns => {
      const sorted = turns.toSorted(
        (a, b) => Date.parse(a.data.timestamp) - Date.parse(b.data.timestamp) || a.offset - b.offset,
      );
      const roleAt = (n: number): string | undefined => sorted[n]?.data.role;
      return sorted.map(({ id }, n) => [id, [n - 2, n - 1, n + 1, n + 2].map(roleAt)] as const);
    }),
  );
};

/** The turns around each candidate in short sessions, in long ones and where few turns are asked about. */
export const describeNeighbours = (name: string, open: () => Promise<OpenProjections>): void => {
  describe(`neighbours: ${name}`, () => {
    let opened: OpenProjections;
    let partly: OpenProjections;
    /** Not in the index yet; the tail has as many that are. */
    const WAITING = 60;
    const isShown = ({ partition, offset }: Told): boolean =>
      offset < (partition === 0 ? ada : grace).length - WAITING;
    const tail = [...ada.slice(-2 * WAITING), ...grace.slice(-2 * WAITING)];
    beforeAll(async () => {
      [opened, partly] = [await open(), await open()];
      for (let at = 0; at < all.length; at += 500)
        await opened.store.apply({ ...fold(all.slice(at, at + 500)), positions: {} });
      const positions = { 'turns/0': ada.length - WAITING, 'turns/1': grace.length - WAITING };
      await partly.store.apply({ ...fold(all.filter(isShown)), positions });
    });
    afterAll(async () => {
      for (const one of [opened, partly]) await one?.close();
    });

    /** The best first, then all: what is asked for later must fit what was had before. */
    const around = async (
      { index }: OpenProjections,
      scope: Scope,
      q: string,
      waiting: readonly Told[] = [],
    ): Promise<Map<string, (string | undefined)[]>> => {
      const found = await index.retrieve(scope, () => queryOf(q), waiting.map(tailTurn));
      const turns = found.candidates.filter(({ kind }) => kind === 'turn');
      const known = new Map<number, (string | undefined)[]>();
      for (const some of [turns.slice(0, 40), turns]) {
        for (const [key, roles] of await index.surround(
          found.snapshot,
          some.map(({ key }) => key),
        ))
          known.set(
            key,
            roles.map(one => one?.role),
          );
      }
      const fragments = await index.fragments(found.snapshot, [...known.keys()]);
      return new Map(turns.map(({ key }) => [fragments.get(key)!.id, known.get(key)!]));
    };

    for (const [described, scope] of Object.entries(SCOPES)) {
      it(`are those of the session in ${described}`, async () => {
        const expected = expectedAround(scope);
        for (const q of [`${sentence(4)} ${RARE}`, 'Marta sold a violin in Oslo', RARE]) {
          const found = await around(opened, scope, q);
          expect(found.size).toBeGreaterThan(20);
          for (const [id, roles] of found) expect(roles).toEqual(expected.get(id));
        }
      });
    }

    it('are found where one turn of a very long session is among the best', async () => {
      const scope: Scope = { org: 'acme', user: 'ada' };
      const found = await around(opened, scope, `${sentence(4)} ${RARE}`);
      const { id } = ada[rare]!;
      expect(found.get(id)).toEqual(expectedAround(scope).get(id));
    });

    it('are those of index and tail together', async () => {
      for (const scope of [SCOPES['a user']!, SCOPES['a window']!]) {
        const expected = expectedAround(scope);
        const inside = tail.filter(event => inScope(tailTurn(event), scope));
        const asked = inside.find(event => !isShown(event))!;
        const found = await around(partly, scope, asked.data.text, inside);
        expect(found.has(asked.id)).toBe(true);
        for (const [id, roles] of found) expect(roles).toEqual(expected.get(id));
      }
    });
  });
};
