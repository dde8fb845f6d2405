import { existsSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { ServiceError } from '../../../../core/errors.ts';
import type { CallOperator } from '../../../../core/operator/calls.ts';
import { makeLog } from '../../../../core/watch/logger.ts';
import type { Config } from '../../../../schemas/config.ts';
import type { Operator } from '../../client/composition.ts';
import { loadedConfig } from '../../client/connection.ts';
import { EXIT, failure, isFailure } from '../../client/exit.ts';
import type { Terminal } from '../../client/terminal.ts';

const ask = (options: RequestOptions, body?: object): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const call = request({ headers: { 'content-type': 'application/json' }, ...options }, resolve);
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });

/** Makes a call over the socket; yields JSON Lines, of which the last one states how the call ended. */
async function* linesOverSocket(
  socketPath: string,
  ...[name, args, signal]: Parameters<CallOperator>
): AsyncGenerator<object> {
  const path = `/calls/${encodeURIComponent(name)}`;
  const answer = await ask({ socketPath, method: 'POST', path, ...(signal && { signal }) }, args);
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
  socketPath: string,
  ...call: Parameters<CallOperator>
): AsyncGenerator<object> {
  try {
    yield* linesOverSocket(socketPath, ...call);
  } catch (error) {
    if (isFailure(error) || call[2]?.aborted) throw error;
    throw failure(EXIT.unavailable, 'the server ended before the call did', error);
  }
}

/** Whether no server is listening: none is running, or one was killed and left its socket behind. */
const isNobody = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes((error as NodeJS.ErrnoException).code ?? '');

/** The service's errors are messages for people, as those of a server are. */
async function* forPeople(lines: AsyncIterable<object>): AsyncGenerator<object> {
  try {
    yield* lines;
  } catch (error) {
    throw error instanceof ServiceError ? failure(EXIT.failure, error.message, error) : error;
  }
}

const offline = async (config: Config, { composition }: Terminal): Promise<Operator> => {
  if (!config.cluster && !existsSync(config.dataDir))
    throw failure(
      EXIT.failure,
      `there is no data folder at ${config.dataDir}; TURNSTONE_DATA_DIR names another`,
    );
  const { call, close } = await composition.openOffline(config, makeLog(config.logLevel));
  return { call: ((...args) => forPeople(call(...args))) as CallOperator, close };
};

/** Connects to the server of the data folder over its socket; undefined where no server listens. */
export const operatorBeside = async (
  { dataDir }: Pick<Config, 'dataDir'>,
  signal?: AbortSignal,
): Promise<Operator | undefined> => {
  const socketPath = join(dataDir, 'admin.sock');
  try {
    // Any answer is enough: a server that can't project needs operators most.
    (await ask({ socketPath, path: '/', ...(signal && { signal }) })).resume();
  } catch (error) {
    if (isNobody(error)) return undefined;
    throw error;
  }
  return { call: ((...call) => callOverSocket(socketPath, ...call)) as CallOperator, close: async () => {} };
};

/**
 * Connects to the server of the data folder over its socket, or opens the folder itself when no server is
 * running. In cluster mode it works on the shared engines, in parallel with the servers.
 */
export const openOperator = async (terminal: Terminal): Promise<Operator> => {
  const config = loadedConfig(terminal);
  const beside = config.cluster ? undefined : await operatorBeside(config);
  return beside ?? offline(config, terminal);
};

/** Opens the operator, runs `act` and closes the operator. */
export const withOperator = async <T>(
  terminal: Terminal,
  act: (call: CallOperator) => Promise<T>,
): Promise<T> => {
  const { call, close } = await openOperator(terminal);
  try {
    return await act(call);
  } finally {
    await close();
  }
};

/**
 * As `withOperator`. SIGINT and SIGTERM abort the signal: the call ends early, and the command with
 * `interrupted`.
 */
export const withInterruptible = <T>(
  terminal: Terminal,
  act: (call: CallOperator, signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  withOperator(terminal, async call => {
    const interrupted = new AbortController();
    const interrupt = (): void => interrupted.abort();
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    try {
      return await act(call, interrupted.signal);
    } catch (error) {
      throw interrupted.signal.aborted ? failure(EXIT.failure, 'interrupted') : error;
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    }
  });

/** The answer of a call that yields one line. */
export const answerOf = async <Line>(lines: AsyncIterable<Line>): Promise<Line> => {
  const [line] = await Array.fromAsync(lines);
  if (line === undefined) throw failure(EXIT.failure, 'the call ended without an answer');
  return line;
};
