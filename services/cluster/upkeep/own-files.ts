import { isOutage } from '../../../core/errors.ts';
import { repeat } from '../../../core/timing/repeat.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { RedisOwnFiles } from '../../../infra/cluster/redis/files/own-files.ts';

/** A look costs Redis one small command. */
const EVERY_MS = 5_000;

/**
 * Has Redis rewrite its files after keys were destroyed, so that nobody has to do it by hand. Any number of
 * processes may look; what one leaves undone when it ends, the next look of any of them finds.
 */
export const keepOwnFilesClean = (
  { look }: RedisOwnFiles,
  logger: Pick<Log, 'info' | 'warn'>,
  everyMs = EVERY_MS,
): { close(): Promise<void> } => {
  let reported: string | undefined;
  const lookOnce = async (signal: AbortSignal): Promise<void> => {
    try {
      if (!(await look())) return;
      reported = undefined;
      logger.info("what was destroyed has left Redis' own files");
    } catch (error) {
      // Outages are reported by the calls that need Redis.
      if (signal.aborted || isOutage(error)) return;
      const reason = error instanceof Error ? error.message : 'unknown fault';
      // Reported once, until it has succeeded.
      if (reason !== reported) logger.warn({ reason }, "destroyed keys stay in Redis' own files for now");
      reported = reason;
    }
  };
  return repeat(lookOnce, everyMs);
};
