import type { Config } from '../../schemas/config.ts';
import { unavailable } from '../core/errors.ts';
import type { Log } from '../core/watch/logger.ts';
import { within } from '../core/within.ts';
import type { Operator } from '../surfaces/client/composition.ts';
import { openService } from './open-service.ts';

/** An operator's command waits this long for the engines. */
const WAIT_MS = 60_000;

/** An operator without a server: on a data folder that no server runs on, or on the shared engines. */
export const openOffline = async (config: Config, log: Log): Promise<Operator> => {
  // Nothing is projected or enriched for the length of a command.
  const { engines, accounts, operatorCalls } = await openService(
    config.mode === 'cluster' ? { ...config, role: 'api' } : config,
    log,
  );
  // A folder is caught up sooner or later; engines that are unreachable may never be.
  const outage = (): Error => unavailable('The engines do not answer.');
  const ready = config.cluster ? within(WAIT_MS, engines.caughtUp, outage) : engines.caughtUp;
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
    setLimits: async (org, limits) => {
      await ready;
      await accounts.setLimits(org, limits);
    },
    createOrganization: async org => {
      await ready;
      return accounts.createOrganization(org);
    },
    // A folder whose projector has stopped never catches up, and that is when an operator calls.
    call: (name, args, signal) => operatorCalls[name]!(args, signal),
    close: () => engines.close(),
  };
};
