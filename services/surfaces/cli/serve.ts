import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unknownVariables } from '../../../core/config.ts';
import { ServiceError } from '../../../core/errors.ts';
import { traceIds } from '../../../core/tracing/calls.ts';
import { type Log, makeLog } from '../../../core/watch/logger.ts';
import type { Config } from '../../../schemas/config.ts';
import type { RunningService } from '../client/composition.ts';
import { loadedConfig, localUrl, URL_FILE } from '../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../client/exit.ts';
import { print, type Terminal } from '../client/terminal.ts';
import { version } from '../client/version.ts';
import { firstSteps } from './first-steps.ts';

/** After the configured pause. Supervisors usually allow 10 s; this leaves time for the last log line. */
export const CLOSE_WITHIN_MS = 9_500;
/** npm repeats a Ctrl-C that the terminal has already sent to the whole process group; ignore that echo. */
const ECHO_MS = 250;

/**
 * Converts the reason of a failed start into an exit status and a line; an internal error keeps its stack.
 */
const faultOfStart = (error: unknown, { host, port }: Config): unknown => {
  if (!(error instanceof Error)) return error;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const address = `${host}:${port}`;
  if (code === 'EADDRINUSE')
    return failure(
      EXIT.unavailable,
      `${address} is in use by another process; set TURNSTONE_PORT to another port`,
    );
  if (code === 'EACCES' && syscall === 'listen')
    return failure(
      EXIT.notAllowed,
      `listening on ${address} is not allowed; set TURNSTONE_PORT to another port`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return failure(EXIT.config, `TURNSTONE_HOST ${host} is not an address of this machine`);
  if (error instanceof ServiceError) return failure(EXIT.unavailable, message, error);
  return error.constructor === Error ? failure(EXIT.failure, message, error) : error;
};

/** Writes the server's address into the data folder, so that commands on this machine find it on any port. */
const keepUrl = (config: Config, { address }: RunningService, log: Log): void => {
  try {
    writeFileSync(join(config.dataDir, URL_FILE), `${localUrl(address)}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn({ err: error }, 'commands must be told the address of this server with TURNSTONE_URL');
  }
};

const announce = (terminal: Terminal, running: RunningService, config: Config): void => {
  const lines = [`Turnstone ${version()} is ready on ${running.url}`];
  if (running.firstKey) {
    const keyFile = join(config.dataDir, 'api-key');
    lines.push('', `API key: ${running.firstKey}`, '', ...firstSteps(running.url, keyFile));
  }
  // A single write, so that a reader of the ready line has the key too.
  print(terminal, lines.join('\n'));
};

/**
 * Resolves with the exit status once the service has been stopped and has closed. The first SIGINT or SIGTERM
 * closes gracefully; a second one exits at once.
 */
const stopped = (
  running: Promise<RunningService>,
  log: Log,
  { shutdownPauseSeconds }: Config,
): Promise<ExitStatus> =>
  new Promise(resolve => {
    let firstSignal: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      const now = performance.now();
      if (firstSignal !== undefined) {
        if (now - firstSignal < ECHO_MS) return;
        log.warn({ signal }, 'ended by a second signal');
        process.exit(EXIT.failure);
      }
      firstSignal = now;
      log.info({ signal }, 'closing');
      const closeWithinMs = 1_000 * shutdownPauseSeconds + CLOSE_WITHIN_MS;
      const late = setTimeout(() => {
        log.error({ ms: closeWithinMs }, 'closing took too long');
        process.exit(EXIT.failure);
      }, closeWithinMs);
      // `serve` reports a failed start; a failed close is reported here.
      running
        .then(service => service.close())
        .then(
          () => {
            log.info({ ms: Math.round(performance.now() - now) }, 'closed');
            resolve(EXIT.ok);
          },
          err => {
            log.error({ err }, 'closing failed');
            resolve(EXIT.failure);
          },
        )
        .finally(() => clearTimeout(late));
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });

/** `turnstone serve`: runs the service until it is stopped. */
export const serve = async (terminal: Terminal): Promise<ExitStatus> => {
  const config = loadedConfig(terminal);
  const isTelemetryOn = config.telemetry.endpoint !== undefined;
  const log = makeLog(config.logLevel, undefined, isTelemetryOn ? traceIds : undefined);
  for (const name of unknownVariables(terminal.environment))
    log.warn({ variable: name }, 'nothing reads this variable');
  const starting = terminal.composition.serve(config, log);
  const end = stopped(starting, log, config);
  const running = await starting.catch(error => {
    throw faultOfStart(error, config);
  });
  if (config.mode === 'embedded') keepUrl(config, running, log);
  announce(terminal, running, config);
  log.info({ url: running.url, mode: config.mode, role: config.role, version: version() }, 'ready');
  return end.finally(() => rmSync(join(config.dataDir, URL_FILE), { force: true }));
};
