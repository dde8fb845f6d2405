import type { Log } from '../../core/watch/logger.ts';
import { answerOf } from '../client/client.ts';
import { EXIT, isFailure } from '../client/exit.ts';

const DAY_MS = 86_400_000;

interface Details {
  error?: string;
  errors?: { loc: (string | number)[]; message: string }[];
  used?: number;
  limit?: number;
  period_start?: string;
}

const number = (value: number | undefined): string => (value ?? 0).toLocaleString('en-US');

/** Which cap, how much of it is used, until when, and who can raise it. */
const quotaInWords = (message: string, details: Details): string => {
  const [first = '', ...hints] = message.replace(/^the server answered 429: /, '').split('\n');
  const end = new Date(Date.parse(details.period_start ?? '') + DAY_MS);
  const until = Number.isNaN(end.getTime())
    ? ''
    : `, until ${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const left = (details.limit ?? 0) - (details.used ?? 0);
  const advice =
    left > 0
      ? `${number(left)} are left: a shorter call can still be taken, one as long as this not before then. Tell the person.`
      : 'Tell the person; trying again before then does not help.';
  return [
    `${first} ${number(details.used)} of ${number(details.limit)} tokens of this day are used${until}.`,
    `This call stored and found nothing. ${advice}`,
    ...hints.map(hint => hint.trim()),
  ].join('\n');
};

const unreachable = (message: string): string =>
  [
    `${message}. No Turnstone service could be reached, so memory can be neither asked nor written now.`,
    'The person can start one with `npm start` in a clone of Turnstone or with `turnstone serve`; TURNSTONE_URL names one that runs elsewhere.',
    'Go on without memory and say so; do not claim to have remembered or recalled anything.',
  ].join('\n');

const ANOTHER_KEY =
  'Another API key is needed: `turnstone keys create NAME` makes one. It goes into TURNSTONE_API_KEY or, over HTTP, into the header Authorization.';

/** The service tells the three kinds of 403 apart in words alone. */
const adviceOn = (status: number, message: string): string | undefined => {
  if (status === 401) return ANOTHER_KEY;
  if (status !== 403) return undefined;
  if (/ revoked\b/.test(message)) return ANOTHER_KEY;
  if (/ its own user\b/.test(message))
    return 'This API key is for one user alone: leave `user` out. If you named none, the person can take --user (TURNSTONE_MCP_USER) off this MCP server.';
  return 'This API key may not do that; a key with the role that is missing is made with `turnstone keys create NAME --roles …`.';
};

/** What the tools call the members of a request; the others have the same names. */
const ARGUMENTS: Record<string, string> = {
  q: 'question',
  top_k: 'limit',
  user_id: 'user',
  session_id: 'session',
};

/** `text of turn 1` of `['body', 'turns', 0, 'text']`: also a text alone is sent as a turn. */
const argumentOf = ([, ...path]: (string | number)[]): string => {
  const name = String(path.at(-1) ?? 'arguments');
  const ofTurn = path[0] === 'turns' && typeof path[1] === 'number' ? ` of turn ${path[1] + 1}` : '';
  return (ARGUMENTS[name] ?? name) + ofTurn;
};

const wrongArguments = (status: number, errors: NonNullable<Details['errors']>): string =>
  [
    `The server answered ${status}. This call stored, found and erased nothing; these arguments are wrong:`,
    ...errors.map(({ loc, message }) => `${argumentOf(loc)}: ${message}`),
  ].join('\n');

/**
 * What a model is told of a call that failed: what happened, what it means, and what the person can do. Undefined for a
 * mistake of ours, whose words are for the log alone.
 */
export const inWords = (error: unknown): string | undefined => {
  if (!isFailure(error)) return undefined;
  const answer = answerOf(error);
  if (answer === undefined)
    return error.exitStatus === EXIT.unavailable ? unreachable(error.message) : error.message;
  const { details } = (answer.body ?? {}) as { details?: Details | null };
  if (details?.error === 'quota_exceeded') return quotaInWords(error.message, details);
  if (details?.errors && answer.status < 500) return wrongArguments(answer.status, details.errors);
  const advice = adviceOn(answer.status, error.message);
  return advice ? `${error.message}\n${advice}` : error.message;
};

/** The words for a failed call, whatever failed: a mistake of ours is told to `log` alone. Throws for a cancelled call. */
export const wordsFor = (error: unknown, log: Log, signal: AbortSignal, what: object): string => {
  signal.throwIfAborted();
  const words = inWords(error);
  if (words === undefined) log.error({ ...what, err: error }, 'an mcp call failed');
  return words ?? 'The MCP server of Turnstone failed here; its log tells why.';
};
