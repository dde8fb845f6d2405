import { makeDecode } from '../../../core/log/events.ts';
import type { EventLog, LogRecord, Positions } from '../../../core/ports.ts';
import type { RedisAccountStore } from '../../../infra/cluster/redis/accounts/account-store.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import { pause } from '../../support/wait.ts';

const decode = makeDecode({ byId: async () => undefined, destroyKeys: async () => {} });
const eventsOf = async (records: readonly LogRecord[]): Promise<AccountEvent[]> =>
  (await Promise.all(records.map(decode))).flatMap(each =>
    each.kind === 'events' ? (each.events as unknown as AccountEvent[]) : [],
  );

/** Plays the projector: reads on in every partition, applies, moves on. */
export const startProjecting = (
  log: EventLog,
  store: Pick<RedisAccountStore, 'apply'>,
  positions: Positions = {},
) => {
  let running = true;
  const work = async (): Promise<void> => {
    while (running) {
      for (const topicPartition of Object.keys(await log.ends()).filter(each =>
        each.startsWith('accounts/'),
      )) {
        const partition = Number(topicPartition.split('/')[1]);
        const records = await log.read('accounts', partition, positions[topicPartition] ?? 0, 100);
        if (records.length === 0) continue;
        await store.apply(await eventsOf(records));
        positions[topicPartition] = records.at(-1)!.offset + 1;
      }
      await pause(2);
    }
  };
  const done = work();
  return async (): Promise<void> => {
    running = false;
    await done;
  };
};
