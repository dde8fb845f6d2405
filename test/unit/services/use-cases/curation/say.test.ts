import { expect, it, vi } from 'vitest';
import { ServiceError } from '../../../../../core/errors.ts';
import { makeState, type Statement } from '../../../../../services/use-cases/curation/say.ts';
import { assertLasting } from '../../../../../services/use-cases/ingest/expiry.ts';
import type { Wanted } from '../../../../../services/use-cases/ingest/keep.ts';
import { sessionKey } from '../../../../support/worlds/builders.ts';

const gone = () => new ServiceError('not_found', 'There is no such observation.');
const said: Statement = {
  scope: { org: 'acme', user: 'ada', session: 's' },
  apiKey: 'key_1',
  role: 'user',
  text: 'Ada lives in Lagos.',
  timestamp: 5,
};

const world = (key = sessionKey(2)) => {
  const keep = vi.fn(async ({ expiry }: Wanted): Promise<never> => {
    assertLasting(expiry && Date.parse(expiry.expires_at!), 100, keep.mock.calls[0]![0].gone);
    throw new Error('kept');
  });
  const state = makeState({
    admission: { tail: async () => [] },
    listing: { observation: async () => undefined },
    paidKey: async () => key,
    countTokens: async (_org, texts) => texts.map(() => 1),
    keep,
  });
  return {
    keep,
    state: (more: Partial<Statement>) =>
      state({ ...said, ...more }, { correlationId: 'c', caps: { tokensIn: 0, tokensOut: 0 } }),
  };
};

it('keeps nothing under the key that a session has after its erasure', async () => {
  const { keep, state } = world();
  await expect(state({ within: { keyId: 'key-1', gone } })).rejects.toMatchObject({ code: 'not_found' });
  expect(keep).not.toHaveBeenCalled();
  await expect(state({ within: { keyId: 'key-2', gone } })).rejects.toThrow('kept');
});

it('keeps what corrects something under the key that a session has lost to its next one', async () => {
  const { state } = world({ ...sessionKey(2), keyId: 'key-1.next' });
  for (const keyId of ['key-1', 'key-1.former'])
    await expect(state({ within: { keyId, gone } })).rejects.toThrow('kept');
  for (const keyId of ['key-2', null])
    await expect(state({ within: { keyId, gone } })).rejects.toMatchObject({ code: 'not_found' });
});

it('keeps nothing of what has expired by then', async () => {
  const within = { keyId: 'key-2', gone };
  await expect(world().state({ within, expiresAt: 100 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(world().state({ within, expiresAt: 101 })).rejects.toThrow('kept');
});

it('bills the metadata that it keeps', async () => {
  const { keep, state } = world();
  await expect(state({ metadata: { agent: 'a' } })).rejects.toThrow('kept');
  expect(keep.mock.calls[0]![0]).toMatchObject({ metadata: { agent: 'a' }, metadataTokens: 1 });
});
