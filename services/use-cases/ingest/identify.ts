import type { KeyObject } from 'node:crypto';
import { turnId, writeId } from '../../../projections/recall/identity.ts';
import type { Turn } from '../../../schemas/http/ingestion.ts';
import { parseInstant } from '../../../schemas/http/instant.ts';
import { nextLargeStep } from '../../core/large-steps.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';

export interface IdentifiedTurn {
  id: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** Of the text and the observations. */
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
 * Derives the turns' ids from their content: two spellings of the same instant give the same turn. Throws the signal's
 * reason when it is aborted.
 */
export const identify = async (
  place: { org: string; user: string; session: string },
  turns: readonly Turn[],
  identityKey: KeyObject,
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>,
  signal?: AbortSignal,
): Promise<IdentifiedWrite> => {
  const distinct = new Map<string, Omit<IdentifiedTurn, 'tokens'>>();
  const turnIds: string[] = [];
  const yieldWhenDue = makeYieldWhenDue(() => nextLargeStep(place.org, signal));
  for (const { role, text, timestamp: written, observations } of turns) {
    const timestamp = parseInstant(written)!;
    const id = turnId(identityKey, { ...place, role, text, timestamp });
    turnIds.push(id);
    const observed = (observations ?? []).map(each => (typeof each === 'string' ? each : each.text));
    if (!distinct.has(id)) distinct.set(id, { id, role, text, timestamp, observations: observed });
    await yieldWhenDue();
  }
  return {
    id: writeId(identityKey, place.org, place.user, place.session, turnIds),
    turnIds,
    turns: await withTokens([...distinct.values()], countTokens),
  };
};

/** Counts the texts of all turns in one call. */
const withTokens = async (
  turns: readonly Omit<IdentifiedTurn, 'tokens'>[],
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<Map<string, IdentifiedTurn>> => {
  const counts = await countTokens(turns.flatMap(({ text, observations }) => [text, ...observations]));
  let at = 0;
  return new Map(
    turns.map(turn => {
      const own = counts.slice(at, at + 1 + turn.observations.length);
      at += own.length;
      return [turn.id, { ...turn, tokens: own.reduce((sum, count) => sum + count, 0) }];
    }),
  );
};
