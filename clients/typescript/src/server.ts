/** Which server a client calls, and with which key. */
import { misconfigured } from './error.ts';
import type { TurnstoneOptions } from './options.ts';
import { HEADER_TEXT } from './transport/answer.ts';

/** The part of Node's global that is used here, and that browsers lack. */
interface NodeProcess {
  env?: Record<string, string | undefined>;
  getBuiltinModule?(name: 'node:fs'): { readFileSync(path: string, encoding: 'utf8'): string };
}
const { process } = globalThis as { process?: NodeProcess };

const environment = (name: string): string | undefined => process?.env?.[name] || undefined;

/** Reads a file that a server wrote into its data folder; undefined where there is none. */
const ofDataFolder = (name: string): string | undefined => {
  const folder = environment('TURNSTONE_DATA_DIR') ?? './data';
  try {
    return (
      process?.getBuiltinModule?.('node:fs').readFileSync(`${folder}/${name}`, 'utf8').trim() || undefined
    );
  } catch {
    return undefined;
  }
};

/** The URL without a trailing slash. Errors don't repeat the address, which may contain a password. */
const addressOf = (baseUrl: string | undefined): URL => {
  if (!baseUrl)
    throw misconfigured(
      'There is no address: pass baseUrl, set TURNSTONE_URL, or start a server in this folder (turnstone serve).',
    );
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw misconfigured('baseUrl must be a URL, such as https://memory.example.com.');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw misconfigured('baseUrl must be an http or https URL without a user, a query and a fragment.');
  return url;
};

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

const keyOf = (apiKey: string | undefined): string => {
  // A key read from a file often ends with a line break.
  const key = apiKey?.trim();
  if (!key) throw misconfigured('There is no API key: pass apiKey, or set TURNSTONE_API_KEY.');
  if (!HEADER_TEXT.test(key))
    throw misconfigured(
      'The API key contains characters that no key has: is it the whole key, and nothing else?',
    );
  return key;
};

/**
 * The given server and key, or those of the environment, or else those of a server that has its data folder
 * here. Its key is the whole organization's and never sent to another machine.
 */
export const serverOf = (options: TurnstoneOptions): { baseUrl: string; apiKey: string } => {
  const url = addressOf(options.baseUrl ?? environment('TURNSTONE_URL') ?? ofDataFolder('url'));
  const given = options.apiKey ?? environment('TURNSTONE_API_KEY');
  const apiKey = keyOf(given ?? (isLoopback(url) ? ofDataFolder('api-key') : undefined));
  return { baseUrl: url.href.replace(/\/+$/, ''), apiKey };
};
