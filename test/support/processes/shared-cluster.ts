import { type Client, connect } from '../http/client.ts';
import { newOrganization } from '../worlds/newcomers.ts';
import { type Cluster, makeCluster } from './cluster.ts';
import type { Server } from './server.ts';

export interface SharedCluster extends Cluster {
  /** The process that answers, beside one projector and one enricher. */
  api: Server;
  /** A client of the file's organization, with every role. */
  owner: Client;
}

const start = async (engines: Record<string, string>) => {
  const cluster = await makeCluster(engines, {
    TURNSTONE_SIGNUP: 'open',
    TURNSTONE_SIGNUPS_PER_MINUTE: '0',
    TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000',
  });
  const [api] = await Promise.all([
    cluster.start('api'),
    cluster.start('projector'),
    cluster.start('enricher'),
  ]);
  return { cluster, api };
};

let started: ReturnType<typeof start> | undefined;

/**
 * The cluster that the files of a worker share, one after another, each with an organization of its own whose
 * key is `apiKey`. For tests that need no settings, no clock and no restart; a replay is theirs to run, since
 * no other file runs beside it. `close` ends what the file started itself: the rest ends with the worker.
 */
export const sharedCluster = async (engines: Record<string, string>): Promise<SharedCluster> => {
  started ??= start(engines).catch(error => {
    // One file fails by a start that did; the next one tries again.
    started = undefined;
    throw error;
  });
  const { cluster, api } = await started;
  const { apiKey, client: owner } = await newOrganization(api.url);
  const own: Server[] = [];
  return {
    ...cluster,
    api,
    owner,
    apiKey,
    start: async (...args) => {
      const server = await cluster.start(...args);
      own.push(server);
      return server;
    },
    client: server => connect({ url: server.url, apiKey }),
    close: async () => {
      await Promise.all(own.map(server => server.kill()));
    },
  };
};
