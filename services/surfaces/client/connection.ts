import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '../../../core/address-name.ts';
import { readConfig, readSecret } from '../../../core/config.ts';
import type { Config } from '../../../schemas/config.ts';
import { type Client, makeClient } from './client.ts';
import { EXIT, type ExitStatus, failure } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** In the data folder: the URL of its running server. */
export const URL_FILE = 'url';

const fail = (status: ExitStatus, message: string): never => {
  throw failure(status, message);
};

/** Throws a failure that lists all faults. */
export const loadedConfig = ({ environment }: Terminal): Config => {
  const read = readConfig(environment);
  if (read.ok) return read.config;
  throw failure(EXIT.config, ['invalid configuration:', ...read.faults].join('\n  '));
};

export { isLoopback };

const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

/** The URL at which this machine reaches a server that listens there. */
export const localUrl = ({ host, port }: { host: string; port: number }): string => {
  const name = ANY_ADDRESS.has(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port || 8080}`;
};

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
};

const keyFile = ({ dataDir }: Config): string => join(dataDir, 'api-key');

/** Other characters fail when the header is built, with an error that repeats the key. */
const inHeader = (key: string): string => {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw failure(
    EXIT.config,
    'the API key contains characters that no key has: is it the whole key, and nothing else?',
  );
};

const storedKey = (config: Config): string =>
  read(keyFile(config)) ??
  fail(
    EXIT.notAllowed,
    `no API key: set TURNSTONE_API_KEY, or start the server once to create ${keyFile(config)}`,
  );

/**
 * The address of the data folder's server, which it writes at its start: it may listen on a port of its own.
 */
const storedUrl = ({ dataDir }: Config): string | undefined => read(join(dataDir, URL_FILE));

/**
 * The service that a command calls: `TURNSTONE_URL`, or else the server of the data folder, or else the one
 * that this environment configures.
 */
export const serviceUrl = (terminal: Terminal): string => {
  const config = loadedConfig(terminal);
  const url = URL.parse(terminal.environment.TURNSTONE_URL || storedUrl(config) || localUrl(config));
  if (!url || !/^https?:$/.test(url.protocol))
    throw failure(EXIT.config, 'TURNSTONE_URL must be an http or https URL');
  // fetch would reject credentials with an error that prints them.
  if (url.username || url.password)
    throw failure(
      EXIT.config,
      'TURNSTONE_URL must not contain a user or password; put the key in TURNSTONE_API_KEY',
    );
  return url.href.replace(/\/+$/, '');
};

const givenKey = (terminal: Terminal): string | undefined => {
  try {
    return readSecret(terminal.environment, 'TURNSTONE_API_KEY');
  } catch (error) {
    throw failure(EXIT.config, (error as RangeError).message);
  }
};

/**
 * `TURNSTONE_API_KEY`, or its file, or else the key in the data folder, which is never sent to another
 * machine.
 */
const ownKey = (terminal: Terminal): string => {
  const { TURNSTONE_URL } = terminal.environment;
  const given = givenKey(terminal);
  if (given !== undefined) return given;
  if (TURNSTONE_URL && !isLoopback(new URL(serviceUrl(terminal)).hostname))
    throw failure(EXIT.config, 'TURNSTONE_API_KEY must be set for a TURNSTONE_URL on another machine');
  return storedKey(loadedConfig(terminal));
};

/** Below an error of the connection: whose key was sent, and how to start a server. */
const connectionHints = (terminal: Terminal): string[] => {
  const { TURNSTONE_API_KEY, TURNSTONE_API_KEY_FILE } = terminal.environment;
  const given = TURNSTONE_API_KEY ? 'TURNSTONE_API_KEY' : TURNSTONE_API_KEY_FILE;
  const source = given ? given : keyFile(loadedConfig(terminal));
  return [
    `the server is ${serviceUrl(terminal)}, the key is from ${source}`,
    'turnstone serve starts a server (in a clone: npm start); TURNSTONE_URL names another',
  ];
};

/** A client of this service with this key; throws a failure that states what is missing. */
export const connect = (terminal: Terminal): Client =>
  makeClient({
    url: serviceUrl(terminal),
    apiKey: inHeader(ownKey(terminal)),
    hints: connectionHints(terminal),
  });
