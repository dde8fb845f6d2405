import { answerOf } from '../cli/client.ts';
import { EXIT, isFailure } from '../cli/exit.ts';
import type { Log } from '../log.ts';

const DAY_MS = 86_400_000;

interface Details {
  error?: string;
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
  return [
    `${first} ${number(details.used)} of ${number(details.limit)} tokens of this day are used${until}.`,
    'This call stored and found nothing. Tell the person; trying again before then does not help.',
    ...hints.map(hint => hint.trim()),
  ].join('\n');
};

const unreachable = (message: string): string =>
  [
    `${message}. No Turnstone service could be reached, so memory can be neither asked nor written now.`,
    'The person can start one with `npm start` in a clone of Turnstone or with `turnstone serve`; TURNSTONE_URL names one that runs elsewhere.',
    'Go on without memory and say so; do not claim to have remembered or recalled anything.',
  ].join('\n');

const ADVICE: Record<number, string> = {
  401: 'Another API key is needed: `turnstone keys create NAME` makes one. It goes into TURNSTONE_API_KEY or, over HTTP, into the header Authorization.',
  403: 'This API key may not do that; a key with the role that is missing is made with `turnstone keys create NAME --roles …`.',
};

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
  const advice = ADVICE[answer.status];
  return advice ? `${error.message}\n${advice}` : error.message;
};

/** The words for a failed call, whatever failed: a mistake of ours is told to `log` alone. Throws for a cancelled call. */
export const wordsFor = (error: unknown, log: Log, signal: AbortSignal, what: object): string => {
  signal.throwIfAborted();
  const words = inWords(error);
  if (words === undefined) log.error({ ...what, err: error }, 'an mcp call failed');
  return words ?? 'The MCP server of Turnstone failed here; its log tells why.';
};
