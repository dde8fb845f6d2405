/** The composition root: reads the mode once, opens the engines, and hands them to the services. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeSecret } from '../../infra/secrets/files.ts';
import { loadSigningKeys } from '../../infra/secrets/signing-keys.ts';
import type { Config } from '../../schemas/config.ts';
import { unavailable } from '../core/errors.ts';
import type { Engines } from '../core/ports/engines.ts';
import type { OperatorCalls } from '../core/ports/operator-calls.ts';
import { eraseScope } from '../core/scope.ts';
import { countTokens } from '../core/tokens/count.ts';
import type { UseCases } from '../core/use-cases.ts';
import type { Log } from '../core/watch/logger.ts';
import { makeMetrics } from '../core/watch/metrics.ts';
import { makeReadiness } from '../core/watch/readiness.ts';
import { within } from '../core/within.ts';
import type { EmbeddedEngines } from '../embedded/open.ts';
import { makeAdminApp } from '../surfaces/http/admin.ts';
import { type AppOptions, endpointsOf, makeApp } from '../surfaces/http/app.ts';
import { consoleEndpoints } from '../surfaces/http/console.ts';
import { drain, listen, listenPrivately } from '../surfaces/http/listen.ts';
import { opsEndpoints } from '../surfaces/http/routes/ops.ts';
import { createServer, makeHttpServer } from '../surfaces/http/server.ts';
import { type Accounts, makeAccounts } from '../use-cases/accounts/accounts.ts';
import { makeErase } from '../use-cases/erasure/erase.ts';
import { makeFeed } from '../use-cases/feed/feed.ts';
import { makeOpenFeed } from '../use-cases/feed/open-feed.ts';
import { makeIngest } from '../use-cases/ingest/ingest.ts';
import { makeJob } from '../use-cases/ingest/job.ts';
import { makeLists } from '../use-cases/lists/lists.ts';
import { makeRecall } from '../use-cases/recall/recall.ts';
import { transferCalls } from '../use-cases/transfer/calls.ts';
import { makeExport } from '../use-cases/transfer/export.ts';
import { makeUsageReport } from '../use-cases/usage/report.ts';

export interface Running {
  address: { host: string; port: number };
  url: string;
  /** The key of the organization `local`, on the first start of the embedded service alone. */
  firstKey?: string | undefined;
  close(): Promise<void>;
}

/** A start doesn't wait longer than this for the projections. */
const WAIT_MS = 1_500;
/** An operator's command waits longer. */
const OFFLINE_WAIT_MS = 60_000;

/** What is built the same way whether the service answers HTTP or an operator works without a server. */
const open = async (config: Config, log: Log) => {
  // With a configured start the clock runs from there; tests cross midnight with it.
  const clockOffset = config.clock === undefined ? 0 : config.clock - Date.now();
  const clock = (): number => Date.now() + clockOffset;
  // The other mode's engines are not even loaded.
  const embedded: EmbeddedEngines | undefined =
    config.mode === 'embedded'
      ? await (await import('../embedded/open.ts')).openEngines(config, log, clockOffset)
      : undefined;
  const engines: Engines =
    embedded ?? (await (await import('../cluster/open.ts')).openEngines(config, log, clockOffset));
  const signingKeys = await loadSigningKeys({ dataDir: config.dataDir, file: config.signingKeys });
  const accounts = makeAccounts({
    store: engines.accounts,
    signingKeys,
    clock,
    random: randomBytes,
    failureCounter: engines.failureCounter,
    config: {
      signup: config.signup,
      authFailuresPerMinute: config.authFailuresPerMinute,
      limits: { tokens_in: config.quota.tokensIn, tokens_out: config.quota.tokensOut },
    },
  });
  const { log: events, keys, decode, imported, operatorCalls } = engines;
  const calls: OperatorCalls = {
    ...operatorCalls,
    ...transferCalls({
      log: events,
      keys,
      decode,
      imported,
      clock,
      organizations: () => accounts.organizations(),
    }),
  };
  return { engines, embedded, accounts, clock, calls };
};

/** Starts the service; resolves when it listens. Throws what keeps it from starting, in words for people. */
export const compose = async (config: Config, log: Log): Promise<Running> => {
  const { engines, embedded, accounts, clock, calls } = await open(config, log);
  const servers: Server[] = [];
  const closing = new AbortController();
  const close = async (): Promise<void> => {
    const drained = Promise.all(servers.map(drain));
    // Streams end when no more come: a connection that a stream leaves then is closed.
    closing.abort();
    await drained;
    await engines.close();
  };
  try {
    const useCases = makeUseCases(engines, accounts, clock, log);
    const metrics = makeMetrics();
    for (const gauge of engines.gauges) metrics.gauge(gauge);
    const options: AppOptions = {
      useCases,
      accounts,
      log,
      metrics,
      clock,
      closing: closing.signal,
      config: { trustedProxies: config.trustedProxies },
    };
    // A projector or an enricher answers how it is, and nothing else.
    const answersCalls = config.role === 'all' || config.role === 'api';
    const endpoints = answersCalls
      ? [...endpointsOf(options), ...consoleEndpoints()]
      : opsEndpoints(useCases, metrics, clock);
    const server = makeHttpServer(makeApp(options, endpoints));
    servers.push(server);
    await listen(server, { host: config.host, port: config.port });

    const firstKey = embedded && (await firstStart(embedded, calls, accounts, servers, log, closing.signal));
    const { address, port } = server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    return { address: { host: address, port }, url: `http://${host}:${port}`, firstKey, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The operator's socket, and the organization `local`: its key, when it is new and the projections are caught up. */
const firstStart = async (
  { folder, caughtUp }: EmbeddedEngines,
  calls: OperatorCalls,
  accounts: Accounts,
  servers: Server[],
  log: Log,
  closing: AbortSignal,
): Promise<string | undefined> => {
  const admin = createServer(makeAdminApp({ accounts, calls, log, closing }));
  servers.push(admin);
  await listenPrivately(admin, folder.paths.adminSocket);

  // With little to catch up the service is ready when it says so; a rebuild goes on behind a 503.
  const first = caughtUp.then(() =>
    accounts.ensureLocalOrganization(async apiKey => writeSecret(folder.paths.apiKey, `${apiKey}\n`)),
  );
  // A projector that can't catch up must not keep /readyz from saying so.
  const settled = first.then(
    local => local,
    error => {
      log.error({ err: error }, 'the first organization could not be made');
      return undefined;
    },
  );
  const late = new Promise<'late'>(resolve => setTimeout(() => resolve('late'), WAIT_MS).unref());
  const caught = await Promise.race([caughtUp.then(() => 'caught up').catch(() => 'late'), late]);
  return caught === 'late' ? undefined : (await settled)?.apiKey;
};

/** An operator's way in beside the servers: a data folder that none runs on, or the shared engines. */
export const openOffline = async (config: Config, log: Log) => {
  // Nothing is projected or enriched for a command of a moment.
  const { engines, accounts, calls } = await open(
    config.mode === 'cluster' ? { ...config, role: 'api' } : config,
    log,
  );
  // A folder is caught up sooner or later; engines that are away may never be.
  const outage = (): Error => unavailable('The engines do not answer.');
  const ready = config.cluster ? within(OFFLINE_WAIT_MS, engines.caughtUp, outage) : engines.caughtUp;
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
    setLimits: async (org: string, limits: { tokens_in: number; tokens_out: number }) => {
      await ready;
      await accounts.setLimits(org, limits);
    },
    createOrganization: async (org: string) => {
      await ready;
      return accounts.createOrganization(org);
    },
    // A folder whose projector has stopped never catches up, and it is then that an operator calls.
    call: (name: string, args: Record<string, unknown>, signal: AbortSignal) => calls[name]!(args, signal),
    close: () => engines.close(),
  };
};

const makeUseCases = (engines: Engines, accounts: Accounts, clock: () => number, logger: Log): UseCases => {
  const {
    log,
    keys,
    admission,
    details,
    listing,
    search,
    settledUntil,
    usage,
    settled,
    enrichmentWaitsFor: waitsFor,
  } = engines;
  const capsOf = async (org: string) => {
    const { tokens_in, tokens_out } = await accounts.limitsOf(org);
    return { tokensIn: tokens_in, tokensOut: tokens_out };
  };
  const ingest = makeIngest({ log, keys, admission, index: details, capsOf, countTokens, clock });
  const job = makeJob({ admission, index: details, waitsFor });
  const recall = makeRecall({ log, admission, search, settledUntil, capsOf, countTokens, clock });
  const { receipts } = accounts;
  const newId = (): string => `ers_${randomBytes(16).toString('hex')}`;
  const erase = makeErase({
    log,
    keys,
    admission,
    index: details,
    settled,
    receipts,
    clock,
    newId,
    logger,
  });
  const report = makeUsageReport({ usage, capsOf, clock });
  const lists = makeLists({ listing, details, admission });
  const feed = makeOpenFeed(makeFeed(engines.feed));
  const exported = makeExport({ log, decode: engines.decode, clock });

  const whenReady =
    <T extends unknown[], R>(call: (...args: T) => Promise<R>) =>
    async (...args: T): Promise<R> => {
      if (!engines.isCaughtUp())
        throw unavailable('The service is building its projections from the log.', undefined, 2);
      return call(...args);
    };
  return {
    ingest: whenReady(ingest),
    job: whenReady(job),
    recall: whenReady(recall),
    feed: whenReady(feed),
    lists: {
      users: whenReady(lists.users),
      sessions: whenReady(lists.sessions),
      turns: whenReady(lists.turns),
      observations: whenReady(lists.observations),
      entities: whenReady(lists.entities),
      turn: whenReady(lists.turn),
    },
    exported: whenReady(async ({ orgId }, signal) => exported(orgId, signal)),
    erase: whenReady(async (principal, scope, context) => erase(eraseScope(principal, scope), context)),
    usageToday: whenReady(report.usageToday),
    usageMonth: whenReady(report.usageMonth),
    usageDaily: whenReady(report.usageDaily),
    ready: makeReadiness(engines),
  };
};
