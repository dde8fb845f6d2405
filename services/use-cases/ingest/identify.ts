import type { KeyObject } from 'node:crypto';
import { nextLargeStep } from '../../../core/fairness/large-steps.ts';
import { makeTimeSlice } from '../../../core/fairness/yield-when-due.ts';
import { speakerLabel } from '../../../domain/extraction/speaker.ts';
import { turnId, writeId } from '../../../domain/identity/identity.ts';
import type { TurnExtras } from '../../../schemas/events/turns.ts';
import { factsOf, type SaidObservation, textsOf } from '../../../schemas/facts.ts';
import type { Turn } from '../../../schemas/http/ingestion.ts';
import { parseInstant, utcOffsetOf } from '../../../schemas/http/queries/instant.ts';

export interface IdentifiedTurn extends TurnExtras {
  id: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** From when a retention counts, where that isn't when it is recorded: Unix milliseconds. */
  keptFrom?: number | undefined;
  /** The tokens of the text, the observations and their facts. */
  tokens: number;
  observations: string[];
}

export interface IdentifiedWrite {
  /** The id without its prefix; `job_` and `enr_` denote its two tiers. */
  id: string;
  /** One per turn, in the request's order. */
  turnIds: string[];
  /** Each turn once, in the order of first occurrence. */
  turns: Map<string, IdentifiedTurn>;
}

/**
 * Derives the turns' ids from their content: two spellings of the same instant give the same turn. Throws the
 * signal's reason when it is aborted.
 */
export const identify = async (
  scope: { org: string; user: string; session: string },
  turns: readonly Turn[],
  identityKey: KeyObject,
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>,
  signal?: AbortSignal,
): Promise<IdentifiedWrite> => {
  const distinct = new Map<string, Omit<IdentifiedTurn, 'tokens'>>();
  const turnIds: string[] = [];
  const slice = makeTimeSlice(() => nextLargeStep(scope.org, signal));
  for (const { role, text, timestamp: written, observations } of turns) {
    const timestamp = parseInstant(written)!;
    const id = turnId(identityKey, { ...scope, role, text, timestamp });
    turnIds.push(id);
    const observed = (observations ?? []).map(each => observationOf(each, role));
    if (!distinct.has(id))
      distinct.set(id, {
        id,
        role,
        text,
        timestamp,
        observations: textsOf(observed),
        facts: factsOf(observed),
        utc_offset: utcOffsetOf(written),
      });
    const due = slice();
    if (due) await due;
  }
  return {
    id: writeId(identityKey, scope.org, scope.user, scope.session, turnIds),
    turnIds,
    turns: await withTokens([...distinct.values()], countTokens),
  };
};

export type SentObservation = Exclude<NonNullable<Turn['observations']>[number], string>;

/** An observation as it was sent. A fact without a subject is about the speaker. */
export const observationOf = (sent: string | SentObservation, role: string): SaidObservation => {
  if (typeof sent === 'string') return { text: sent };
  const {
    text,
    attribute,
    subject = speakerLabel(role),
    about,
    value = '',
    valid_from,
    ended,
    stance,
  } = sent;
  if (attribute === undefined) return { text };
  const from = valid_from === undefined ? undefined : new Date(parseInstant(valid_from)!).toISOString();
  return {
    text,
    fact: {
      subject,
      attribute,
      ...(about !== undefined && { about }),
      value,
      ...(from !== undefined && { valid_from: from }),
      ...(ended && { ended }),
      ...(stance && { stance }),
    },
  };
};

/** All words that are kept of a turn: its text, its observations and their facts. */
const wordsOf = ({
  text,
  observations,
  facts = {},
}: Pick<IdentifiedTurn, 'text' | 'observations' | 'facts'>): string[] => [
  text,
  ...observations,
  ...Object.values(facts).flatMap(({ subject, attribute, about = '', value }) => [
    subject,
    attribute,
    about,
    value,
  ]),
];

/**
 * Returns a number that the turns' tokens can't exceed, for a fraction of what counting them costs: no token
 * has less than a byte, and no UTF-16 unit more than three.
 */
export const mostTokensOf = (turns: readonly Turn[]): number => {
  let units = 0;
  for (const { role, text, observations = [] } of turns) {
    const observed = observations.map(each => observationOf(each, role));
    const words = wordsOf({ text, observations: textsOf(observed), facts: factsOf(observed) });
    for (const word of words) units += word.length;
  }
  return 3 * units;
};

/** Counts the words of all turns in one call. */
export const withTokens = async (
  turns: readonly Omit<IdentifiedTurn, 'tokens'>[],
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<Map<string, IdentifiedTurn>> => {
  const words = turns.map(wordsOf);
  const counts = await countTokens(words.flat());
  let at = 0;
  return new Map(
    turns.map((turn, i) => {
      const own = counts.slice(at, at + words[i]!.length);
      at += own.length;
      return [turn.id, { ...turn, tokens: own.reduce((sum, count) => sum + count, 0) }];
    }),
  );
};
