import type { Engines } from '../../core/ports/engines.ts';
import type { AccountStore } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Config } from '../../schemas/config.ts';
import type { Accounts } from '../use-cases/accounts/accounts.ts';
import { type AccountCaps, boundAppends } from '../use-cases/accounts/bounded-appends.ts';
import { makeFeed } from '../use-cases/feed/feed.ts';
import { type Deliverer, startDeliverer } from '../use-cases/webhooks/deliverer.ts';
import { makeWhenReady } from './when-ready.ts';

/** The accounts with the payers of what webhooks append; a 503 until the service has caught up. */
export const webhookStore = (
  { accounts, pay, watch }: Pick<Engines, 'accounts' | 'pay' | 'watch'>,
  { keepInUse, caps }: Pick<Accounts, 'keepInUse'> & { caps: AccountCaps },
): AccountStore =>
  boundAppends(makeWhenReady(watch.isCaughtUp)(accounts.store), pay, caps, ({ org_id, correlation_id }) =>
    keepInUse(org_id, { correlationId: correlation_id }),
  );

/** Starts to deliver the webhooks of all organizations, as far as no other process does. */
export const startWebhooks = (
  engines: Engines,
  { keepInUse }: Pick<Accounts, 'keepInUse'>,
  { clock, config, logger }: { clock: () => number; config: Config; logger: Log },
): Deliverer => {
  const store = webhookStore(engines, { keepInUse, caps: config.accounts });
  const { send, deliveries, leases, everyMs } = engines.webhooks;
  const { tokensIn, tokensOut } = config.quota;
  return startDeliverer({
    store,
    keys: engines.keys,
    feed: makeFeed(engines.memory.feed),
    ...{ send, deliveries, leases, everyMs },
    usage: engines.usage.reader,
    capsOf: async org => {
      const limits = (await store.get('organization', org))?.limits;
      return limits ? { tokensIn: limits.tokens_in, tokensOut: limits.tokens_out } : { tokensIn, tokensOut };
    },
    clock,
    isReady: engines.watch.isCaughtUp,
    random: Math.random,
    logger,
  });
};
