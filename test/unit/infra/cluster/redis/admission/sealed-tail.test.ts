import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeSealedTail } from '../../../../../../infra/cluster/redis/admission/sealed-tail.ts';
import { wordsIn } from '../../../../../support/files/find-words.ts';
import { sessionKey, tailTurn, turnRecorded } from '../../../../../support/worlds/builders.ts';

const TEXT = 'The marmalade is in Tallinn';
const turn = tailTurn(turnRecorded(1, { text: TEXT, observations: ['Zora owns a xylophone'] }));
const job = {
  id: 'job_1',
  org: 'acme',
  user: 'ada',
  session: 'spring',
  turnIds: [turn.id],
  passive: true,
  keyId: turn.keyId,
  partition: 0,
  offset: 4,
};

const open = () => {
  const destroyed = new Set<string>();
  const tail = makeSealedTail({
    byId: async keyId => (destroyed.has(keyId) ? undefined : sessionKey().sealing),
  });
  return { tail, destroyed };
};

describe('the tail in Redis', () => {
  it('opens to what was sealed, and shows no word of it', async () => {
    const { tail } = open();
    const sealed = await tail.seal([turn, job]);
    expect(wordsIn(Buffer.from(sealed.join()), ['marmalade', 'Tallinn', 'Zora', 'spring'])).toEqual([]);
    expect(await tail.openTurns('acme', [sealed[0]!])).toEqual([turn]);
    expect(await tail.openJob('acme', sealed[1]!)).toEqual(job);
    expect(sealed.map(text => JSON.parse(text).keyId)).toEqual([turn.keyId, turn.keyId]);
  });

  it('is gone with its key', async () => {
    const { tail, destroyed } = open();
    const [sealed, ofJob] = await tail.seal([turn, job]);
    destroyed.add(turn.keyId);
    expect(await tail.openTurns('acme', [sealed!])).toEqual([]);
    expect(await tail.openJob('acme', ofJob!)).toBeUndefined();
    expect(await tail.seal([turn])).toEqual(['']);
  });

  it('asks for the keys of all sessions at once, and once for each', async () => {
    let underWay = 0;
    const most: number[] = [];
    const byId = async () => {
      most.push(++underWay);
      await setImmediate();
      underWay--;
      return sessionKey().sealing;
    };
    const tail = makeSealedTail({ byId });
    const sealed = await tail.seal(['a', 'b', 'b', 'c'].map(keyId => ({ ...turn, keyId })));
    expect(most.splice(0)).toEqual([1, 2, 3]);
    expect(await tail.openTurns('acme', sealed)).toHaveLength(4);
    expect(most).toEqual([1, 2, 3]);
  });

  it('does not open for another organization', async () => {
    const { tail } = open();
    await expect(tail.openTurns('other', await tail.seal([turn]))).rejects.toThrow();
  });
});
