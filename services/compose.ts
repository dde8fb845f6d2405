/** The composition root: reads the mode once, opens the engines, and hands them to the services. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeSecret } from '../infra/embedded/data-folder.ts';
import { loadSigningKeys } from '../infra/embedded/signing-keys.ts';
import type { Config } from '../schemas/config.ts';
import { type Accounts, makeAccounts } from './accounts/accounts.ts';
import { type Engines, openEngines } from './embedded.ts';
import { unavailable } from './errors.ts';
import { makeAdminApp } from './http/admin.ts';
import { makeApp } from './http/app.ts';
import { drain, listen, listenPrivately } from './http/listen.ts';
import { createServer, makeHttpServer } from './http/server.ts';
import { makeIngest } from './ingest/ingest.ts';
import { makeJob } from './ingest/job.ts';
import type { Log } from './log.ts';
import { makeMetrics } from './metrics.ts';
import { observe } from './observe.ts';
import { utcDay } from './quota.ts';
import { makeReadiness } from './readiness.ts';
import { makeRecall } from './recall/recall.ts';
import { countTokens } from './tokens.ts';
import { makeUsageReport } from './usage/report.ts';
import type { UseCases } from './use-cases.ts';

export interface Running {
  address: { host: string; port: number };
  url: string;
  /** The key of the organization `local`, on the first start alone. */
  firstKey?: string;
  close(): Promise<void>;
}

/** A start doesn't wait longer than this for the projections. */
const WAIT_MS = 1_500;
const HOUR_MS = 3_600_000;

/** What is built the same way whether the service answers HTTP or an operator opened its folder. */
const open = async (config: Config, log: Log) => {
  // With a configured start the clock runs from there; tests cross midnight with it.
  const clockOffset = config.clock === undefined ? 0 : config.clock - Date.now();
  const clock = (): number => Date.now() + clockOffset;
  const engines = await openEngines(config, log, clockOffset);
  const signingKeys = await loadSigningKeys({ dataDir: config.dataDir, file: config.signingKeys });
  const accounts = makeAccounts({
    store: engines.accounts,
    signingKeys,
    clock,
    random: randomBytes,
    config: {
      signup: config.signup,
      authFailuresPerMinute: config.authFailuresPerMinute,
      limits: { tokens_in: config.quota.tokensIn, tokens_out: config.quota.tokensOut },
    },
  });
  return { engines, accounts, clock };
};

/** Starts the service; resolves when it listens. Throws what keeps it from starting, in words for people. */
export const compose = async (config: Config, log: Log): Promise<Running> => {
  const { engines, accounts, clock } = await open(config, log);
  const servers: Server[] = [];
  const timers: NodeJS.Timeout[] = [];
  const close = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(servers.map(drain));
    await engines.close();
  };
  try {
    const useCases = makeUseCases(engines, accounts, clock);
    const metrics = makeMetrics();
    observe(metrics, engines);
    const app = makeApp({
      useCases,
      accounts,
      log,
      metrics,
      clock,
      config: { trustedProxies: config.trustedProxies },
    });

    const server = makeHttpServer(app);
    servers.push(server);
    await listen(server, { host: config.host, port: config.port });
    const admin = createServer(makeAdminApp({ accounts, log }));
    servers.push(admin);
    await listenPrivately(admin, engines.folder.paths.adminSocket);

    // With little to catch up the service is ready when it says so; a rebuild goes on behind a 503.
    const first = engines.caughtUp.then(() =>
      accounts.ensureLocalOrganization(async apiKey =>
        writeSecret(engines.folder.paths.apiKey, `${apiKey}\n`),
      ),
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
    const caught = await Promise.race([engines.caughtUp.then(() => 'caught up').catch(() => 'late'), late]);
    const local = caught === 'late' ? undefined : await settled;
    timers.push(
      setInterval(() => engines.admission.forgetDaysBefore(utcDay(clock() - HOUR_MS)), HOUR_MS).unref(),
    );

    const { address, port } = server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    return {
      address: { host: address, port },
      url: `http://${host}:${port}`,
      firstKey: local?.apiKey,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** An operator's way into a data folder that no server runs on. */
export const openOffline = async (config: Config, log: Log) => {
  const { engines, accounts } = await open(config, log);
  await engines.caughtUp;
  return {
    organizations: () => accounts.organizations(),
    setLimits: async (org: string, limits: { tokens_in: number; tokens_out: number }) => {
      await accounts.setLimits(org, limits);
    },
    close: () => engines.close(),
  };
};

const makeUseCases = (engines: Engines, accounts: Accounts, clock: () => number): UseCases => {
  const { log, keys, admission, jobs, search, usage } = engines;
  const capsOf = async (org: string) => {
    const { tokens_in, tokens_out } = await accounts.limitsOf(org);
    return { tokensIn: tokens_in, tokensOut: tokens_out };
  };
  const ingest = makeIngest({ log, keys, admission, index: jobs, capsOf, countTokens, clock });
  const job = makeJob({ admission, index: jobs });
  const recall = makeRecall({
    log,
    admission,
    search,
    capsOf,
    countTokens,
    clock,
  });
  const report = makeUsageReport({ usage, capsOf, clock });

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
    usageToday: whenReady(report.usageToday),
    usageMonth: whenReady(report.usageMonth),
    ready: makeReadiness(engines),
  };
};
