/** `turnstone stats`: what was stored and asked, by day. */
import * as operations from '../../../clients/typescript/src/operations.ts';
import type { MemoryStats } from '../../../schemas/http/stats.ts';
import { connect } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, printJson, styled, type Terminal } from '../client/terminal.ts';
import { table } from './table.ts';

export interface StatsOptions {
  user?: string;
  days?: number;
  json?: boolean;
}

const hasAny = ({ turns, facts, recalls }: MemoryStats['days'][number]): boolean =>
  turns + facts + recalls > 0;

/** Returns the upper bound of the first bin by which this share of the recalls was answered. */
const within = ({ latency_ms }: MemoryStats, share: number): string => {
  const all = latency_ms.reduce((sum, { recalls }) => sum + recalls, 0);
  let sum = 0;
  for (const { up_to, recalls } of latency_ms) {
    sum += recalls;
    if (sum >= share * all) return up_to === null ? `over ${latency_ms.at(-2)!.up_to} ms` : `${up_to} ms`;
  }
  return '';
};

export const stats = async (terminal: Terminal, options: StatsOptions): Promise<ExitStatus> => {
  const counted = await connect(terminal).call(
    operations.readStats({ user_id: options.user, days: options.days }),
  );
  if (options.json) {
    printJson(terminal, counted, 2);
    return EXIT.ok;
  }
  const days = counted.days.filter(hasAny);
  if (days.length === 0) {
    print(terminal, `Nothing happened in ${counted.days.length} days.`);
    return EXIT.ok;
  }
  const heading = ['day (UTC)', 'turns', 'users', 'sessions', 'facts', 'recalls'];
  const rows = days.map(one => [one.day, one.turns, one.users, one.sessions, one.facts, one.recalls]);
  const [first = '', ...lines] = table(heading, rows);
  print(terminal, styled(terminal, 'bold', first));
  for (const line of lines) print(terminal, line);
  const recalls = counted.latency_ms.reduce((sum, bin) => sum + bin.recalls, 0);
  if (recalls > 0)
    print(terminal, `recalls: half within ${within(counted, 0.5)}, 95 % within ${within(counted, 0.95)}`);
  return EXIT.ok;
};
