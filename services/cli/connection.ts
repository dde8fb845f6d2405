import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../schemas/config.ts';
import { readConfig } from '../config.ts';
import { type Client, makeClient } from './client.ts';
import { EXIT, failure } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** Throws a failure that names every fault at once. */
export const loadedConfig = ({ environment }: Terminal): Config => {
  const read = readConfig(environment);
  if (read.ok) return read.config;
  throw failure(EXIT.config, ['the configuration has faults:', ...read.faults].join('\n  '));
};

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

const localUrl = ({ host, port }: Config): string => {
  const name = ANY_ADDRESS.has(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port || 8080}`;
};

const isLoopback = (url: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);

const storedKey = (dataDir: string): string => {
  const file = join(dataDir, 'api-key');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw failure(
      EXIT.notAllowed,
      `no API key: set TURNSTONE_API_KEY, or start the server once, which writes ${file}`,
      error,
    );
  }
};

/**
 * The server and the key that a command talks with: `TURNSTONE_URL` and `TURNSTONE_API_KEY`, else the server
 * that this environment configures and the key in its data folder. That key never goes to another machine.
 */
export const connect = (terminal: Terminal): Client => {
  const config = loadedConfig(terminal);
  const { TURNSTONE_URL, TURNSTONE_API_KEY } = terminal.environment;
  const url = URL.parse(TURNSTONE_URL || localUrl(config));
  if (!url || !/^https?:$/.test(url.protocol))
    throw failure(EXIT.config, 'TURNSTONE_URL must be an http or https URL');
  if (!TURNSTONE_API_KEY && !isLoopback(url) && TURNSTONE_URL)
    throw failure(EXIT.config, 'TURNSTONE_API_KEY must be set for a TURNSTONE_URL on another machine');
  return makeClient({
    url: url.href.replace(/\/+$/, ''),
    apiKey: TURNSTONE_API_KEY || storedKey(config.dataDir),
  });
};
