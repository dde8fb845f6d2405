import type { Explanation } from '../../../projections/ranking/explain.ts';
import { type TimelineHit, timeline } from '../../../projections/ranking/timeline.ts';
import type { NewFragment } from '../../../projections/recall/fragment.ts';
import type {
  EntityHit,
  FragmentHit,
  HitExplanation,
  ObservationHit,
  TurnHit,
} from '../../../schemas/http/hits.ts';
import type { RecallAnswer } from '../../../schemas/http/recall.ts';
import type { ChosenHit } from '../../core/ports.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';

/** Whole seconds without decimals; otherwise with milliseconds, the resolution of hits. */
const unixSeconds = (timestamp: number): string =>
  timestamp % 1_000 === 0 ? String(timestamp / 1_000) : (timestamp / 1_000).toFixed(3);

const explanationOf = ({ base, parts, factor }: Explanation): HitExplanation => ({
  base,
  parts: parts.map(({ feature, aspect, logOdds }) => ({ feature, aspect, log_odds: logOdds })),
  factor,
});

/** The members that a hit and a feed item share, except the id. */
const commonFields = ({ timestamp, user, session }: NewFragment) => ({
  timestamp: unixSeconds(timestamp),
  user_id: user,
  session_id: session,
});

export const turnFields = (turn: NewFragment, text = turn.text) => ({
  kind: 'turn' as const,
  ...commonFields(turn),
  text,
  role: turn.role,
});

export const observationFields = (
  observation: NewFragment,
  sourceTurnIds: string[] = [observation.sourceTurnId!],
) => ({
  kind: 'observation' as const,
  ...commonFields(observation),
  text: observation.text,
  source_turn_ids: sourceTurnIds,
  source: observation.source!,
});

type Chosen<Kind extends ChosenHit['kind']> = Extract<ChosenHit, { kind: Kind }>;

const ranking = ({ fragment, score, explanation }: Chosen<'turn' | 'observation'>) => ({
  id: fragment.id,
  score,
  ...(explanation && { explanation: explanationOf(explanation) }),
});

const turnHit = (hit: Chosen<'turn'>): TurnHit => {
  const { role, text, timestamp } = hit.fragment;
  const day = new Date(timestamp).toISOString().slice(0, 10);
  return { ...ranking(hit), ...turnFields(hit.fragment, `[${day}] [${role}] ${text}`) };
};

const observationHit = (hit: Chosen<'observation'>): ObservationHit => ({
  ...ranking(hit),
  ...observationFields(hit.fragment, hit.sourceTurnIds),
});

/** The most cached token counts of rendered hits. They are keyed by id, since a fragment never changes. */
const MOST_COUNTED = 20_000;

export type Render = (
  chosen: readonly ChosenHit[],
  confidence: number,
  includeTimeline: boolean,
) => Promise<Pick<RecallAnswer, 'hits' | 'confidence' | 'timeline'> & { tokensOut: number }>;

/** Renders the response's body and counts the tokens of all text in it. */
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
    const yieldWhenDue = makeYieldWhenDue();
    let tokensOut = summary === null ? 0 : countTokens(summary);
    for (const { label } of entities) tokensOut += countTokens(label);
    for (const hit of [...turns, ...observations]) {
      tokensOut += countHit(hit);
      await yieldWhenDue();
    }
    return {
      hits: { turns, observations, entities },
      confidence: chosen.length === 0 ? 0 : confidence,
      timeline: summary,
      tokensOut,
    };
  };
};

/** Splits the list by kind, and collects the hits that a timeline may list. */
const sorted = (chosen: readonly ChosenHit[]) => {
  const turns: TurnHit[] = [];
  const observations: ObservationHit[] = [];
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
    if (hit.kind === 'turn') turns.push(turnHit(hit));
    else observations.push(observationHit(hit));
    events.push({ ...fragment, turnId: fragment.sourceTurnId ?? fragment.id });
  }
  return { turns, observations, entities, events };
};
