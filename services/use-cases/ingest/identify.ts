import type { KeyObject } from 'node:crypto';
import { turnId, writeId } from '../../../projections/recall/identity.ts';
import type { Turn } from '../../../schemas/http/ingestion.ts';
import { parseInstant } from '../../../schemas/http/instant.ts';
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

const textOf = (observation: NonNullable<Turn['observations']>[number]): string =>
  typeof observation === 'string' ? observation : observation.text;

/** The length of all texts and observations, in units of UTF-16. */
export const sizeOf = (turns: readonly Turn[]): number =>
  turns.reduce(
    (sum, { text, observations = [] }) =>
      observations.reduce((length, each) => length + textOf(each).length, sum + text.length),
    0,
  );

/** Derives the turns' ids from their content: two spellings of the same instant give the same turn. */
export const identify = async (
  place: { org: string; user: string; session: string },
  turns: readonly Turn[],
  identityKey: KeyObject,
  countTokens: (text: string) => number,
): Promise<IdentifiedWrite> => {
  const distinct = new Map<string, IdentifiedTurn>();
  const turnIds: string[] = [];
  const yieldWhenDue = makeYieldWhenDue();
  for (const { role, text, timestamp: written, observations } of turns) {
    const timestamp = parseInstant(written)!;
    const id = turnId(identityKey, { ...place, role, text, timestamp });
    turnIds.push(id);
    if (distinct.has(id)) continue;
    const observed = (observations ?? []).map(textOf);
    distinct.set(id, { id, role, text, timestamp, tokens: 0, observations: observed });
    let tokens = 0;
    for (const piece of [text, ...observed]) {
      tokens += countTokens(piece);
      await yieldWhenDue();
    }
    distinct.get(id)!.tokens = tokens;
  }
  return {
    id: writeId(identityKey, place.org, place.user, place.session, turnIds),
    turnIds,
    turns: distinct,
  };
};
