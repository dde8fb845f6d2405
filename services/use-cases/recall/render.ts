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
import type { ChosenHit, StoredFragment } from '../../core/ports.ts';
import { countTokens } from '../../core/tokens/count.ts';
import { factFields } from '../lists/fact-fields.ts';

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

/** What only a hit has. `content` repeats words of `text`, so it isn't billed. */
const hitFields = ({ fragment, score, explanation }: Chosen<'turn' | 'observation'>) => ({
  id: fragment.id,
  score,
  content: fragment.text,
  said_at: new Date(fragment.timestamp).toISOString(),
  ...(explanation && { explanation: explanationOf(explanation) }),
});

const noLongerFields = ({ noLonger }: Chosen<'turn' | 'observation'>) =>
  noLonger && {
    superseded_by: noLonger.by,
    ...(noLonger.until !== undefined && { valid_until: new Date(noLonger.until).toISOString() }),
  };

const turnHit = (hit: Chosen<'turn'>): TurnHit => {
  const { role, text, timestamp } = hit.fragment;
  const day = new Date(timestamp).toISOString().slice(0, 10);
  return {
    ...hitFields(hit),
    ...turnFields(hit.fragment, `[${day}] [${role}] ${text}`),
    ...noLongerFields(hit),
  };
};

const observationHit = (hit: Chosen<'observation'>): ObservationHit => ({
  ...hitFields(hit),
  ...observationFields(hit.fragment, hit.sourceTurnIds),
  ...factFields(hit.fragment.fact),
  ...noLongerFields(hit),
});

/** The most cached token counts of rendered hits. They are keyed by id, since a fragment never changes. */
const MOST_COUNTED = 20_000;

export type Render = (
  chosen: readonly ChosenHit[],
  confidence: number,
  includeTimeline: boolean,
  count: (texts: readonly string[]) => Promise<readonly number[]>,
  /** What was extracted from the turns among the hits, for the timeline. */
  facts?: readonly StoredFragment[],
) => Promise<Pick<RecallAnswer, 'hits' | 'confidence' | 'timeline'> & { tokensOut: number }>;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Renders the response's body and counts the tokens of all text in it. */
export const makeRender = (): Render => {
  const counted = new Map<string, number>();

  const tokensOf = async (
    hits: readonly FragmentHit[],
    count: (texts: readonly string[]) => Promise<readonly number[]>,
  ): Promise<number> => {
    const known = hits.map(({ id }) => counted.get(id));
    const others = hits.filter((_, i) => known[i] === undefined);
    const counts = await count(others.map(({ text }) => text));
    if (counted.size + others.length > MOST_COUNTED) counted.clear();
    for (const [i, { id }] of others.entries()) counted.set(id, counts[i]!);
    return sum(counts) + sum(known.filter(tokens => tokens !== undefined));
  };

  return async (chosen, confidence, includeTimeline, count, facts = []) => {
    const { turns, observations, entities, events } = sorted(chosen);
    const summary = includeTimeline ? timeline(events, countTokens, facts.map(eventOf)) : null;
    const others = [...(summary === null ? [] : [summary]), ...entities.map(({ label }) => label)];
    const tokensOut = (await tokensOf([...turns, ...observations], count)) + sum(await count(others));
    return {
      hits: { turns, observations, entities },
      confidence: chosen.length === 0 ? 0 : confidence,
      timeline: summary,
      tokensOut,
    };
  };
};

const eventOf = (fragment: StoredFragment): TimelineHit => ({
  ...fragment,
  turnId: fragment.sourceTurnId ?? fragment.id,
});

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
    events.push(eventOf(fragment));
  }
  return { turns, observations, entities, events };
};
