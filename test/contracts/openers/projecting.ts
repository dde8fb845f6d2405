import { type Event, makeDecode } from '../../../core/log/events.ts';
import type { EventLog } from '../../../core/ports.ts';
import { sessionKey } from '../../support/worlds/builders.ts';

const decode = makeDecode({ byId: async () => sessionKey().sealing, destroyKeys: async () => {} });

/** An append to the log that is projected at once, at the offsets from 10 on. */
export const projecting = (write: (...events: Event[]) => Promise<void>) => {
  const appended: Event[] = [];
  const append: EventLog['append'] = async records => {
    for (const { topic, value } of records) {
      const record = { topic, partition: 0, offset: 10 + appended.length, value, headers: {}, timestamp: 0 };
      const decoded = await decode(record as never);
      if (decoded.kind !== 'events') throw new Error(decoded.kind);
      appended.push(...decoded.events);
      await write(...decoded.events);
    }
    return [{ topic: 'turns', partition: 0, offset: 9 + appended.length }];
  };
  return {
    appended,
    ports: { log: { append }, keys: { forSession: async () => sessionKey() }, settled: async () => {} },
  };
};
