import { unavailable } from '../../core/errors.ts';
import { within } from '../../core/timing/within.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Config } from '../../schemas/config.ts';
import type { Operator } from '../surfaces/client/composition.ts';
import { openService } from './open-service.ts';

/** How long an operator's command waits for the engines. */
const WAIT_MS = 60_000;

/** Operator calls without a server: on a data folder that no server uses, or on the shared engines. */
export const openOffline = async (config: Config, log: Log): Promise<Operator> => {
  const { engines, operatorCalls } = await openService(
    config.mode === 'cluster' ? { ...config, role: 'command' } : config,
    log,
    { isOffline: true },
  );
  // A data folder always catches up eventually; unreachable engines may never do so.
  if (config.cluster) {
    await within(WAIT_MS, engines.watch.caughtUp, () => unavailable('The engines do not answer.')).catch(
      async error => {
        await engines.close();
        throw error;
      },
    );
  }
  const never = new AbortController().signal;
  return {
    call: (name, args, signal = never) => operatorCalls[name](args, signal),
    close: () => engines.close(),
  };
};
