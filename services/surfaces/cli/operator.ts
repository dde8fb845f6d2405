import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import type { Config } from '../../../schemas/config.ts';
import { makeLog } from '../../core/watch/logger.ts';
import type { Operator, Organization, Retention } from '../client/composition.ts';
import { loadedConfig } from '../client/connection.ts';
import { EXIT, type ExitStatus, failure, isFailure } from '../client/exit.ts';
import type { Terminal } from '../client/terminal.ts';

interface SocketAnswer {
  status: number;
  body: unknown;
}

const ask = (socketPath: string, method: string, path: string, body?: unknown): Promise<SocketAnswer> =>
  new Promise((resolve, reject) => {
    const call = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      answer => {
        const status = answer.statusCode ?? 500;
        json(answer).then(
          value => resolve({ status, body: value }),
          () => resolve({ status, body: null }),
        );
      },
    );
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Makes a call over the socket; yields JSON Lines, of which the last one states how the call ended. */
async function* linesOverSocket(
  socketPath: string,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<object> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const call = request(
      { socketPath, method: 'POST', path: `/calls/${encodeURIComponent(name)}`, headers, signal },
      resolve,
    );
    call.on('error', reject);
    call.end(JSON.stringify(args));
  });
  if (answer.statusCode !== 200) {
    const { message } = (await json(answer)) as { message?: string };
    throw failure(EXIT.failure, message ?? `the server answered ${answer.statusCode}`);
  }
  for await (const text of createInterface({ input: answer })) {
    const said = JSON.parse(text) as { line: object } | { end: { message: string } | null };
    if ('line' in said) yield said.line;
    else if (said.end === null) return;
    else throw failure(EXIT.failure, said.end.message);
  }
  throw failure(EXIT.unavailable, 'the server ended before the call did');
}

async function* callOverSocket(
  ...call: [socketPath: string, name: string, args: Record<string, unknown>, signal: AbortSignal]
): AsyncGenerator<object> {
  try {
    yield* linesOverSocket(...call);
  } catch (error) {
    if (isFailure(error) || call[3].aborted) throw error;
    throw failure(EXIT.unavailable, 'the server ended before the call did', error);
  }
}

const overSocket = (socketPath: string): Operator => {
  const asked = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await ask(socketPath, method, path, body);
    if (answer.status < 400) return answer.body;
    const { message } = (answer.body ?? {}) as { message?: string };
    throw failure(EXIT.failure, `the server answered ${answer.status}: ${message ?? 'no reason given'}`);
  };
  return {
    organizations: async () => ((await asked('GET', '/orgs')) as { orgs: Organization[] }).orgs,
    setLimits: async (org, limits) => {
      await asked('PUT', `/orgs/${encodeURIComponent(org)}/limits`, limits);
    },
    setRetention: async (org, days) =>
      (await asked('PUT', `/orgs/${encodeURIComponent(org)}/retention`, { days })) as Retention,
    createOrganization: async org => (await asked('POST', '/orgs', { org_id: org })) as { api_key: string },
    recoverKey: async org =>
      (await asked('POST', `/orgs/${encodeURIComponent(org)}/keys`)) as { id: string; api_key: string },
    call: (name, args, signal) => callOverSocket(socketPath, name, args, signal),
    close: async () => {},
  };
};

/** Whether no server is listening: none is running, or one was killed and left its socket behind. */
const isNobody = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes((error as NodeJS.ErrnoException).code ?? '');

const offline = async (config: Config, { composition }: Terminal): Promise<Operator> => {
  if (!config.cluster && !existsSync(config.dataDir))
    throw failure(
      EXIT.failure,
      `there is no data folder at ${config.dataDir}; TURNSTONE_DATA_DIR names another`,
    );
  return composition.openOffline(config, makeLog(config.logLevel));
};

/**
 * Connects to the server of the data folder over its socket, or opens the folder itself when no server is running. In
 * cluster mode it works on the shared engines, in parallel with the servers.
 */
export const openOperator = async (terminal: Terminal): Promise<Operator> => {
  const config = loadedConfig(terminal);
  if (config.cluster) return offline(config, terminal);
  const socketPath = join(config.dataDir, 'admin.sock');
  try {
    // Any answer is enough: a server that can't project needs operators most.
    await ask(socketPath, 'GET', '/');
    return overSocket(socketPath);
  } catch (error) {
    if (!isNobody(error)) throw error;
    return offline(config, terminal);
  }
};

/** Opens the operator, runs `act` and closes the operator. */
export const withOperator = async (
  terminal: Terminal,
  act: (operator: Operator) => Promise<ExitStatus>,
): Promise<ExitStatus> => {
  const operator = await openOperator(terminal);
  try {
    return await act(operator);
  } finally {
    await operator.close();
  }
};
