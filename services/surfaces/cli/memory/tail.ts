/** `turnstone tail`: what is written, as it is written. */
import type { FeedEvent } from '../../../../clients/typescript/src/types.ts';
import type { Filter } from '../../../../schemas/http/queries/filter.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { print, printable, printJson, styled, type Terminal } from '../../client/terminal.ts';

export interface TailOptions {
  after?: string;
  filter?: Filter;
  limit?: number;
  json?: boolean;
}

/** `2026-01-05 09:30:00  ada / monday  user: I moved to Lyon.` */
const show = (terminal: Terminal, { data }: FeedEvent): void => {
  const time = data.recorded_at.slice(0, 19).replace('T', ' ');
  const where = `${printable(data.user_id)} / ${printable(data.session_id)}`;
  const who = data.kind === 'turn' ? data.role : 'known';
  const said = printable(data.text);
  print(terminal, `${styled(terminal, 'dim', `${time}  ${where}`)}  ${printable(who)}: ${said}`);
};

/** Prints new turns and what is found in them until it is interrupted, or `limit` were printed. */
export const tail = async (terminal: Terminal, options: TailOptions): Promise<ExitStatus> => {
  const { after = 'now', filter, limit = Number.POSITIVE_INFINITY } = options;
  let printed = 0;
  for await (const event of connect(terminal).follow({ after, filter })) {
    if (options.json) printJson(terminal, event);
    else show(terminal, event);
    if (++printed >= limit) break;
  }
  return EXIT.ok;
};
