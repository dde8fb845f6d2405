import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { BEHIND_CALLS, LOW, lowerPriority, lowerV8Threads } from '../../core/threads/low-priority.ts';
import type { Log } from '../../core/watch/logger.ts';
import { type Metrics, makeMetrics } from '../../core/watch/metrics.ts';
import { answersCalls, type Config } from '../../schemas/config.ts';
import type { RunningService } from '../surfaces/client/composition.ts';
import { makeAdminApp } from '../surfaces/http/admin.ts';
import { type AppOptions, endpointsOf, makeApp, opsEndpoints } from '../surfaces/http/app.ts';
import {
  type ConnectionLimits,
  fittingConnections,
  limitConnections,
} from '../surfaces/http/connection/connections.ts';
import { drain, listen, listenPrivately } from '../surfaces/http/connection/listen.ts';
import { createServer, makeHttpServer } from '../surfaces/http/connection/server.ts';
import { consoleEndpoints } from '../surfaces/http/console.ts';
import type { Endpoint } from '../surfaces/http/endpoint.ts';
import { metricsEndpoint } from '../surfaces/http/routes/ops.ts';
import { makeRateLimits } from '../use-cases/limits/rate-limits.ts';
import { countAnswers } from './answer-metrics.ts';
import { startErasing } from './erase-organizations.ts';
import { type OpenedService, openService } from './open-service.ts';
import { startPruning } from './prune-organizations.ts';
import { stateGauges } from './state-gauges.ts';
import { startTelemetry } from './telemetry/telemetry.ts';
import { makeUseCases } from './use-cases.ts';
import { startWebhooks } from './webhooks.ts';
import { limitYoungGeneration } from './young-generation.ts';

/**
 * How long a close waits, once no more calls are let in. Work that an engine which stands still keeps from
 * ending is then left: what was acknowledged is in the log, and what was not is repeated. Less than the
 * process is given to end (cli/serve.ts).
 */
const CLOSE_MS = 6_500;
/** The longest time that a start waits for the projections. */
const WAIT_MS = 1_500;

/**
 * Lowers the priority of what answers no calls: of V8's own threads, and of a process that is no API, below
 * those that share its machine.
 */
const letCallsComeFirst = ({ role }: Config): void => {
  lowerV8Threads(role === 'enricher' ? LOW : BEHIND_CALLS);
  if (role === 'projector') lowerPriority(BEHIND_CALLS);
  if (role === 'enricher') lowerPriority(LOW);
};

/** Starts the service; resolves when it listens. Rejects with a message for people when it can't start. */
export const serve = async (config: Config, log: Log): Promise<RunningService> => {
  limitYoungGeneration();
  letCallsComeFirst(config);
  const metrics = makeMetrics();
  const telemetry = await startTelemetry(config, metrics, log);
  const service = await openService(config, log);
  const servers: Server[] = [];
  const closing = new AbortController();
  const { upTo } = service.engines.accounts;
  const pruning = answersCalls(config)
    ? startPruning(service.accounts, { upTo, days: config.accounts.unusedDays, logger: log })
    : undefined;
  const erasing = answersCalls(config)
    ? startErasing(service.engines, { ...service.accounts, clock: service.clock, logger: log })
    : undefined;
  const webhooks = answersCalls(config)
    ? startWebhooks(service.engines, service.accounts, { clock: service.clock, config, logger: log })
    : undefined;
  for (const gauge of webhooks?.gauges ?? []) metrics.gauge(gauge);
  let isStopping = false;
  const closeNow = async (): Promise<void> => {
    const until = performance.now() + CLOSE_MS;
    const drained = Promise.all(servers.map(drain));
    // Streams are ended only when no new requests arrive, so that their connections are closed too.
    closing.abort();
    await drained;
    // A round waits for engines that may stand still: half of the time is left to close these.
    const half = Math.max(0, until - performance.now()) / 2;
    const ended = Promise.all([pruning?.close(), erasing?.close(), webhooks?.close()]);
    await Promise.race([ended, pause(half, undefined, { ref: false })]);
    await service.engines.close(until);
    await telemetry?.close();
  };
  const close = async (): Promise<void> => {
    isStopping = true;
    // Until load balancers have seen that it isn't ready, calls still arrive, and are answered.
    if (answersCalls(config)) await pause(1_000 * config.shutdownPauseSeconds);
    await closeNow();
  };
  try {
    const ending = { closing: closing.signal, isStopping: () => isStopping };
    const options = appOptions(service, metrics, config, log, ending);
    const serveOn = async (port: number, endpoints: Endpoint[]): Promise<Server> => {
      const server = makeHttpServer(makeApp(options, endpoints));
      limitConnections(server, connectionLimits(config, log));
      servers.push(server);
      await listen(server, { host: config.host, port });
      return server;
    };
    const server = await serveOn(config.port, endpointsOfRole(options, config));
    const { port: metricsPort, token } = config.metrics;
    if (metricsPort !== undefined) await serveOn(metricsPort, [metricsEndpoint(options.metrics, token)]);
    const firstKey = await firstStart(service, servers, log, closing.signal);
    const { address, port } = server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    return { address: { host: address, port }, url: `http://${host}:${port}`, firstKey, close };
  } catch (error) {
    await closeNow();
    throw error;
  }
};

interface Ending {
  /** Aborted when streams are to end. */
  closing: AbortSignal;
  isStopping: () => boolean;
}

const appOptions = (
  { engines, notes, accounts, clock }: OpenedService,
  metrics: Metrics,
  config: Config,
  log: Log,
  { closing, isStopping }: Ending,
): AppOptions => {
  const useCases = makeUseCases(engines, accounts, clock, log, config, isStopping);
  const gauges = [...engines.watch.gauges, ...stateGauges(useCases.ready, config)];
  for (const gauge of gauges) metrics.gauge(gauge);
  const { port, token } = config.metrics;
  return {
    useCases: answersCalls(config) ? countAnswers(useCases, metrics) : useCases,
    accounts,
    cursors: engines.cursors,
    log,
    metrics,
    notes,
    rateLimits: makeRateLimits(engines.accounts.rateLimiter, config.rates),
    clock,
    closing,
    config: {
      trustedProxies: config.trustedProxies,
      metrics: { elsewhere: port !== undefined, token },
    },
  };
};

/** A projector or an enricher serves only health and metrics. */
const endpointsOfRole = (options: AppOptions, config: Config): Endpoint[] =>
  answersCalls(config) ? [...endpointsOf(options), ...consoleEndpoints()] : opsEndpoints(options);

const connectionLimits = ({ connections, trustedProxies }: Config, log: Log): ConnectionLimits => ({
  most: fittingConnections(connections.most),
  perAddress: connections.perAddress,
  trustedProxies,
  onRefused: of => log.warn({ of }, 'connections are refused: too many are open'),
});

/**
 * Opens the operator's socket and creates the organization `local`. Returns its key if it is new and the
 * projections catch up within `WAIT_MS`.
 */
const firstStart = async (
  { embedded, accounts, operatorCalls: calls }: OpenedService,
  servers: Server[],
  log: Log,
  closing: AbortSignal,
): Promise<string | undefined> => {
  if (!embedded) return undefined;
  const { folder, watch } = embedded;
  const { caughtUp } = watch;
  const admin = createServer(makeAdminApp({ calls, log, closing }));
  servers.push(admin);
  await listenPrivately(admin, folder.adminSocket);

  // With little to catch up, the service is ready before it announces itself; during a longer rebuild, calls
  // get a 503.
  const first = caughtUp.then(() => accounts.ensureLocalOrganization(folder.keepApiKey));
  // If the projector can't catch up, the service must still start, so that /readyz can report it.
  const made = first.catch(error => {
    log.error({ err: error }, 'the first organization could not be created');
    return undefined;
  });
  const late = new Promise<'late'>(resolve => setTimeout(() => resolve('late'), WAIT_MS).unref());
  const caught = await Promise.race([caughtUp.then(() => 'caught up').catch(() => 'late'), late]);
  return caught === 'late' ? undefined : (await made)?.apiKey;
};
