import type { Closers } from '../../core/timing/closers.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Config } from '../../schemas/config.ts';
import type { WatchedConsumer } from '../workers/consumer.ts';
import { consumersOf } from '../workers/consumers.ts';
import { makeProgress } from '../workers/progress.ts';
import type { Threads } from './threads/prepare.ts';

/**
 * Stage 6 of open.ts: the other consumers of the log. No caller waits for them, and on few cores they would
 * delay the work that callers wait for, so they start when the service is ready.
 */
export const startConsumers = (
  { config, logger, closers }: { config: Config; logger: Log; closers: Closers },
  threads: Pick<Threads, 'startConsumer'>,
  { caughtUp }: { caughtUp: Promise<void> },
): WatchedConsumer[] => {
  const start = async ({ definition: { name }, progress }: WatchedConsumer): Promise<void> => {
    if (closers.signal.aborted) return;
    const starting = threads.startConsumer(name, progress.receive);
    closers.add(() => starting.then(thread => thread.close()).catch(() => {}));
    await starting.catch(error => logger.error({ err: error, thread: name }, 'a consumer could not start'));
  };
  const consumers = consumersOf(config).map((definition): WatchedConsumer => {
    const progress = makeProgress(definition.name, logger);
    return { definition, progress, positions: progress.positions };
  });
  caughtUp.then(
    () => Promise.all(consumers.map(start)),
    () => {},
  );
  return consumers;
};
