import { expect, it } from 'vitest';
import { NO_BUDGETS } from '../../../../../core/payers/budgets.ts';
import type { NewRecord, TailTurn } from '../../../../../core/ports.ts';
import { tailFragment } from '../../../../../projections/recall/tail/tail-turn.ts';
import { makeRetract, type RetractPorts } from '../../../../../services/use-cases/curation/retract.ts';
import { principal } from '../../../../contracts/openers/listing.ts';
import { sessionKey, tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

const turn = tailTurn(turnRecorded(0));
const context = { correlationId: 'c', budgets: NO_BUDGETS };

const nothingElse = { fragments: async () => [], sessions: async () => [] };

/** Ports that note what is done, in its order. */
const world = (changes: Partial<RetractPorts> = {}, tail: TailTurn[] = [turn]) => {
  const steps: string[] = [];
  const records: NewRecord[] = [];
  const retract = makeRetract({
    log: {
      append: async appended => {
        records.push(...appended);
        steps.push('append');
        return [{ topic: 'turns', partition: 0, offset: 7 }];
      },
    },
    keys: { forSession: async () => sessionKey() },
    admission: { tail: async () => tail, drop: async (...of) => void steps.push(`drop ${of.join(' ')}`) },
    listing: { turn: async () => undefined, observation: async () => undefined, ...nothingElse },
    details: { facts: async () => ({ facts: [], corrections: [] }) },
    settled: async () => void steps.push('settled'),
    clock: () => 0,
    ...changes,
  });
  return { retract, steps, records };
};

it('drops from the tail only when every index hides it', async () => {
  const { retract, steps, records } = world();
  await retract.turn(principal(), turn.id, context);
  expect(steps).toEqual(['append', 'settled', `drop acme ada ${turn.id}`]);
  const text = Buffer.from(records[0]!.value).toString();
  // The words' names are sealed; what is hidden is not.
  expect(text).toContain(`"ret_${turn.id}"`);
  expect(text).not.toContain('"ada"');
});

it('says that the projections are behind, and keeps the tail until they are not', async () => {
  const { retract, steps } = world({ settled: () => new Promise(() => {}), patienceMs: 5 });
  await expect(retract.turn(principal(), turn.id, context)).rejects.toMatchObject({ code: 'unavailable' });
  expect(steps).toEqual(['append']);
});

it('hides in one append what corrects it, and takes the title away', async () => {
  const note = (id: string, corrects?: string) => ({
    ...tailFragment(turn)!,
    key: 0,
    kind: 'observation' as const,
    id,
    sourceTurnId: `trn_${id.slice(4)}`,
    recordedAt: 0,
    ...(corrects !== undefined && { corrects: { id: corrects, follows: [corrects] } }),
  });
  const [first, second, third, late] = ['1', '2', '3', '4'].map(n => `obs_${n.repeat(32)}`);
  const corrections = [note(second!, first), note(third!, second)];
  const { user, session } = turn;
  const titled = { user, session, turns: 1, said: { title: { value: 'T', at: 5 } }, firstAt: 0, lastAt: 0 };
  const { retract, steps, records } = world({
    listing: {
      turn: async () => undefined,
      observation: async () => undefined,
      fragments: async () => [{ cursor: {} as never, fragment: note(first!) }],
      sessions: async () => [titled],
    },
    details: {
      facts: async (_scope, wanted) => {
        const ids = 'corrected' in wanted ? wanted.corrected! : [];
        // One is acknowledged only while the others are being hidden.
        if (steps.includes('settled')) corrections.push(note(late!, third));
        return {
          facts: [],
          corrections: corrections.filter(({ corrects }) => ids.includes(corrects!.id)) as never,
        };
      },
    },
  });
  await retract.turn(principal(), turn.id, context);
  const ids = records.map(({ value }) => /"id":"([^"]+)"/.exec(Buffer.from(value).toString())![1]);
  expect(ids).toEqual([
    expect.stringMatching(/^cor_/),
    ...[second, third, turn.id, late].map(id => `ret_${id}`),
  ]);
  expect(steps.filter(step => step === 'append')).toHaveLength(2);
});

it('appends once for calls that come together', async () => {
  const { retract, steps } = world();
  await Promise.all([1, 2, 3].map(() => retract.turn(principal(), turn.id, context)));
  expect(steps.filter(step => step === 'append')).toHaveLength(1);
});

it('appends nothing for what is not there, or not of a strict key', async () => {
  const nothing = world({}, []);
  await expect(nothing.retract.turn(principal(), turn.id, context)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(
    nothing.retract.observation(principal(), `obs_${'0'.repeat(32)}`, context),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
  const record = { topic: 'turns', partition: 0, offset: 0 } as const;
  const fragment = { ...tailFragment(turn)!, record };
  const found = world({
    listing: { turn: async () => undefined, observation: async () => fragment, ...nothingElse },
  });
  const strict = principal({ strict: true, sessionId: 'another' });
  await expect(found.retract.turn(strict, turn.id, context)).rejects.toMatchObject({ code: 'not_found' });
  await expect(found.retract.observation(strict, fragment.id, context)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect([nothing.steps, found.steps]).toEqual([[], []]);
});
