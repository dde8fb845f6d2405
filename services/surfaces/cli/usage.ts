import * as operations from '../../../clients/typescript/src/operations.ts';
import { connect } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, printJson, type Terminal } from '../client/terminal.ts';
import { table } from './table.ts';

const cap = (limit: number): string | number => (limit === 0 ? 'no cap' : limit);

/** `turnstone usage`: today's tokens with their caps, and those of a month (UTC). */
export const usage = async (
  terminal: Terminal,
  options: { month?: string; json?: boolean },
): Promise<ExitStatus> => {
  const client = connect(terminal);
  const month = await client.call(operations.usageMonth({ month: options.month }));
  const today = await client.call(operations.usageToday());
  if (options.json) {
    printJson(terminal, { today, month }, 2);
    return EXIT.ok;
  }
  const rows = [
    [today.start.slice(0, 10), today.tokens_in, today.tokens_out],
    ['  daily caps', cap(today.limits.tokens_in), cap(today.limits.tokens_out)],
    [month.start.slice(0, 7), month.tokens_in, month.tokens_out],
  ];
  for (const line of table(['UTC', 'tokens in', 'tokens out'], rows)) print(terminal, line);
  return EXIT.ok;
};
