import { readFile, writeFile } from 'node:fs/promises';
import * as operations from '../../../../clients/typescript/src/operations.ts';
import { connect, serviceUrl } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, note, print, printable, type Terminal, warn } from '../../client/terminal.ts';
import { type ExportedMonth, monthOfExport } from './billed-events.ts';
import {
  readKeys,
  readStatement,
  type SignedStatement,
  type StatedTotals,
  type StatementClaims,
} from './signed.ts';

const JWKS = '/.well-known/jwks.json';

/** The month before this one, in UTC. */
const lastMonth = (now = new Date()): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'it failed';

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw failure(EXIT.failure, `${path} can't be read: ${codeOf(error)}`, error);
  }
};

/** `turnstone statement`: the signed statement of a month, to a file or to stdout. */
export const fetchStatement = async (
  terminal: Terminal,
  { month = lastMonth(), output }: { month?: string; output?: string },
): Promise<ExitStatus> => {
  const { statement } = await connect(terminal).call(operations.usageStatement({ month }));
  if (output === undefined) {
    print(terminal, statement);
    return EXIT.ok;
  }
  await writeFile(output, `${statement}\n`).catch(error => {
    throw failure(EXIT.failure, `${output} can't be written: ${codeOf(error)}`, error);
  });
  const { claims } = readStatement(statement)!;
  print(terminal, `${month}: ${described(claims)}; the statement is in ${output}`);
  return EXIT.ok;
};

const described = ({ events, tokens_in, tokens_out }: StatedTotals): string =>
  `${grouped(events)} billed events, ${grouped(tokens_in)} tokens in, ${grouped(tokens_out)} out`;

const fetched = async (url: string): Promise<string> => {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return await answer.text();
  } catch (error) {
    throw failure(
      EXIT.unavailable,
      `the keys can't be fetched from ${printable(url)}; --jwks names a file of them`,
      error,
    );
  }
};

const keysIn = async (terminal: Terminal, location: string | undefined) => {
  const from = location ?? `${serviceUrl(terminal)}${JWKS}`;
  const keys = readKeys(/^https?:/.test(from) ? await fetched(from) : await readText(from));
  if (!keys) throw failure(EXIT.failure, `${printable(from)} is no set of RSA keys (JWK)`);
  return keys;
};

const SUMS = ['events', 'tokens_in', 'tokens_out'] as const;

/** Lists the differences between the export and the statement, a line each. */
const differences = (stated: StatementClaims, found: ExportedMonth): string[] => {
  const differs = (a: StatedTotals, b: StatedTotals): boolean => SUMS.some(name => a[name] !== b[name]);
  const none = { events: 0, tokens_in: 0, tokens_out: 0 };
  const foundOn = new Map(found.days.map(day => [day.day, day]));
  const days = stated.days.flatMap(day => {
    const other = foundOn.get(day.day) ?? none;
    foundOn.delete(day.day);
    return differs(day, other)
      ? [`${printable(day.day)}: ${described(day)}; in the export ${described(other)}`]
      : [];
  });
  const missing = [...foundOn.values()].map(day => `${day.day} is not in the statement`);
  const sum = (name: (typeof SUMS)[number]): number => stated.days.reduce((all, day) => all + day[name], 0);
  const isSum = SUMS.every(name => sum(name) === stated[name]);
  return [
    ...days,
    ...missing,
    ...(isSum ? [] : ["the statement's totals are not the sums of its days"]),
    ...(stated.root === found.root ? [] : [`root ${printable(stated.root)}; of the export ${found.root}`]),
  ];
};

const assertOfThis = ({ claims }: SignedStatement, { header }: ExportedMonth): void => {
  if (header.org_id !== claims.org_id)
    throw failure(
      EXIT.failure,
      `the export is of ${printable(header.org_id)}, the statement of ${printable(claims.org_id)}`,
    );
};

/** `turnstone statement verify`: 1 when the signature or what it states is not so. */
export const verifyStatement = async (
  terminal: Terminal,
  file: string,
  { export: exported, jwks }: { export: string; jwks?: string },
): Promise<ExitStatus> => {
  const statement = readStatement(await readText(file));
  if (!statement) throw failure(EXIT.failure, `${printable(file)} is no statement`);
  const { kid, claims } = statement;
  const keys = await keysIn(terminal, jwks);
  if (!keys.some(key => key.kid === kid))
    throw failure(
      EXIT.failure,
      `none of these keys has the kid ${printable(kid)}: one that was retired is verified with --jwks and its public half`,
    );
  if (!statement.isSignedBy(keys)) throw failure(EXIT.failure, 'the signature is not valid');
  print(terminal, `signed by the key ${printable(kid)}`);
  print(terminal, `${claims.month} of ${printable(claims.org_id)}: ${described(claims)}`);
  const found = await monthOfExport(exported, claims.month).catch(error => {
    throw failure(
      EXIT.failure,
      error.code ? `${exported} can't be read: ${error.code}` : error.message,
      error,
    );
  });
  assertOfThis(statement, found);
  const wrong = differences(claims, found);
  if (wrong.length > 0) {
    warn(terminal, 'the export gives another result:');
    for (const line of wrong) note(terminal, `  ${line}`);
    if (!(Date.parse(found.header.exported_at) >= claims.iat * 1_000))
      note(terminal, '  the export is older than the statement and may lack events: export again');
    return EXIT.failure;
  }
  const shown = found.events - found.unshown - found.recalls;
  print(
    terminal,
    `computed again from the export: the same root over ${grouped(shown)} turns, ${grouped(found.recalls)} recalls and ${grouped(found.unshown)} events whose words are erased or hidden`,
  );
  return EXIT.ok;
};
