import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Client } from '../../client/client.ts';
import { EXIT, failure } from '../../client/exit.ts';
import { print, printable, type Terminal } from '../../client/terminal.ts';
import type { Survey } from '../../importers/turns/survey.ts';

/** The role of the person in exports that don't name them. */
const USER = 'user';
/** Names listed in a refusal. */
const MOST_LISTED = 8;

const sameName = (one: string, other: string): boolean =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase();

/** Rejects a name that nobody in the file has: it is probably misspelled. */
export const refuseUnknownName = (me: string, { speakers, users }: Survey): void => {
  const names = speakers.map(([role]) => role);
  if (!names.some(role => role === USER || sameName(role, me))) {
    const listed = names.slice(0, MOST_LISTED).map(printable).join(', ');
    throw failure(EXIT.usage, `--me: nobody in the file is called ${printable(me)}; there are ${listed}`);
  }
  if (users.length > 1)
    throw failure(EXIT.usage, '--me: the file has turns of several users, who are not all called so');
};

/** Adds the name to the user's own, after those that are set: what it says and what the user says is one. */
export const addOwnName = async (
  terminal: Terminal,
  client: Client,
  given: string | undefined,
  me: string,
): Promise<void> => {
  const user = given ?? (await client.me()).user_id;
  const { names } = await client.call(operations.readUser(user));
  const name = me.trim();
  if (!names.some(one => sameName(one, name)))
    await client.call(operations.nameUser(user, { names: [...names, name] }));
  print(terminal, `${printable(name)} is the user ${printable(user)}.`);
};
