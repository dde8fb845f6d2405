import { timeline } from '../../projections/ranking/timeline.ts';
import type { StoredFragment } from '../ports.ts';
import type { EntityHit, FragmentHit, RecallAnswer } from '../use-cases.ts';
import type { ChosenHit } from './hits.ts';

const fragmentHit = (fragment: StoredFragment, score: number): FragmentHit => {
  const { id, kind, user, session, role, timestamp } = fragment;
  const common = {
    id,
    score,
    kind,
    timestamp: String(Math.floor(timestamp / 1000)),
    user_id: user,
    session_id: session,
  };
  return kind === 'turn'
    ? {
        ...common,
        text: `[${new Date(timestamp).toISOString().slice(0, 10)}] [${role}] ${fragment.text}`,
        role,
      }
    : { ...common, text: fragment.text, source_turn_ids: [fragment.sourceTurnId!], source: fragment.source! };
};

/** The answer's body, and the tokens of all text in it. */
export const render = (
  chosen: readonly ChosenHit[],
  confidence: number,
  includeTimeline: boolean,
  countTokens: (text: string) => number,
): Pick<RecallAnswer, 'hits' | 'confidence' | 'timeline'> & { tokensOut: number } => {
  const turns: FragmentHit[] = [];
  const observations: FragmentHit[] = [];
  const entities: EntityHit[] = [];
  const told = new Set(chosen.flatMap(hit => (hit.kind === 'turn' ? [hit.fragment.id] : [])));
  const events: { timestamp: number; text: string }[] = [];
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
    const { fragment, score } = hit;
    (hit.kind === 'turn' ? turns : observations).push(fragmentHit(fragment, score));
    // An observation of a turn that is told already would tell the same event twice.
    if (hit.kind === 'observation' && told.has(fragment.sourceTurnId!)) continue;
    events.push({
      timestamp: fragment.timestamp,
      text: hit.kind === 'turn' ? `${fragment.role}: ${fragment.text}` : fragment.text,
    });
  }
  const summary = includeTimeline ? timeline(events, countTokens) : null;
  const pieces = [...turns, ...observations].map(hit => hit.text);
  const texts = [...pieces, ...entities.map(hit => hit.label), ...(summary === null ? [] : [summary])];
  return {
    hits: { turns, observations, entities },
    confidence: chosen.length === 0 ? 0 : confidence,
    timeline: summary,
    tokensOut: texts.reduce((sum, text) => sum + countTokens(text), 0),
  };
};
