/** Puts the turn first that says what holds now, where a question asks for that. */

import { passageAt } from '../../../../domain/language/passages.ts';
import { makeDecide, turnToRead } from '../../../../domain/ranking/present/decide.ts';
import { placesToRead, presentFirst } from '../../../../domain/ranking/present-first.ts';
import type { Read } from '../reader/start-reader.ts';
import { turnIdOf } from './held-ranking.ts';
import type { RankedCandidates } from './hits.ts';
import type { FactPorts } from './ranked-facts.ts';

/** The ranking of a question for the present, and what reading its best turns showed. */
export interface Present {
  ranking: RankedCandidates;
  /** Id of the turn that says what holds now; undefined where nothing is to decide. */
  now?: string;
  /** Ids of the turns that it replaces. */
  replaced: ReadonlySet<string>;
  /** Whether the reader should have taken part and did not. */
  isUnread: boolean;
}

const { describe, decide } = makeDecide();

/** Reads the best turns, and puts the one first that says what holds now. */
export const ofThePresent = async (
  { language, read }: Pick<FactPorts, 'language'> & { read?: Read | undefined },
  q: string,
  given: RankedCandidates,
  signal?: AbortSignal,
): Promise<Present> => {
  const { prepared, ranked, fragments } = given;
  const all = placesToRead(ranked);
  const texts = await fragments(all.map(place => ranked[place]!.candidate.key));
  // One that was erased meanwhile is found missing when the hits are chosen.
  const places = all.filter(place => texts.has(ranked[place]!.candidate.key));
  if (places.length < 2) return { ranking: given, replaced: new Set(), isUnread: false };
  const turns = places.map(place => {
    const one = ranked[place]!;
    const { text } = texts.get(one.candidate.key)!;
    const part = one.candidate.part && passageAt(text, one.candidate.part.index);
    return { one, text: part ? text.slice(part.from, part.to) : text };
  });
  const described = describe(language, prepared, turns);
  const readings = await read?.(q, described.map(turnToRead), signal);
  const { first, replaced } = decide(q, prepared, described, readings);
  const idAt = (i: number): string => turnIdOf(turns[i]!.one);
  return {
    ranking: { ...given, ranked: presentFirst(ranked, places, places[first]!) },
    now: idAt(first),
    replaced: new Set(replaced.map(idAt)),
    isUnread: read !== undefined && readings === undefined,
  };
};
