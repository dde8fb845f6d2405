import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { EntityItem, SessionItem, UserDetails } from '../../../../schemas/http/items.ts';
import type { CorrectEntity } from '../../../../schemas/http/names.ts';
import type { OnlyId } from '../../../../schemas/http/parts/parts.ts';
import type { Client } from '../../client/client.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { print, printable, printJson, styled, type Terminal } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { UNTOLD } from './stated.ts';

export interface NamesOptions {
  user?: string;
  json?: boolean;
}

export interface SplitOptions extends NamesOptions {
  session?: string[];
  as?: string;
}

export interface OwnNamesOptions extends NamesOptions {
  none?: true;
}

/** The most that the service lists in one page. */
const PAGE = 200;
const ID = /^ent_[0-9a-f]{24}$/;

const connected = async (terminal: Terminal, { user }: NamesOptions): Promise<Client> => {
  const client = connect(terminal);
  const { roles, strict } = await client.me();
  if (user === undefined && roles.includes('*') && !strict)
    throw failure(EXIT.usage, '--user is required: this key may name any user');
  return client;
};

const readNames = async (client: Client, { user }: NamesOptions): Promise<EntityItem[]> => {
  const found: EntityItem[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.call(operations.listEntities({ user_id: user, limit: PAGE, cursor }));
    found.push(...page.entities);
    cursor = page.next_cursor;
  }
  return found;
};

const rowOf = ({ label, kind, turns, aliases, id }: EntityItem): (string | number)[] => [
  printable(label),
  printable(kind),
  turns,
  printable(aliases.map(alias => alias.label).join(', ')),
  id,
];

/** `turnstone names list` */
export const listNames = async (terminal: Terminal, options: NamesOptions): Promise<ExitStatus> => {
  const entities = await readNames(await connected(terminal, options), options);
  if (options.json) {
    printJson(terminal, { entities }, 2);
    return EXIT.ok;
  }
  if (entities.length === 0) print(terminal, 'Nobody and nothing is named.');
  else {
    const [first = '', ...rows] = table(['name', 'kind', 'turns', 'also', 'id'], entities.map(rowOf));
    print(terminal, styled(terminal, 'bold', first));
    for (const row of rows) print(terminal, row);
  }
  return EXIT.ok;
};

/**
 * Ids of names, given as they are shown or as ids. Throws a failure that says all that name nobody, or more
 * than one.
 */
const idsOf = async (client: Client, names: readonly string[], options: NamesOptions): Promise<string[]> => {
  if (names.every(name => ID.test(name))) return [...names];
  const known = (await readNames(client, options)).flatMap(entity => [entity, ...entity.aliases]);
  const key = (label: string): string => label.normalize('NFKC').toLowerCase().trim();
  const found = names.map(name => {
    if (ID.test(name)) return [name];
    return [...new Set(known.filter(({ label }) => key(label) === key(name)).map(({ id }) => id))];
  });
  const faulty = names.flatMap((name, i) => {
    const ids = found[i]!;
    if (ids.length === 1) return [];
    return ids.length === 0
      ? [`nothing is called ${printable(name) || '(empty)'}`]
      : [`${printable(name)} is one of ${ids.join(', ')}`];
  });
  if (faulty.length > 0) throw failure(EXIT.failure, `${faulty.join('; ')}; nothing was changed`);
  return found.map(([id]) => id!);
};

const untold = (terminal: Terminal, { id }: OnlyId): ExitStatus => {
  print(terminal, `${printable(id)}; ${UNTOLD}`);
  return EXIT.ok;
};

const correct = async (
  terminal: Terminal,
  options: NamesOptions,
  names: readonly string[],
  correction: (ids: readonly string[]) => CorrectEntity,
): Promise<ExitStatus> => {
  const client = await connected(terminal, options);
  const ids = await idsOf(client, names, options);
  const corrected: EntityItem | OnlyId = await client.call(
    operations.correctEntity(ids[0]!, { user_id: options.user }, correction(ids.slice(1))),
  );
  if (!('label' in corrected)) return untold(terminal, corrected);
  const { label, aliases } = corrected;
  const others = aliases.map(alias => alias.label).join(', ');
  print(terminal, printable(others === '' ? label : `${label}, also ${others}`));
  return EXIT.ok;
};

/** `turnstone names rename NAME LABEL` */
export const rename = (terminal: Terminal, name: string, label: string, options: NamesOptions) =>
  correct(terminal, options, [name], () => ({ label }));

/** `turnstone names merge NAME INTO` */
export const merge = (terminal: Terminal, name: string, into: string, options: NamesOptions) =>
  correct(terminal, options, [name, into], ([merge_into]) => ({ merge_into: merge_into! }));

/** `turnstone names split NAME OTHER…`, `turnstone names split NAME --session SESSION` */
export const split = (
  terminal: Terminal,
  name: string,
  others: readonly string[],
  { session: sessions = [], as: label, ...options }: SplitOptions,
) => {
  if (others.length > 0 === sessions.length > 0)
    throw failure(EXIT.usage, 'name either other names of it, or sessions with --session');
  if (label !== undefined && sessions.length === 0)
    throw failure(EXIT.usage, '--as needs a session: a name that is set apart keeps its label');
  return correct(terminal, options, [name, ...others], ids => ({
    split: sessions.length > 0 ? sessions.map(session_id => ({ session_id, label })) : [...ids],
  }));
};

/** `turnstone names me [NAME…]` */
export const ownNames = async (
  terminal: Terminal,
  names: readonly string[],
  { none, ...options }: OwnNamesOptions,
): Promise<ExitStatus> => {
  if (none && names.length > 0) throw failure(EXIT.usage, '--none takes no names');
  const client = await connected(terminal, options);
  const user = options.user ?? (await client.me()).user_id;
  const isSet = none || names.length > 0;
  const found: UserDetails | OnlyId = await client.call(
    isSet ? operations.nameUser(user, { names: [...names] }) : operations.readUser(user),
  );
  if (!('names' in found)) return untold(terminal, found);
  const listed = (all: readonly string[]): string => all.map(printable).join(', ') || 'none';
  print(terminal, `Names: ${listed(found.names)}`);
  if (found.suggested_names.length > 0) print(terminal, `Suggested: ${listed(found.suggested_names)}`);
  return EXIT.ok;
};

/** `turnstone names title SESSION [TITLE]` */
export const titleSession = async (
  terminal: Terminal,
  session: string,
  title: string | undefined,
  options: NamesOptions,
): Promise<ExitStatus> => {
  const client = await connected(terminal, options);
  const titled: SessionItem | OnlyId = await client.call(
    operations.titleSession(session, { user_id: options.user }, { title: title ?? null }),
  );
  if (!('title' in titled)) return untold(terminal, titled);
  print(
    terminal,
    printable(titled.title === null ? `${session} has no title` : `${session}: ${titled.title}`),
  );
  return EXIT.ok;
};
