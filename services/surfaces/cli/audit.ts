import * as operations from '../../../clients/typescript/src/operations.ts';
import type { AuditEntry } from '../../../clients/typescript/src/types.ts';
import { connect } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { instant } from '../client/instant.ts';
import { print, printable, printJson, styled, type Terminal } from '../client/terminal.ts';
import { table } from './table.ts';

export interface AuditOptions {
  since?: string;
  until?: string;
  action?: string;
  actor?: string;
  limit: number;
  json?: boolean;
}

/** The most that the service lists in one page. */
const PAGE = 200;

/** `key 3a34f8c3bba037b0 (ada)`. */
const actorOf = ({ actor: { kind, key_id, user_id } }: AuditEntry): string =>
  [kind, key_id, user_id === null ? null : `(${printable(user_id)})`].filter(Boolean).join(' ');

/** `session garden of ada`. */
const targetOf = ({ target }: AuditEntry): string => {
  if (target === null) return '';
  const { kind, id, user_id } = target;
  const owner = user_id === null || user_id === id ? null : `of ${printable(user_id)}`;
  return [kind, id === null ? null : printable(id), owner].filter(Boolean).join(' ');
};

const rowOf = (entry: AuditEntry): string[] => [
  entry.at.slice(0, 19).replace('T', ' '),
  entry.action,
  entry.outcome,
  actorOf(entry),
  entry.actor.address ?? '',
  targetOf(entry),
];

/** `turnstone audit`: the entries of the audit log, as a table. */
export const audit = async (terminal: Terminal, options: AuditOptions): Promise<ExitStatus> => {
  const client = connect(terminal);
  const { action, actor, limit } = options;
  const since = instant(options.since, '00:00:00.000');
  const until = instant(options.until, '23:59:59.999');
  const entries: AuditEntry[] = [];
  for (let cursor: string | null | undefined; cursor !== null && entries.length < limit; ) {
    const most = Math.min(PAGE, limit - entries.length);
    const page = await client.call(
      operations.readAudit({ since, until, action, actor, limit: most, cursor }),
    );
    entries.push(...page.entries);
    cursor = page.next_cursor;
  }
  if (options.json) {
    printJson(terminal, { entries }, 2);
    return EXIT.ok;
  }
  if (entries.length === 0) {
    print(terminal, 'Nothing is noted.');
    return EXIT.ok;
  }
  const [first = '', ...rows] = table(
    ['UTC', 'action', 'outcome', 'actor', 'from', 'target'],
    entries.map(rowOf),
  );
  print(terminal, styled(terminal, 'bold', first));
  for (const row of rows) print(terminal, row);
  return EXIT.ok;
};
