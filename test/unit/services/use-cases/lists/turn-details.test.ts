import { describe, expect, it } from 'vitest';
import type { Listing, Scope, StoredFragment } from '../../../../../core/ports.ts';
import { observationId } from '../../../../../domain/identity/identity.ts';
import { makeLists } from '../../../../../services/use-cases/lists/lists.ts';
import { principal } from '../../../../contracts/openers/listing.ts';
import { tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

const SAID = 'Ada asks after Grace';
const recorded = turnRecorded(0, { text: 'Where did Grace go?', observations: [SAID] });
const waiting = tailTurn(recorded);
const { id, user, session, role, text, timestamp } = waiting;
const fragment: StoredFragment = { key: 0, id, user, session, role, text, timestamp, kind: 'turn' };
const observed: StoredFragment = {
  ...fragment,
  id: observationId(id, SAID),
  text: SAID,
  kind: 'observation',
  sourceTurnId: id,
  source: 'client',
};
const origin = { topic: 'turns', partition: 0, offset: 0, recordedAt: timestamp } as const;

type Held = Set<'turn' | 'observation' | 'tail'>;

/**
 * Lists over an index and a tail that change between two questions; which parts of the tail were asked for.
 */
const listsOver = (held: Held, change: (question: number) => void) => {
  let asked = 0;
  const tails: Scope[] = [];
  const answer = <T>(make: () => T): Promise<T> => {
    change(asked++);
    return Promise.resolve(make());
  };
  const isSeen = (scope: Scope) =>
    scope.org === waiting.org && (scope.user ?? user) === user && (scope.session ?? session) === session;
  const listing = {
    turn: (scope: Scope, wanted: string) =>
      answer(() => (isSeen(scope) && wanted === id && held.has('turn') ? { fragment, origin } : undefined)),
    named: () => answer(() => []),
  } as unknown as Listing;
  const lists = makeLists({
    find: async () => ({ found: [], total: 0 }),
    listing,
    details: {
      observationsOf: () => answer(() => (held.has('observation') ? [observed] : [])),
      facts: async () => ({ facts: [], corrections: [] }),
      factKeys: async () => [],
      nameCorrections: async () => [],
    },
    settledUntil: async () => 0,
    clock: () => 0,
    admission: {
      tail: scope => {
        tails.push(scope);
        return answer(() => (isSeen(scope) && held.has('tail') ? [waiting] : []));
      },
    },
  });
  return { lists, tails };
};

/** Before which of up to five questions each of the steps is taken, one after the other. */
const TIMES = Array.from({ length: 6 }, (_, at) => at);
const ORDERS = TIMES.flatMap(a => TIMES.flatMap(b => TIMES.map(c => [a, b, c] as const))).filter(
  ([a, b, c]) => a <= b && b <= c,
);

describe('a turn that is asked for', () => {
  it('is found with what its client observed, whenever it goes over from the tail to the index', async () => {
    expect(ORDERS).toHaveLength(56);
    for (const [turnShown, observationShown, letGo] of ORDERS) {
      const held: Held = new Set(['tail']);
      const { lists } = listsOver(held, question => {
        if (question >= turnShown) held.add('turn');
        if (question >= observationShown) held.add('observation');
        if (question >= letGo) held.delete('tail');
      });
      const one = await lists.turn(principal(), id);
      const when = `${turnShown}, ${observationShown}, ${letGo}`;
      expect(one.text, when).toBe(text);
      expect(
        one.observations.map(({ text }) => text),
        when,
      ).toEqual([SAID]);
    }
  });

  it('is found in neither once it is erased', async () => {
    const { lists } = listsOver(new Set(), () => {});
    await expect(lists.turn(principal(), id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it("costs no more of the tail than its session's, where the index has it", async () => {
    const { lists, tails } = listsOver(new Set(['turn', 'observation']), () => {});
    expect((await lists.turn(principal(), id)).recorded_at).toMatch(/^\d{4}-/);
    // Once for the turn and once for corrections.
    const ofSession = { org: 'acme', user, session };
    expect(tails).toEqual([ofSession, ofSession]);
  });

  it('is looked for in all that a credential sees, and in no more', async () => {
    const everybodys = listsOver(new Set(['tail']), () => {});
    expect((await everybodys.lists.turn(principal(), id)).recorded_at).toBeNull();
    expect(everybodys.tails).toEqual([{ org: 'acme' }, { org: 'acme', user, session }]);
    const bens = listsOver(new Set(['tail']), () => {});
    const ben = principal({ userId: 'ben', roles: ['memory:read'] });
    await expect(bens.lists.turn(ben, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(bens.tails).toEqual([{ org: 'acme', user: 'ben' }]);
  });
});
