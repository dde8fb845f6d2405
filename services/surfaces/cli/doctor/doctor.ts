import { isLoopback } from '../../../../core/address-name.ts';
import type { Config } from '../../../../schemas/config.ts';
import { connect, serviceUrl } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { print, printJson, type Terminal } from '../../client/terminal.ts';
import { operatorBeside } from '../operator/operator.ts';
import { type Check, lineOf, makeChecks, type Report } from './check.ts';
import { checkFolder } from './folder.ts';
import { checkKey } from './key.ts';
import { checkMemory } from './memory.ts';
import { checkAsOperator } from './operator-side.ts';
import { checkPositions } from './positions.ts';
import { checkServer, checkVersion, metricsOf } from './server.ts';
import { checkSettings } from './settings.ts';

/** How long the server may take to answer on its socket, and for what an operator asks there. */
const SOCKET_MS = 5_000;
const OPERATOR_MS = 30_000;

export interface DoctorOptions {
  json?: boolean;
  /** False: nothing is written, and no recall is asked. */
  write: boolean;
}

/** Runs a step of the checks; a step that fails is a check that failed, in one line. */
const attempted = async <T>(
  report: Report,
  name: string,
  act: () => Promise<T> | T,
): Promise<T | undefined> => {
  try {
    return await act();
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    makeChecks(report, name).fail(reason, 'the check could not be done');
    return undefined;
  }
};

/** The checks on the machine of the server: its folder, and what its socket tells operators. */
const checkBeside = async (terminal: Terminal, config: Config, report: Report): Promise<void> => {
  // A server that hangs counts as none: the folder says that somebody holds it.
  const beside = await operatorBeside(config, AbortSignal.timeout(SOCKET_MS)).catch(() => undefined);
  await checkFolder(terminal, config, beside !== undefined, report);
  if (beside) await checkAsOperator(beside.call, AbortSignal.timeout(OPERATOR_MS), report);
};

const checkConsumers = async (url: string, config: Config, report: Report): Promise<void> => {
  const scrape = () => metricsOf(url, config);
  const metrics = await scrape();
  if (metrics === undefined) {
    makeChecks(report, 'positions').warn(
      'not known: the metrics are not at this address',
      'set TURNSTONE_METRICS_PORT and TURNSTONE_METRICS_TOKEN as the server has them',
    );
    return;
  }
  checkVersion(metrics, report);
  await checkPositions(metrics, scrape, report);
};

/** Makes all checks that can be made here, in order. `write`: also of a turn and a recall. */
export const examine = async (terminal: Terminal, write: boolean, report: Report): Promise<void> => {
  const config = checkSettings(terminal.environment, report);
  if (!config) return;
  const url = await attempted(report, 'server', () => serviceUrl(terminal));
  if (url === undefined) return;
  // A folder of this machine is not that of a server elsewhere.
  if (!config.cluster && isLoopback(new URL(url).hostname))
    await attempted(report, 'data folder', () => checkBeside(terminal, config, report));
  if (!(await checkServer(url, report))) return;
  await attempted(report, 'positions', () => checkConsumers(url, config, report));
  const client = await attempted(report, 'key', () => connect(terminal));
  const me = client && (await attempted(report, 'key', () => checkKey(client, report)));
  if (client && me && write) await attempted(report, 'write', () => checkMemory(client, me, report));
};

const counted = (checks: readonly Check[], status: Check['status']): number =>
  checks.filter(check => check.status === status).length;

/** `turnstone doctor`: a line a check; 0 when none failed, 1 otherwise. */
export const doctor = async (
  terminal: Terminal,
  { json = false, write }: DoctorOptions,
): Promise<ExitStatus> => {
  const checks: Check[] = [];
  await examine(terminal, write, check => {
    checks.push(check);
    if (!json) print(terminal, lineOf(terminal, check));
  });
  const failed = counted(checks, 'fail');
  if (json) printJson(terminal, { ok: failed === 0, checks }, 2);
  else
    print(terminal, `${counted(checks, 'ok')} ok, ${counted(checks, 'warn')} to look at, ${failed} failed`);
  return failed === 0 ? EXIT.ok : EXIT.failure;
};
