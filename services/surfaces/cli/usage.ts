import * as operations from '../../../clients/typescript/src/operations.ts';
import type { UsageSplit } from '../../../clients/typescript/src/types.ts';
import { connect } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, printJson, type Terminal } from '../client/terminal.ts';
import { table } from './table.ts';

const cap = (limit: number): string | number => (limit === 0 ? 'no cap' : limit);

const HEADS: Record<UsageSplit['by'], string[]> = {
  user: ['user'],
  session: ['user', 'session'],
  key: ['key'],
};

/** The rows of a split; what no name is known of comes last, where there is any. */
const rowsOf = ({ by, shares, other, erased, pending }: UsageSplit): (string | number)[][] => {
  const named = shares.map(({ user_id = '', session_id, key_id, tokens_in, tokens_out }) => {
    const names = {
      user: [user_id],
      session: [user_id, session_id ?? '(recalls)'],
      key: [key_id ?? '(imported)'],
    };
    return [...names[by], tokens_in, tokens_out];
  });
  const rest = Object.entries({ other, erased, pending })
    .filter(([, { tokens_in, tokens_out }]) => tokens_in + tokens_out > 0)
    .map(([name, { tokens_in, tokens_out }]) => [
      `(${name})`,
      ...HEADS[by].slice(1).map(() => ''),
      tokens_in,
      tokens_out,
    ]);
  return [...named, ...rest];
};

/** `turnstone usage`: today's tokens with their caps, and those of a month (UTC), which may be split. */
export const usage = async (
  terminal: Terminal,
  options: { month?: string; by?: UsageSplit['by']; limit?: number; json?: boolean },
): Promise<ExitStatus> => {
  const client = connect(terminal);
  const { by, limit } = options;
  const month = await client.call(operations.usageMonth({ month: options.month, by, limit }));
  const today = await client.call(operations.usageToday({}));
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
  if (by === undefined || !month.split) return EXIT.ok;
  print(terminal, '');
  for (const line of table([...HEADS[by], 'tokens in', 'tokens out'], rowsOf(month.split)))
    print(terminal, line);
  return EXIT.ok;
};
