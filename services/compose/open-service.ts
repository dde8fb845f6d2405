import { randomBytes } from 'node:crypto';
import { unavailable } from '../../core/errors.ts';
import type { OperatorCalls } from '../../core/operator/calls.ts';
import type { Engines } from '../../core/ports/engines.ts';
import { within } from '../../core/timing/within.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Config } from '../../schemas/config.ts';
import type { EmbeddedEngines } from '../embedded/open.ts';
import { accountCalls } from '../use-cases/accounts/account-calls.ts';
import { type Accounts, makeAccounts } from '../use-cases/accounts/accounts.ts';
import { LOCAL } from '../use-cases/accounts/organizations/sign-up.ts';
import { type AuditNotes, makeAuditNotes } from '../use-cases/audit/audit-notes.ts';
import { withEntries } from '../use-cases/audit/operator-entries.ts';
import { transferCalls } from '../use-cases/transfer/transfer-calls.ts';
import { makeWhenReady } from './when-ready.ts';

/** How long an operator's export or import waits for the projections. */
const WAIT_MS = 60_000;

export interface OpenedService {
  engines: Engines;
  /** The one door of the audit log. */
  notes: AuditNotes;
  /** The same engines, in embedded mode only. */
  embedded: EmbeddedEngines | undefined;
  accounts: Accounts;
  /** Unix milliseconds. */
  clock: () => number;
  operatorCalls: OperatorCalls;
}

/**
 * Config → engines → accounts and operator calls: the same whether HTTP is served or an operator works
 * offline.
 */
export const openService = async (
  config: Config,
  log: Log,
  { isOffline }: { isOffline?: boolean } = {},
): Promise<OpenedService> => {
  // A configured start time shifts the clock; tests cross midnight with it.
  const clockOffset = config.clock === undefined ? 0 : config.clock - Date.now();
  const clock = (): number => Date.now() + clockOffset;
  // Only the engines of the configured mode are loaded.
  const embedded =
    config.mode === 'embedded'
      ? await (await import('../embedded/open.ts')).openEngines(config, log, clockOffset)
      : undefined;
  const opened: Engines =
    embedded ?? (await (await import('../cluster/open.ts')).openEngines(config, log, clockOffset));
  const notes = makeAuditNotes({ log: opened.log, clock });
  const engines = withNotes(opened, notes);
  const whenReady = makeWhenReady(engines.watch.isCaughtUp);
  const { identityProviders: rules } = config;
  // The library is loaded where somebody vouches.
  const identityProviders =
    rules &&
    (await import('../../infra/identity/identity-providers.ts')).openIdentityProviders({ rules, clock, log });
  const made = makeAccounts({
    ...engines.accounts,
    pay: engines.pay,
    store: whenReady(engines.accounts.store),
    clock,
    random: randomBytes,
    identityProviders,
    ends: () => engines.log.ends(),
    clockAgrees: engines.watch.probes.clock,
    past: engines.accounts.upTo,
    notes,
    config: {
      signup: config.signup,
      signupsPerMinute: config.signupsPerMinute,
      authFailuresPerMinute: config.authFailuresPerMinute,
      caps: config.accounts,
      budgets: config.budgets,
      screen: config.screen,
      identityRules: rules,
      limits: { tokens_in: config.quota.tokensIn, tokens_out: config.quota.tokensOut },
    },
  });
  // The command line reads the key of the first organization from the data folder.
  const keep = embedded?.folder.keepApiKey;
  const accounts: Accounts = {
    ...made,
    recoverKey: org => made.recoverKey(org, org === LOCAL ? keep : undefined),
  };
  const { beganAt, horizonOf } = accounts;
  // An operator's command on a data folder comes before the projections have caught up.
  const organizations = async () => {
    await within(WAIT_MS, engines.watch.caughtUp, () =>
      unavailable('The service is building its projections.'),
    );
    return accounts.organizations();
  };
  const calls = {
    ...engines.operatorCalls,
    // The other calls don't wait: a folder whose projector has stopped never catches up, and that is when
    // operators use them.
    ...accountCalls(accounts, isOffline ? engines.watch.caughtUp : undefined),
    ...transferCalls({
      keys: engines.keys,
      ...engines.transfer,
      beganAt,
      horizonOf,
      listing: engines.memory.listing,
      clock,
      organizations,
      keepInUse: accounts.keepInUse,
    }),
  };
  return { engines, notes, embedded, accounts, clock, operatorCalls: withEntries(calls, notes) };
};

/** Adds the state of the audit log to that of the engines; its last entries come before their close. */
const withNotes = (engines: Engines, notes: AuditNotes): Engines => ({
  ...engines,
  watch: {
    ...engines.watch,
    probes: { ...engines.watch.probes, audit: notes.probe },
    gauges: [...engines.watch.gauges, ...notes.gauges],
  },
  close: async until => {
    await notes.close();
    await engines.close(until);
  },
});
