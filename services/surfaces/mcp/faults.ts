import { DAY_MS } from '../../../core/time.ts';
import type { Log } from '../../../core/watch/logger.ts';
import { answerOf } from '../client/client.ts';
import { EXIT, isFailure } from '../client/exit.ts';

interface Details {
  error?: string;
  errors?: { loc: (string | number)[]; message: string }[];
  used?: number;
  limit?: number;
  period_start?: string;
}

const number = (value: number | undefined): string => (value ?? 0).toLocaleString('en-US');

/** States which cap was reached, how much of it is used, when it resets, and who can raise it. */
const quotaInWords = (message: string, details: Details): string => {
  const [first = '', ...hints] = message.replace(/^the server answered 429: /, '').split('\n');
  const end = new Date(Date.parse(details.period_start ?? '') + DAY_MS);
  const until = Number.isNaN(end.getTime())
    ? ''
    : `, until ${end.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const left = (details.limit ?? 0) - (details.used ?? 0);
  const advice =
    left > 0
      ? `${number(left)} are left: a shorter call may still succeed, one of this length only after that time. Tell the person.`
      : 'Tell the person; retrying before that time does not help.';
  return [
    `${first} ${number(details.used)} of ${number(details.limit)} tokens of this day have been used${until}.`,
    `This call had no effect. ${advice}`,
    ...hints.map(hint => hint.trim()),
  ].join('\n');
};

const unreachable = (message: string): string =>
  [
    `${message}. The Turnstone service is unreachable, so memory can be neither read nor written now.`,
    'The person can start one with `npm start` in a clone of Turnstone or with `turnstone serve`; TURNSTONE_URL names one that runs elsewhere.',
    'Continue without memory and say so; do not claim to have remembered or recalled anything.',
  ].join('\n');

const ANOTHER_KEY =
  'Another API key is needed: `turnstone keys create NAME` creates one. Put it into TURNSTONE_API_KEY or, over HTTP, into the header X-API-Key.';

/** The service distinguishes three kinds of 403 only by their messages. */
const adviceOn = (status: number, message: string): string | undefined => {
  if (status === 401) return ANOTHER_KEY;
  if (status !== 403) return undefined;
  if (/ revoked\b/.test(message)) return ANOTHER_KEY;
  if (/ its own user\b/.test(message))
    return 'This API key is for one user only: leave `user` out. If you named none, the person can remove --user (TURNSTONE_MCP_USER) from this MCP server.';
  return 'This API key is not allowed to do that; `turnstone keys create NAME --roles …` creates one with the missing role.';
};

/** The tools' names for members of a request; other members have the same names. */
const ARGUMENTS: Record<string, string> = {
  q: 'question',
  top_k: 'limit',
  user_id: 'user',
  session_id: 'session',
  valid_from: 'since',
};

/** Returns `text of turn 1` for `['body', 'turns', 0, 'text']`; a single text is also sent as a turn. */
const argumentOf = ([, ...path]: (string | number)[]): string => {
  const name = String(path.at(-1) ?? 'arguments');
  const ofTurn = path[0] === 'turns' && typeof path[1] === 'number' ? ` of turn ${path[1] + 1}` : '';
  return (ARGUMENTS[name] ?? name) + ofTurn;
};

const wrongArguments = (status: number, errors: NonNullable<Details['errors']>): string =>
  [
    `The server answered ${status}. This call had no effect; these arguments are wrong:`,
    ...errors.map(({ loc, message }) => `${argumentOf(loc)}: ${message}`),
  ].join('\n');

/**
 * Describes a failed call to a model: what happened, what it means, and what the person can do. Undefined for
 * an internal error, which is only logged.
 */
export const inWords = (error: unknown): string | undefined => {
  if (!isFailure(error)) return undefined;
  const answer = answerOf(error);
  // The other lines are for people at a command line.
  const [message = ''] = error.message.split('\n');
  if (answer === undefined)
    return error.exitStatus === EXIT.unavailable ? unreachable(message) : error.message;
  const details = answer.details as Details | null;
  if (details?.error === 'quota_exceeded') return quotaInWords(error.message, details);
  if (details?.errors && answer.status < 500) return wrongArguments(answer.status, details.errors);
  const advice = adviceOn(answer.status, message);
  return advice ? `${message}\n${advice}` : error.message;
};

/** Describes any failed call; details of an internal error are only logged. Throws for a cancelled call. */
export const wordsFor = (error: unknown, log: Log, signal: AbortSignal, what: object): string => {
  signal.throwIfAborted();
  const words = inWords(error);
  if (words === undefined) log.error({ ...what, err: error }, 'an mcp call failed');
  return words ?? "An internal error of Turnstone's MCP server; see its log.";
};
