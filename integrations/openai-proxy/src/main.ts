#!/usr/bin/env node
/** Runs the proxy, with its settings from the environment. */
import { startProxy } from './proxy.ts';

const { env } = process;
const upstreamUrl = env.TURNSTONE_PROXY_UPSTREAM ?? '';
const turnstoneUrl = env.TURNSTONE_URL ?? '';
const port = Number(env.TURNSTONE_PROXY_PORT ?? 8787);

const faults = [
  ...(URL.canParse(upstreamUrl) ? [] : ['TURNSTONE_PROXY_UPSTREAM must be the base URL of an endpoint.']),
  ...(URL.canParse(turnstoneUrl) ? [] : ['TURNSTONE_URL must be the address of a Turnstone service.']),
  ...(Number.isInteger(port) && port >= 0 && port < 65_536 ? [] : ['TURNSTONE_PROXY_PORT must be a port.']),
];
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exit(78);
}

const proxy = await startProxy({
  upstreamUrl,
  turnstoneUrl,
  apiKey: env.TURNSTONE_API_KEY,
  host: env.TURNSTONE_PROXY_HOST ?? '127.0.0.1',
  port,
  log: event => process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`),
});
process.stdout.write(`Turnstone's proxy is ready on ${proxy.url}\n`);

const stop = (): void => void proxy.close();
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
