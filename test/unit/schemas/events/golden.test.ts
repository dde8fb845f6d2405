import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeDecode } from '../../../../core/log/events.ts';
import type { LogRecord, Topic } from '../../../../core/ports.ts';
import { parseEnvelope } from '../../../../schemas/events/envelope.ts';
import { EVENT_TYPES } from '../../../../schemas/events/event-types.ts';
import { FRAME_TYPES } from '../../../../schemas/events/registry.ts';
import { sessionKey } from '../../../support/worlds/builders.ts';

/**
 * One file for each version of each event type that ever shipped: `value` is its bytes in the log, sealed
 * under `sessionKey()` where the type is sealed, `event` is what it is read as today. A file is never changed
 * but in what a newer version's upcaster makes of it.
 */
interface Golden {
  topic: Topic;
  value: string;
  /** The event of a record of one. */
  event?: object;
  /** The events of a frame. */
  events?: object[];
}

const folder = new URL('../../../golden/', import.meta.url);
const files = readdirSync(folder).filter(name => name.endsWith('.json'));
const key = sessionKey();
const decode = makeDecode({
  byId: async id => (id === key.keyId ? key.sealing : undefined),
  destroyKeys: async () => {},
});

const shipped = [
  ...Object.entries(EVENT_TYPES).filter(([, { stored }]) => stored !== 'framed'),
  ...Object.entries(FRAME_TYPES),
].flatMap(([type, { versions }]) => versions.map((_, i) => `${type}.v${i + 1}.json`));

it('has a golden file of every version of every event type and of every frame, and of nothing else', () => {
  expect(files.toSorted()).toEqual(shipped.toSorted());
});

it.each(files)('reads %s for ever', async name => {
  const {
    topic,
    value,
    event,
    events = [event],
  } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Golden;
  const record: LogRecord = {
    topic,
    partition: 0,
    offset: 0,
    value: Buffer.from(value, 'base64'),
    headers: {},
  };
  const [, type, version] = /^(.+)\.v(\d+)\.json$/.exec(name)!;
  const envelope = parseEnvelope(Buffer.from(value, 'base64'));
  expect(envelope).toMatchObject({ type, version: Number(version) });
  expect(await decode(record)).toEqual({ kind: 'events', events });
});
