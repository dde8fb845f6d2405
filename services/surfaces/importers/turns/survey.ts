import { createHash } from 'node:crypto';
import { speakerLabel } from '../../../../domain/extraction/speaker.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { fittedTitle } from './fit.ts';
import type { Faulty, Found, FoundTurn } from './found.ts';

/** The content of an export, as it would be sent. */
export interface Survey {
  conversations: number;
  turns: number;
  /** Turns that occur more than once in the file; they are stored and billed once. */
  repeated: number;
  /** Turns by role, most turns first. */
  speakers: [role: string, turns: number][];
  /** The users that the turns name; undefined: none. */
  users: (string | undefined)[];
  /** Unix milliseconds; undefined if there is no turn. */
  first: number | undefined;
  last: number | undefined;
  /** Reasons with their counts, largest first. */
  leftOut: [reason: string, count: number][];
  renamed: number;
  split: number;
  /** The cost if nothing is stored yet; undefined unless requested. */
  tokens: number | undefined;
}

const byCount = (counts: Map<string, number>): [string, number][] => [...counts].sort((a, b) => b[1] - a[1]);

/**
 * Returns a turn's identity as the service defines it. Only 16 bytes of the hash are kept, so that half a
 * million take little memory.
 */
const identityOf = ({ user, session, turn }: FoundTurn): string =>
  createHash('sha256')
    .update(JSON.stringify([user, session, turn.role, turn.text, parseInstant(turn.timestamp)]))
    .digest('base64url')
    .slice(0, 22);

interface Observed {
  text: string;
  attribute?: string;
  subject?: string;
  about?: string;
  value?: string;
}

/** Returns the words of a turn that are billed: its text, its observations, and what their facts say. */
const wordsOf = ({ role, text, observations = [] }: FoundTurn['turn']): string[] => [
  text,
  // Their form was checked.
  ...(observations as (string | Observed)[]).flatMap(each => {
    if (typeof each === 'string') return [each];
    const { attribute, subject = speakerLabel(role), about = '', value = '' } = each;
    return attribute === undefined ? [each.text] : [each.text, subject, attribute, about, value];
  }),
];

/** Reads the whole export. `onFault` is called for items that can't be imported, `onTurn` for each turn. */
export const survey = async (
  all: AsyncIterable<Found>,
  options: { withTokens: boolean; onFault: (fault: Faulty) => void; onTurn?: () => void },
): Promise<Survey> => {
  // Imported on demand, since the vocabulary is slow to load.
  const count = options.withTokens
    ? (await import('../../../../core/tokens/count.ts')).countTokens
    : undefined;
  const conversations = new Set<string>();
  const identities = new Set<string>();
  const users = new Set<string | undefined>();
  const speakers = new Map<string, number>();
  const leftOut = new Map<string, number>();
  const sum = { turns: 0, renamed: 0, split: 0, tokens: 0 };
  let first: number | undefined;
  let last: number | undefined;

  for await (const found of all) {
    if ('leftOut' in found) leftOut.set(found.leftOut, (leftOut.get(found.leftOut) ?? 0) + found.count);
    else if ('faults' in found) options.onFault(found);
    else {
      const { turn, user, session, changes = [] } = found;
      sum.turns++;
      options.onTurn?.();
      const conversation = JSON.stringify([user, session]);
      const title = conversations.has(conversation) ? undefined : fittedTitle(found);
      if (count && title !== undefined) sum.tokens += count(title);
      conversations.add(conversation);
      users.add(user);
      speakers.set(turn.role, (speakers.get(turn.role) ?? 0) + 1);
      for (const change of changes) sum[change]++;
      const at = parseInstant(turn.timestamp)!;
      first = Math.min(at, first ?? at);
      last = Math.max(at, last ?? at);
      const identity = identityOf(found);
      if (count && !identities.has(identity)) for (const words of wordsOf(turn)) sum.tokens += count(words);
      identities.add(identity);
    }
  }
  return {
    ...sum,
    tokens: count && sum.tokens,
    conversations: conversations.size,
    repeated: sum.turns - identities.size,
    speakers: byCount(speakers),
    users: [...users],
    first,
    last,
    leftOut: byCount(leftOut),
  };
};
