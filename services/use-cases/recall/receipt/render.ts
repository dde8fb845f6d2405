import type { ChosenHit, StoredFragment } from '../../../../core/ports.ts';
import { countTokens } from '../../../../core/tokens/count.ts';
import { contextOf } from '../../../../domain/context/context.ts';
import type { HeldFact, SaidPiece } from '../../../../domain/context/pieces.ts';
import { inQuotes } from '../../../../domain/context/quote.ts';
import { withinTokens } from '../../../../domain/context/within-tokens.ts';
import { cleanLine, type TimelineHit, timeline } from '../../../../domain/ranking/timeline/timeline.ts';
import type { RecallAnswer } from '../../../../schemas/http/recall.ts';
import { byKind, type Chosen, type Hit, hitOf, piecesOf } from './hit.ts';
import { leftOut, wordsOfPart } from './part.ts';
import { idOf, type UsedHit, usedIn } from './used.ts';

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

type Count = (texts: readonly string[]) => Promise<readonly number[]>;

export type Render = (
  found: Found,
  returned: Returned,
  count: Count,
) => Promise<
  Pick<RecallAnswer, 'hits' | 'confidence' | 'timeline' | 'context'> & {
    tokensOut: number;
    fromTail: number;
    /** For a receipt, which alone asks: finding the quoted words again takes milliseconds. */
    used: () => UsedHit[];
    /** The current facts that the context states. */
    stated: readonly HeldFact[];
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
      : undefined;
    const context =
      wanted.contextTokens === undefined
        ? undefined
        : contextWithin(wanted.contextTokens, holds, quoted.filter(isWanted));
    const others = [summary?.text, context?.text].filter(text => text !== undefined);
    return {
      used: () =>
        usedIn(
          listed.map(({ hit }) => hit),
          [...(context?.quoted ?? []), ...(summary?.quoted ?? [])],
        ),
      stated: context?.facts ?? [],
      fromTail: told.filter(({ hit }) => hit.kind !== 'entity' && hit.fragment.isWaiting).length,
      hits: byKind(listed.map(({ shown }) => shown)),
      confidence: first.length === 0 ? 0 : confidence,
      timeline: summary?.text ?? null,
      context: context?.text ?? null,
      tokensOut: sum(kept.map(at => tokens[at]!)) + sum(await count(others)),
    };
  };
};

/** A fragment as an event of a timeline. */
const eventOf = (fragment: StoredFragment, text = fragment.text): TimelineHit => ({
  ...fragment,
  text,
  turnId: fragment.sourceTurnId ?? fragment.id,
});

const byText = (a: StoredFragment, b: StoredFragment): number =>
  a.timestamp - b.timestamp || (a.text < b.text ? -1 : 1);

const timelineOf = (hits: readonly ChosenHit[], facts: readonly StoredFragment[]) => {
  const fragments = hits.filter(hit => hit.kind !== 'entity');
  const events = fragments.map(hit => eventOf(hit.fragment, wordsOfPart(hit)));
  const turns = new Map(events.map(({ turnId }, n) => [turnId, fragments[n]!.score]));
  // Their ids differ between installations.
  const known = facts.filter(({ sourceTurnId }) => turns.has(sourceTurnId!)).sort(byText);
  const told = timeline(
    events,
    countTokens,
    known.map(fact => eventOf(fact)),
  );
  const ofFacts = known.map((fragment): ChosenHit => {
    const turnId = fragment.sourceTurnId!;
    const score = turns.get(turnId)!;
    return { kind: 'observation', score, explanation: undefined, fragment, sourceTurnIds: [turnId] };
  });
  const byId = new Map([...ofFacts, ...fragments].map(hit => [idOf(hit), hit]));
  return (
    told && {
      text: told.text,
      quoted: told.told.map(({ id, words }) => ({ hit: byId.get(id!)!, words, clean: cleanLine })),
    }
  );
};

const contextWithin = (tokens: number, holds: readonly HeldFact[], quoted: readonly ChosenHit[]) => {
  const said = new Map(quoted.flatMap(hit => saidOf(hit).map(piece => [piece, hit] as const)));
  const context = contextOf({ holds, said: [...said.keys()] }, tokens, countTokens);
  return (
    context && {
      ...context,
      quoted: context.said.map(({ piece, words }) => ({ hit: said.get(piece)!, words, clean: inQuotes })),
    }
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
