import { expect, it } from 'vitest';
import { HOUR_MS } from '../../../../../core/time.ts';
import { makeKeyIndexer } from '../../../../../infra/cluster/keys/index/indexer.ts';
import { makeLookup } from '../../../../../infra/cluster/keys/lookup.ts';
import { keyRecord } from '../../../../../infra/cluster/keys/record.ts';
import { makeTails } from '../../../../../infra/cluster/keys/tails.ts';
import { memoryKeyIndex } from '../../../../support/engines/memory-key-index.ts';
import { memoryLog } from '../../../../support/engines/memory-log.ts';

const key = (keyId: string, session: string, under: string) =>
  keyRecord({ keyId, owner: 'owner', session, under, wrapped: Buffer.from(keyId) });

it.each([
  ['a key', 1],
  ['the key that wraps it', 2],
])('is unavailable when a new pass of the index begins before it asks for %s', async (_what, nth) => {
  const [log, index] = [memoryLog(1), memoryKeyIndex()];
  await log.append([key('user', '', ''), key('session', 's', 'user')]);
  const readAt = (now: number) => makeKeyIndexer({ index, log, clock: () => now }).catchUp();
  await readAt(0);
  let asked = 0;
  const byIds = async (ids: readonly string[]) => {
    // A position so old is not trusted any more: the topic is read from its beginning.
    if (++asked === nth) await readAt(24 * HOUR_MS);
    return index.byIds(ids);
  };
  const lookup = makeLookup({ index: { ...index, byIds }, tails: makeTails(log), log, clock: () => 0 });
  await expect(lookup.byIds(['session'])).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toBe(nth);
  expect((await lookup.byIds(['session'])).get('session')?.wrapping?.keyId).toBe('user');
});
