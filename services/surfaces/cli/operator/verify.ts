import type { VerifyMessage, VerifyReport } from '../../../../core/operator/verification.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, print, printJson, type Terminal } from '../../client/terminal.ts';
import { withInterruptible } from './operator.ts';

export interface VerifyCommand {
  org?: string;
  sample?: number;
  whole?: boolean;
  json?: boolean;
}

type Named = VerifyReport['named'][number];

const PHASES = { log: 'reading the log', store: 'comparing', again: 'comparing again' };
/**
 * Milliseconds between two reports: five reports per second on a terminal, one per ten seconds in a log file.
 */
const REPORT_EVERY_MS = { terminal: 200, file: 10_000 };

/** Reports progress on stderr, separate from the result. */
const makeProgressLine = (terminal: Terminal) => {
  const { stderr } = terminal;
  let reported = performance.now() - (stderr.isTTY ? REPORT_EVERY_MS.terminal : 0);
  let open = false;
  return {
    report: ({ phase, done, total }: Extract<VerifyMessage, { kind: 'progress' }>): void => {
      const now = performance.now();
      if (now - reported < (stderr.isTTY ? REPORT_EVERY_MS.terminal : REPORT_EVERY_MS.file)) return;
      reported = now;
      const line = `${PHASES[phase]}: ${grouped(done)}${total === undefined ? ' rows' : ` of ${grouped(total)} events`}`;
      stderr.write(stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
      open = Boolean(stderr.isTTY);
    },
    end: (): void => {
      if (open) stderr.write('\r\u001b[K');
    },
  };
};

const addressText = ({ address }: Named): string => {
  if (!address) return '';
  const { topic, partition, offset, index } = address;
  return `at ${[topic, partition, offset, ...(index === undefined ? [] : [index])].join('/')}`;
};

const lineOf = (one: Named): string =>
  [one.how.padEnd(8), one.kind, one.id, `of ${JSON.stringify(one.org)}`, addressText(one), one.detail ?? '']
    .filter(part => part !== '')
    .join(' ');

const share = (sampled: number): string =>
  sampled >= 1 ? 'all of them' : `a sample of ${(sampled * 100).toPrecision(3)} %`;

const printReport = (terminal: Terminal, report: VerifyReport): void => {
  const { projections, rows, sampled, digests, differences, named, seconds } = report;
  const compared = `${grouped(rows)} rows, ${share(sampled)}, in ${seconds.toFixed(1)} s`;
  print(terminal, `compared ${compared}`);
  for (const name of projections) {
    const { log, store } = digests[name]!;
    const verdict = log === store ? 'same digest' : 'different digest';
    print(terminal, `${name.padEnd(8)} ${verdict}: log ${log}, serving ${store}`);
  }
  const count = differences === 0 ? 'no' : grouped(differences);
  print(terminal, `${count} ${differences === 1 ? 'difference' : 'differences'}`);
  for (const one of named) print(terminal, `  ${lineOf(one)}`);
  if (differences > named.length) print(terminal, `  and ${grouped(differences - named.length)} more`);
};

/** `turnstone verify`: 0 when the serving projections match the log, 1 when anything differs. */
export const verify = (terminal: Terminal, projection: string, options: VerifyCommand): Promise<ExitStatus> =>
  withInterruptible(terminal, async (call, signal) => {
    const progress = makeProgressLine(terminal);
    const args = { projection, org: options.org, most: options.sample, whole: options.whole };
    let report: VerifyReport | undefined;
    try {
      for await (const message of call('verify', args, signal)) {
        if (message.kind === 'progress') progress.report(message);
        else report = message;
      }
    } finally {
      progress.end();
    }
    if (!report) throw failure(EXIT.failure, 'the verification ended without a result');
    // A mistyped name must not be reported as verified.
    if (options.org !== undefined && report.rows === 0 && report.differences === 0)
      throw failure(EXIT.failure, `the log has no events of an organization ${options.org}`);
    if (options.json) printJson(terminal, report, 2);
    else printReport(terminal, report);
    return report.differences === 0 ? EXIT.ok : EXIT.failure;
  });
