import type { Config } from '../../schemas/config.ts';
import { unavailable } from '../core/errors.ts';
import type { Log } from '../core/watch/logger.ts';
import { within } from '../core/within.ts';
import type { Operator } from '../surfaces/client/composition.ts';
import { openService } from './open-service.ts';

/** How long an operator's command waits for the engines. */
const WAIT_MS = 60_000;

/** Operator calls without a server: on a data folder that no server uses, or on the shared engines. */
export const openOffline = async (config: Config, log: Log): Promise<Operator> => {
  const { engines, accounts, operatorCalls } = await openService(
    config.mode === 'cluster' ? { ...config, role: 'command' } : config,
    log,
  );
  // A data folder always catches up eventually; unreachable engines may never do so.
  const outage = (): Error => unavailable('The engines do not answer.');
  const ready = config.cluster ? within(WAIT_MS, engines.watch.caughtUp, outage) : engines.watch.caughtUp;
  if (config.cluster) {
    await ready.catch(async error => {
      await engines.close();
      throw error;
    });
  }
  return {
    organizations: async () => {
      await ready;
      return accounts.organizations();
    },
    setRetention: async (org, days) => {
      await ready;
      return accounts.setRetention(org, days);
    },
    setLimits: async (org, limits) => {
      await ready;
      await accounts.setLimits(org, limits);
    },
    recoverKey: async org => {
      await ready;
      return accounts.recoverKey(org);
    },
    createOrganization: async org => {
      await ready;
      return accounts.createOrganization(org);
    },
    // Doesn't wait: a folder whose projector has stopped never catches up, and that is when operators use these calls.
    call: (name, args, signal) => operatorCalls[name]!(args, signal),
    close: () => engines.close(),
  };
};
