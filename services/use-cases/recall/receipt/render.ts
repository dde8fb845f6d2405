import type { ChosenHit, StoredFragment } from '../../../../core/ports.ts';
import { countTokens } from '../../../../core/tokens/count.ts';
import { contextOf } from '../../../../domain/context/context.ts';
import type { HeldFact, SaidPiece } from '../../../../domain/context/pieces.ts';
import { withinTokens } from '../../../../domain/context/within-tokens.ts';
import { type TimelineHit, timeline } from '../../../../domain/ranking/timeline/timeline.ts';
import type { RecallAnswer } from '../../../../schemas/http/recall.ts';
import { byKind, type Chosen, type Hit, hitOf, piecesOf } from './hit.ts';
import { leftOut, wordsOfPart } from './part.ts';

/**
 * The most cached token counts of rendered hits. They are keyed by id and part, since a fragment never
 * changes.
 */
const MOST_COUNTED = 20_000;

/** The results of a search, best first. */
export interface Found {
  chosen: readonly ChosenHit[];
  /** The hits that a context may quote. */
  quoted: readonly ChosenHit[];
  holds: readonly HeldFact[];
  confidence: number;
  /** The observations extracted from the turns among the hits, for the timeline. */
  facts?: readonly StoredFragment[] | undefined;
}

/** How much of the results is returned. */
export interface Returned {
  minScore: number;
  /** The most tokens of all hits together. */
  maxTokens: number;
  /** Whether a long hit is its part alone. */
  passages: boolean;
  includeHits: boolean;
  includeTimeline: boolean;
  /** Tokens of the context; undefined without one. */
  contextTokens: number | undefined;
}

/** A hit of the answer, or one that only its context or its timeline was made of. */
export interface UsedHit {
  hit: ChosenHit;
  used_in: 'hits' | 'context';
}

type Count = (texts: readonly string[]) => Promise<readonly number[]>;

export type Render = (
  found: Found,
  returned: Returned,
  count: Count,
) => Promise<
  Pick<RecallAnswer, 'hits' | 'confidence' | 'timeline' | 'context'> & {
    tokensOut: number;
    fromTail: number;
    used: UsedHit[];
  }
>;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Renders the response's body and counts the tokens of all text in it. */
export const makeRender = (): Render => {
  const counted = new Map<string, number>();

  /** The tokens of each hit, with the observations within it. */
  const tokensOf = async (hits: readonly Hit[], count: Count): Promise<number[]> => {
    const pieces = hits.flatMap((hit, of) => piecesOf(hit).map(piece => ({ ...piece, of })));
    const others = pieces.filter(({ key }) => key === undefined || !counted.has(key));
    const counts = await count(others.map(({ text }) => text));
    const fresh = new Map(others.map((piece, i) => [piece, counts[i]!]));
    const tokens = hits.map(() => 0);
    for (const piece of pieces) tokens[piece.of]! += fresh.get(piece) ?? counted.get(piece.key!)!;
    if (counted.size + others.length > MOST_COUNTED) counted.clear();
    for (const [{ key }, n] of fresh) if (key !== undefined) counted.set(key, n);
    return tokens;
  };

  return async ({ chosen, quoted, holds, confidence, facts = [] }, wanted, count) => {
    const isWanted = ({ score }: ChosenHit): boolean => score >= wanted.minScore;
    const first = chosen.filter(isWanted).map(hit => ({ hit, shown: hitOf(hit, wanted.passages) }));
    const tokens = wanted.includeHits
      ? await tokensOf(
          first.map(({ shown }) => shown),
          count,
        )
      : [];
    const kept = withinTokens(tokens, wanted.includeHits ? wanted.maxTokens : 0);
    const listed = kept.map(at => first[at]!);
    // Without hits the timeline is of those that would be there.
    const told = wanted.includeHits ? listed : first;
    const summary = wanted.includeTimeline
      ? timelineOf(
          told.map(({ hit }) => hit),
          facts,
        )
      : null;
    const context =
      wanted.contextTokens === undefined
        ? null
        : contextOf(
            { holds, said: quoted.filter(isWanted).flatMap(saidOf) },
            wanted.contextTokens,
            countTokens,
          );
    const others = [summary, context].filter(text => text !== null);
    const used = usedIn(
      told.map(({ hit }) => hit),
      wanted.contextTokens === undefined ? [] : quoted.filter(isWanted),
      wanted.includeHits,
    );
    return {
      used,
      fromTail: told.filter(({ hit }) => hit.kind !== 'entity' && hit.fragment.isWaiting).length,
      hits: byKind(listed.map(({ shown }) => shown)),
      confidence: first.length === 0 ? 0 : confidence,
      timeline: summary,
      context,
      tokensOut: sum(kept.map(at => tokens[at]!)) + sum(await count(others)),
    };
  };
};

const idOf = (hit: ChosenHit): string => (hit.kind === 'entity' ? hit.entity.id : hit.fragment.id);

const usedIn = (told: readonly ChosenHit[], quoted: readonly ChosenHit[], areHits: boolean): UsedHit[] => {
  const known = new Set(told.map(idOf));
  return [
    ...told.map(hit => ({ hit, used_in: areHits ? ('hits' as const) : ('context' as const) })),
    ...quoted.filter(hit => !known.has(idOf(hit))).map(hit => ({ hit, used_in: 'context' as const })),
  ];
};

/** A fragment as an event of a timeline. */
const eventOf = (fragment: StoredFragment, text = fragment.text): TimelineHit => ({
  ...fragment,
  text,
  turnId: fragment.sourceTurnId ?? fragment.id,
});

const byText = (a: StoredFragment, b: StoredFragment): number =>
  a.timestamp - b.timestamp || (a.text < b.text ? -1 : 1);

const timelineOf = (hits: readonly ChosenHit[], facts: readonly StoredFragment[]): string | null => {
  const events = hits.flatMap(hit =>
    hit.kind === 'entity' ? [] : [eventOf(hit.fragment, wordsOfPart(hit))],
  );
  const turns = new Set(events.map(({ turnId }) => turnId));
  // Their ids differ between installations.
  const known = facts.filter(({ sourceTurnId }) => turns.has(sourceTurnId!)).sort(byText);
  return timeline(
    events,
    countTokens,
    known.map(fact => eventOf(fact)),
  );
};

/** The words of a hit that a context may quote. */
const saidOf = (hit: ChosenHit): SaidPiece[] =>
  hit.kind === 'entity'
    ? []
    : [
        {
          ...hit.fragment,
          text: wordsOfPart(hit),
          score: hit.score,
          leftOut: leftOut(hit),
          turnIds: hit.kind === 'turn' ? [hit.fragment.id] : writesOf(hit),
        },
      ];

/**
 * The ids of the writes that state an observation, with or without a turn. A context deduplicates by them: a
 * current fact and its source appear once.
 */
const writesOf = ({ fragment, sourceTurnIds }: Chosen<'observation'>): string[] => [
  ...new Set([...sourceTurnIds, fragment.sourceTurnId!]),
];
