/**
 * The whole service in this process, on real engines, for tests that need an engine to be slow or a deadline
 * to be short.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readConfig } from '../../../core/config.ts';
import type { Engines } from '../../../core/ports/engines.ts';
import { makeLog } from '../../../core/watch/logger.ts';
import { makeMetrics } from '../../../core/watch/metrics.ts';
import { openService } from '../../../services/compose/open-service.ts';
import { makeUseCases } from '../../../services/compose/use-cases.ts';
import { makeApp } from '../../../services/surfaces/http/app.ts';
import { makeHttpServer } from '../../../services/surfaces/http/connection/server.ts';
import { type Client, connect } from '../http/client.ts';

export interface InProcess {
  url: string;
  engines: Engines;
  /** A client of the organization `acme`, with every role. */
  client: Client;
  token: string;
  close(): Promise<void>;
}

export interface InProcessOptions {
  environment: Record<string, string>;
  /** The key of an organization that exists; default: of a new one of this process. */
  apiKey?: string | undefined;
  /** Milliseconds that a call may take. */
  deadlineMs?: number;
  /** Returns what the use cases get instead of these engines. */
  changed?: (engines: Engines) => Partial<Engines>;
}

/** Resolves once its consumers have caught up. */
export const openInProcess = async (environment: Record<string, string>) => {
  const read = readConfig({ NODE_ENV: 'test', ...environment });
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const log = makeLog('silent');
  const service = await openService(read.config, log);
  await service.engines.watch.caughtUp;
  return { ...service, log, config: read.config };
};

export const serveInProcess = async ({
  environment,
  apiKey: given,
  deadlineMs,
  changed = () => ({}),
}: InProcessOptions): Promise<InProcess> => {
  const { engines, accounts, clock, log, config: serviceConfig } = await openInProcess(environment);
  const useCases = makeUseCases({ ...engines, ...changed(engines) }, accounts, clock, log, serviceConfig);
  const config = { trustedProxies: [], ...(deadlineMs !== undefined && { deadlineMs }) };
  const server = makeHttpServer(
    makeApp({ useCases, accounts, cursors: engines.cursors, log, metrics: makeMetrics(), clock, config }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const apiKey = given ?? (await accounts.createOrganization('acme')).api_key;
  const { access_token: token } = await accounts.exchange(apiKey, '192.0.2.1', {
    correlationId: '00000000-0000-4000-8000-000000000001',
  });
  return {
    url,
    engines,
    token,
    client: await connect({ url, apiKey }, token),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
      await engines.close();
    },
  };
};
