/** Makes an installation of the mode `cluster` for this run alone, with several organizations in it. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../../core/config.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { dropNamespaceOfKilled } from '../../../test/support/engines/drop-namespace.ts';
import { URL_VARIABLES } from '../../../test/support/engines/engine-urls.ts';
import { accessToken, expectStatus, send } from '../../../test/support/http/client.ts';
import { type Cluster, makeCluster } from '../../../test/support/processes/cluster.ts';
import { until } from '../../../test/support/wait.ts';
import type { Conversation } from '../load/conversation.ts';

export interface Installation {
  cluster: Cluster;
  config: ClusterConfig;
  /** API keys by organization. */
  organizations: ReadonlyMap<string, string>;
  conversation: Conversation;
  say: (line: string) => void;
  /** A folder for CPU profiles of the measured processes. */
  profile?: string | undefined;
}

const NAMES = Object.values(URL_VARIABLES);

/** Returns the variables without the address of their engine. */
export const missingEngines = (environment: NodeJS.ProcessEnv): string[] =>
  NAMES.filter(name => !environment[name]);

export const enginesOf = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(NAMES.map(name => [name, environment[name]!]));

const configOf = (environment: Record<string, string>): ClusterConfig => {
  const read = readConfig(environment);
  if (!read.ok) throw new Error(read.faults.join('\n'));
  return read.config.cluster!;
};

/** Requests a token until it gets one: a busy engine may refuse a process that has just started. */
export const tokenOf = async (url: string, apiKey: string): Promise<string> => {
  let token = '';
  await until('a token is given', async () => {
    token = await accessToken(url, apiKey);
    return true;
  });
  return token;
};

/** Signs organizations up while a projector runs, because only its fold writes them. */
const signUp = async (cluster: Cluster, count: number): Promise<Map<string, string>> => {
  const projector = await cluster.start('projector');
  const api = await cluster.start('api');
  const keys = new Map([['acme', cluster.apiKey]]);
  while (keys.size < count) {
    const org = `bench-${keys.size}`;
    const answer = await send<{ api_key: string }>(`${api.url}/signup`, 'POST', { org_id: org });
    keys.set(org, expectStatus(answer, 201).api_key);
  }
  await Promise.all([api.stop(), projector.stop()]);
  return keys;
};

interface InstallOptions extends Pick<Installation, 'conversation' | 'say' | 'profile'> {
  engines: Record<string, string>;
  organizations: number;
  /** Receives the function that ends the processes and removes the whole installation from the engines. */
  atEnd: (drop: () => Promise<void>) => void;
}

export const install = async (options: InstallOptions): Promise<Installation> => {
  const { engines, organizations, atEnd, ...common } = options;
  const changes = {
    TURNSTONE_MODE: 'cluster',
    TURNSTONE_NAMESPACE: `bench-${randomBytes(5).toString('hex')}`,
    TURNSTONE_SIGNUP: 'open',
  };
  // Registered first, so that a partial installation is dropped too. The secrets don't exist yet, and
  // dropping needs none: any file will do.
  const file = fileURLToPath(import.meta.url);
  const none = { TURNSTONE_INSTALLATION_KEY: file, TURNSTONE_SIGNING_KEYS: file };
  let cluster: Cluster | undefined;
  atEnd(async () => {
    await cluster?.close();
    await dropNamespaceOfKilled(configOf({ ...engines, ...changes, ...none }));
  });
  cluster = await makeCluster(engines, changes);
  const config = configOf(cluster.environment);
  return { ...common, cluster, config, organizations: await signUp(cluster, organizations) };
};
