import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeDecode } from '../../../services/events.ts';
import type { Topic } from '../../../services/ports.ts';
import { sessionKey } from '../../support/builders.ts';

/**
 * One file for each version of each event type that ever shipped: `value` is its bytes in the log, sealed under
 * `sessionKey()` where the type is sealed, `event` is what it is read as today. A file is never changed but in what
 * a newer version's upcaster makes of it.
 */
interface Golden {
  topic: Topic;
  value: string;
  event: object;
}

const folder = new URL('../../golden/', import.meta.url);
const files = readdirSync(folder).filter(name => name.endsWith('.json'));
const key = sessionKey();
const decode = makeDecode({
  byId: async id => (id === key.keyId ? key.sealing : undefined),
  destroyKeys: async () => {},
});

it('has a golden file of every event type', () => {
  const types = [
    'api_key.created',
    'api_key.revoked',
    'api_key.used',
    'extraction.failed',
    'memory.erased',
    'observations.extracted',
    'org.limits_changed',
    'org.signed_up',
    'recall.metered',
    'refresh_family.revoked',
    'refresh_token.rotated',
    'turn.recorded',
    'write.accepted',
  ];
  expect(files).toEqual(
    expect.arrayContaining([...types.map(type => `${type}.v1.json`), 'turn.recorded.v2.json']),
  );
});

it.each(files)('reads %s for ever', async name => {
  const { topic, value, event } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Golden;
  const record = { topic, partition: 0, offset: 0, value: Buffer.from(value, 'base64'), headers: {} };
  expect(await decode(record)).toEqual({ kind: 'event', event });
});
