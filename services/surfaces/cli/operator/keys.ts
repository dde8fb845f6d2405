import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Role } from '../../../../schemas/http/parts/roles.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { instant } from '../../client/instant.ts';
import { print, printable, printJson, type Terminal } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { answerOf, withOperator } from './operator.ts';

/** `turnstone keys list`: the keys that the key in use handles, without their secrets. */
export const listKeys = async (terminal: Terminal, options: { json?: boolean }): Promise<ExitStatus> => {
  const { api_keys } = await connect(terminal).call(operations.listApiKeys());
  if (options.json) {
    printJson(terminal, api_keys, 2);
    return EXIT.ok;
  }
  const rows = api_keys.map(key => [
    key.id,
    printable(key.name),
    key.roles.join(','),
    printable(key.user_id),
    printable(key.session_id ?? '–'),
    key.strict ? 'yes' : 'no',
    key.created_at.slice(0, 10),
    key.expires_at?.slice(0, 10) ?? 'never',
    key.addresses?.join(',') ?? 'any',
    key.last_used_at?.slice(0, 10) ?? 'never',
  ]);
  for (const line of table(
    ['ID', 'NAME', 'ROLES', 'USER', 'SESSION', 'STRICT', 'CREATED', 'EXPIRES', 'ADDRESSES', 'LAST USED'],
    rows,
  ))
    print(terminal, line);
  return EXIT.ok;
};

export interface NewKey {
  roles?: Role[];
  user?: string;
  session?: string;
  /** A day or an RFC 3339 instant. */
  expires?: string;
  addresses?: string[];
  strict?: boolean;
}

/** `turnstone keys create NAME`: prints the secret once. Not retried: that could create two keys. */
export const createKey = async (terminal: Terminal, name: string, options: NewKey): Promise<ExitStatus> => {
  const { user, session, expires, ...own } = options;
  const expires_at = instant(expires, '00:00:00');
  const key = await connect(terminal).call(
    operations.createApiKey({ name, ...own, user_id: user, session_id: session, expires_at }),
  );
  print(terminal, `API key: ${key.api_key}`);
  print(terminal, `id ${key.id}, roles ${key.roles.join(', ')}; the key is shown only once`);
  return EXIT.ok;
};

/** `turnstone keys rotate ID`: prints the new secret once. Not retried: that could make two keys. */
export const rotateKey = async (
  terminal: Terminal,
  id: string,
  { grace }: { grace?: number },
): Promise<ExitStatus> => {
  const key = await connect(terminal).call(operations.rotateApiKey(id, { grace_seconds: grace }));
  print(terminal, `API key: ${key.api_key}`);
  const until = grace === 0 ? 'does not work any more' : 'works until its grace period ends';
  print(terminal, `id ${key.id}, in place of ${id}, which ${until}; the key is shown only once`);
  return EXIT.ok;
};

/**
 * `turnstone keys recover --org ORG`, for an operator: over the server's socket, on its data folder or on the
 * engines.
 */
export const recoverKey = (terminal: Terminal, org: string): Promise<ExitStatus> =>
  withOperator(terminal, async call => {
    const { id, api_key } = await answerOf(call('keys.recover', { org_id: org }));
    print(terminal, `API key: ${api_key}`);
    print(terminal, `id ${id}, roles *; the key is shown only once. Revoke the keys that were lost.`);
    return EXIT.ok;
  });

/** `turnstone keys revoke ID`: the key and the tokens issued for it stop working. */
export const revokeKey = async (terminal: Terminal, id: string): Promise<ExitStatus> => {
  await connect(terminal).call({ ...operations.revokeApiKey(id), isRepeatable: false });
  print(terminal, `revoked ${id}`);
  return EXIT.ok;
};
