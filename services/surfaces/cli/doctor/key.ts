import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Me } from '../../../../clients/typescript/src/types.ts';
import { answerOf, type Client } from '../../client/client.ts';
import { makeChecks, type Report } from './check.ts';

/** The share of a day's tokens from which on somebody should look. */
const NEARLY = 0.9;

export const mayDo = ({ roles }: Pick<Me, 'roles'>, role: string): boolean =>
  roles.includes('*') || roles.includes(role);

const boundsOf = ({ strict, user_id, session_id }: Me): string => {
  if (!strict) return '';
  return `, strict for the ${session_id === null ? `user ${user_id}` : `session ${session_id} of ${user_id}`}`;
};

const checkQuota = async (client: Client, report: Report): Promise<void> => {
  const { ok, warn } = makeChecks(report, 'quota');
  const { tokens_in, tokens_out, limits } = await client.call(operations.usageToday({}));
  const share = (used: number, limit: number): number => (limit === 0 ? 0 : used / limit);
  const most = Math.max(share(tokens_in, limits.tokens_in), share(tokens_out, limits.tokens_out));
  const text = `${Math.floor(100 * most)} % of the day's tokens are used`;
  if (most < NEARLY) ok(text);
  else warn(text, 'turnstone orgs set-limits ORG raises the caps; a new day begins at 00:00 UTC');
};

/** Checks the key of this environment; returns whose it is, or undefined where it is refused. */
export const checkKey = async (client: Client, report: Report): Promise<Me | undefined> => {
  const { ok, fail } = makeChecks(report, 'key');
  let me: Me;
  try {
    me = await client.me();
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    const isRefused = [401, 403].includes(answerOf(error)?.status ?? 0);
    fail(
      reason,
      isRefused
        ? 'set TURNSTONE_API_KEY to one of this server; turnstone keys recover makes a new one'
        : 'look at the checks above',
    );
    return undefined;
  }
  ok(`of the organization ${me.org_id}, with ${me.roles.join(', ')}${boundsOf(me)}`);
  if (mayDo(me, 'usage:read') && !me.strict) await checkQuota(client, report);
  return me;
};
