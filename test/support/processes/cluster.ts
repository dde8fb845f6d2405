/** The mode `cluster` as processes of its own: any number of a role, over engines that run already. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Client, connect } from '../http/client.ts';
import { runCommand } from './command-line.ts';
import { openInProcess } from './in-process.ts';
import { MAIN, type Server, startServer, temporaryFolder } from './server.ts';

export type Role = 'all' | 'api' | 'projector' | 'enricher';

export interface StartOptions {
  /** Beside what every process is started with. */
  environment?: Record<string, string>;
  /** A folder for its V8 CPU profile, written when it stops. */
  profile?: string | undefined;
}

export interface Cluster {
  namespace: string;
  /** The environment that every process of it is started with. */
  environment: Record<string, string>;
  /** A key of the organization `acme`. */
  apiKey: string;
  start(role: Role, options?: StartOptions): Promise<Server>;
  client(api: Server): Promise<Client>;
  /** Ends what was started and still runs. */
  close(): Promise<void>;
}

/** In this process: each start of another costs seconds where several run. */
const command = async (environment: Record<string, string>, ...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await runCommand(args, environment);
  if (status !== 0) throw new Error(`${args.join(' ')}: status ${status}\n${stderr}`);
  return stdout;
};

/**
 * Returns the environment of a new installation: its secrets, and a namespace that nothing was made in yet.
 */
const clusterEnvironment = async (
  engines: Record<string, string>,
  changes: Record<string, string> = {},
): Promise<Record<string, string>> => {
  const folder = temporaryFolder();
  const secrets = await command({}, 'init-secrets', folder);
  return {
    ...engines,
    ...Object.fromEntries(
      secrets
        .trim()
        .split('\n')
        .map(line => line.split('=') as [string, string]),
    ),
    TURNSTONE_MODE: 'cluster',
    TURNSTONE_NAMESPACE: `test-${randomBytes(5).toString('hex')}`,
    TURNSTONE_PARTITIONS: '4',
    TURNSTONE_REPLICATION: String(Math.min(3, engines.TURNSTONE_KAFKA_BROKERS!.split(',').length)),
    TURNSTONE_SHARDS: '1',
    TURNSTONE_REPLICAS: '0',
    TURNSTONE_DATA_DIR: join(folder, 'data'),
    TURNSTONE_QUOTA_TOKENS_IN: '0',
    TURNSTONE_QUOTA_TOKENS_OUT: '0',
    TURNSTONE_SHUTDOWN_PAUSE_SECONDS: '0',
    TURNSTONE_REQUESTS_PER_SECOND: '0',
    TURNSTONE_OPEN_REQUESTS_PER_MINUTE: '0',
    ...changes,
  };
};

/** With a projector in this process, as its fold alone writes accounts: another process costs seconds. */
const makeOrganization = async (environment: Record<string, string>): Promise<string> => {
  const { engines, accounts } = await openInProcess({ ...environment, TURNSTONE_ROLE: 'projector' });
  try {
    return (await accounts.createOrganization('acme')).api_key;
  } finally {
    await engines.close();
  }
};

/** Starts processes with this environment, and ends them. */
const makeProcesses = (environment: Record<string, string>) => {
  const running = new Set<Server>();
  return {
    start: async (role: Role, { environment: more, profile }: StartOptions = {}): Promise<Server> => {
      const server = await startServer({
        dataDir: environment.TURNSTONE_DATA_DIR!,
        readyWithinMs: 200_000,
        environment: { ...environment, ...more, TURNSTONE_ROLE: role },
        ...(profile && {
          command: [process.execPath, '--cpu-prof', `--cpu-prof-dir=${profile}`, MAIN, 'serve'],
        }),
      });
      running.add(server);
      return server;
    },
    close: async (): Promise<void> => {
      await Promise.all([...running].map(server => server.kill()));
    },
  };
};

/**
 * Makes secrets, topics, index, tables and the organization `acme`. `engines`: the four `TURNSTONE_…`
 * addresses.
 */
export const makeCluster = async (
  engines: Record<string, string>,
  changes: Record<string, string> = {},
): Promise<Cluster> => {
  const environment = await clusterEnvironment(engines, changes);
  await command(environment, 'migrate');

  const apiKey = await makeOrganization(environment);
  const { start, close } = makeProcesses(environment);
  return {
    namespace: environment.TURNSTONE_NAMESPACE!,
    environment,
    apiKey,
    start,
    client: api => connect({ url: api.url, apiKey }),
    close,
  };
};
