import type { Config } from '../../../../schemas/config.ts';
import { version } from '../../client/version.ts';
import { makeChecks, type Report } from './check.ts';

/** Longer than the service waits for the slowest of its engines. */
const WITHIN_MS = 8_000;
/** Seconds; a date of HTTP has no milliseconds. */
const CLOCK_OFF = 5;

interface Answer {
  status: number;
  text: string;
  /** Milliseconds until it was there. */
  ms: number;
  /** How far the server's clock is ahead, in seconds; undefined where it doesn't say. */
  ahead: number | undefined;
}

const get = async (url: string, token?: string): Promise<Answer> => {
  const began = Date.now();
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(WITHIN_MS),
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });
  const text = await response.text();
  const ended = Date.now();
  const date = Date.parse(response.headers.get('date') ?? '');
  // The date is cut to a second: half of one is the best guess.
  const ahead = Number.isNaN(date) ? undefined : (date + 500 - (began + ended) / 2) / 1_000;
  return { status: response.status, text, ms: ended - began, ahead };
};

const silenceOf = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return `none within ${WITHIN_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
};

interface Readiness {
  ready: boolean;
  engines: Record<string, { ok: boolean; detail: string }>;
}

const readinessIn = (text: string): Readiness | undefined => {
  try {
    const body = JSON.parse(text) as Partial<Readiness>;
    return typeof body.ready === 'boolean' && body.engines ? (body as Readiness) : undefined;
  } catch {
    return undefined;
  }
};

const checkClock = (ahead: number | undefined, report: Report): void => {
  const { ok, warn } = makeChecks(report, 'clock');
  if (ahead === undefined) return;
  const off = Math.round(Math.abs(ahead));
  if (off > CLOCK_OFF)
    warn(
      `the server's clock is ${off} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`,
      'synchronize both: expiries, days of quotas and signed tokens go by it',
    );
  else ok(`the server's clock is that of this machine, within ${CLOCK_OFF} s`);
};

const checkEngines = ({ engines }: Readiness, report: Report): void => {
  for (const [name, { ok: isWell, detail }] of Object.entries(engines)) {
    const { ok, warn, fail } = makeChecks(report, `engine ${name}`);
    if (!isWell) fail(detail, 'see docs/operate/monitor.md, When an engine is down');
    else if (detail.startsWith('waits for ')) warn(detail, 'bring the model back; no turn is lost');
    else ok(detail);
  }
};

/**
 * Checks the server at this address by what it answers to anybody: whether it is there, its clock and its
 * engines. Returns whether it is a Turnstone that answers.
 */
export const checkServer = async (url: string, report: Report): Promise<boolean> => {
  const { ok, fail } = makeChecks(report, 'server');
  let answer: Answer;
  try {
    answer = await get(`${url}/readyz`);
  } catch (error) {
    fail(
      `no answer from ${new URL(url).origin}, ${silenceOf(error)}`,
      'turnstone serve starts a server (in a clone: npm start); TURNSTONE_URL names another',
    );
    return false;
  }
  const readiness = readinessIn(answer.text);
  if (!readiness) {
    fail(
      `${url} answers ${answer.status}, and not as Turnstone does`,
      'TURNSTONE_URL must be the address of the service itself, not behind a redirect',
    );
    return false;
  }
  const first = `${url} answers in ${answer.ms} ms`;
  if (readiness.ready) ok(`${first}, ready`);
  else fail(`${first}, not ready`, 'the engines below say why; it recovers with them, so do not restart it');
  checkClock(answer.ahead, report);
  checkEngines(readiness, report);
  return true;
};

/** The metrics of a server; undefined where this address doesn't give them. */
export const metricsOf = async (
  url: string,
  { metrics: { port, token } }: Pick<Config, 'metrics'>,
): Promise<string | undefined> => {
  const address = new URL(`${url}/metrics`);
  if (port !== undefined) address.port = String(port);
  const answer = await get(address.href, token).catch(() => undefined);
  return answer?.status === 200 ? answer.text : undefined;
};

/** Compares the server's release, which its metrics tell, with that of this command. */
export const checkVersion = (metrics: string, report: Report): void => {
  const { ok, warn } = makeChecks(report, 'version');
  const [, its] = /^turnstone_build_info\{[^}]*version="([^"]*)"/m.exec(metrics) ?? [];
  const [, node = 'unknown'] = /^nodejs_version_info\{version="v([^"]*)"/m.exec(metrics) ?? [];
  if (its === undefined)
    warn(`this command is ${version()}, and the server does not say`, 'upgrade the server');
  else if (its === version()) ok(`${its} on Node ${node}; this command is the same`);
  else warn(`${its}, and this command is ${version()}`, 'use the command of the release that serves');
};
