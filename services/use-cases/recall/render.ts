import type { Explanation } from '../../../projections/ranking/explain.ts';
import { type TimelineHit, timeline } from '../../../projections/ranking/timeline.ts';
import type { NewFragment } from '../../../projections/recall/fragment.ts';
import type { ChosenHit } from '../../core/ports.ts';
import type { EntityHit, FragmentHit, HitExplanation, RecallAnswer } from '../../core/use-cases.ts';
import { makeBreathe } from '../../core/yield-when-due.ts';

/** Whole seconds if it is one; otherwise with milliseconds, the resolution of hits. */
const unixSeconds = (timestamp: number): string =>
  timestamp % 1_000 === 0 ? String(timestamp / 1_000) : (timestamp / 1_000).toFixed(3);

const explanationOf = ({ base, parts, factor }: Explanation): HitExplanation => ({
  base,
  parts: parts.map(({ feature, aspect, logOdds }) => ({ feature, aspect, log_odds: logOdds })),
  factor,
});

/** The members that a hit and an item of the feed share, but for the id. */
export const fragmentFields = (
  fragment: NewFragment,
  text: string,
  sourceTurnIds: string[] = [fragment.sourceTurnId!],
): Omit<FragmentHit, 'id' | 'score' | 'explanation'> => {
  const { kind, timestamp, user, session, role, source } = fragment;
  return {
    kind,
    timestamp: unixSeconds(timestamp),
    user_id: user,
    session_id: session,
    text,
    ...(kind === 'turn' ? { role } : { source_turn_ids: sourceTurnIds, source: source! }),
  };
};

const fragmentHit = (hit: Exclude<ChosenHit, { kind: 'entity' }>): FragmentHit => {
  const { fragment, score, explanation } = hit;
  const { id, role, text, timestamp } = fragment;
  const fields =
    hit.kind === 'turn'
      ? fragmentFields(fragment, `[${new Date(timestamp).toISOString().slice(0, 10)}] [${role}] ${text}`)
      : fragmentFields(fragment, text, hit.sourceTurnIds);
  return { id, score, ...fields, ...(explanation && { explanation: explanationOf(explanation) }) };
};

/** Tokens of rendered hits by their id: a fragment never changes, so its hit is counted once. */
const MOST_COUNTED = 20_000;

export type Render = (
  chosen: readonly ChosenHit[],
  confidence: number,
  includeTimeline: boolean,
) => Promise<Pick<RecallAnswer, 'hits' | 'confidence' | 'timeline'> & { tokensOut: number }>;

/** The answer's body, and the tokens of all text in it. */
export const makeRender = (countTokens: (text: string) => number): Render => {
  const counted = new Map<string, number>();
  const countHit = ({ id, text }: FragmentHit): number => {
    let tokens = counted.get(id);
    if (tokens === undefined) {
      tokens = countTokens(text);
      if (counted.size >= MOST_COUNTED) counted.clear();
      counted.set(id, tokens);
    }
    return tokens;
  };

  return async (chosen, confidence, includeTimeline) => {
    const { turns, observations, entities, events } = sorted(chosen);
    const summary = includeTimeline ? timeline(events, countTokens) : null;
    const breathe = makeBreathe();
    let tokensOut = summary === null ? 0 : countTokens(summary);
    for (const { label } of entities) tokensOut += countTokens(label);
    for (const hit of [...turns, ...observations]) {
      tokensOut += countHit(hit);
      await breathe();
    }
    return {
      hits: { turns, observations, entities },
      confidence: chosen.length === 0 ? 0 : confidence,
      timeline: summary,
      tokensOut,
    };
  };
};

/** The one list by kind, and the hits that a timeline may list. */
const sorted = (chosen: readonly ChosenHit[]) => {
  const turns: FragmentHit[] = [];
  const observations: FragmentHit[] = [];
  const entities: EntityHit[] = [];
  const events: TimelineHit[] = [];
  for (const hit of chosen) {
    if (hit.kind === 'entity') {
      entities.push({
        id: hit.entity.id,
        label: hit.entity.label,
        score: hit.score,
        kind: 'entity',
      });
      continue;
    }
    const { fragment } = hit;
    (hit.kind === 'turn' ? turns : observations).push(fragmentHit(hit));
    events.push({ ...fragment, turnId: fragment.sourceTurnId ?? fragment.id });
  }
  return { turns, observations, entities, events };
};
