import type { ChosenHit, NestedObservation } from '../../../../core/ports.ts';
import { localDay } from '../../../../domain/extraction/dates/calendar.ts';
import type { Explanation } from '../../../../domain/ranking/explain.ts';
import { type NewFragment, sourceTurnsOf } from '../../../../domain/search/fragment.ts';
import type {
  EntityHit,
  FragmentHit,
  HitExplanation,
  NestedObservationHit,
  ObservationHit,
  TurnHit,
} from '../../../../schemas/http/parts/hits.ts';
import type { RecallAnswer } from '../../../../schemas/http/recall.ts';
import { factFields } from '../../lists/facts/fact-fields.ts';
import { partInCharacters, wordsOfPart } from './part.ts';

/** Whole seconds without decimals; otherwise with milliseconds, the resolution of hits. */
const unixSeconds = (timestamp: number): string =>
  timestamp % 1_000 === 0 ? String(timestamp / 1_000) : (timestamp / 1_000).toFixed(3);

const explanationOf = ({ base, parts, factor }: Explanation): HitExplanation => ({
  base,
  parts: parts.map(({ feature, aspect, logOdds }) => ({ feature, aspect, log_odds: logOdds })),
  factor,
});

const offsetField = (utcOffset: number | undefined) => utcOffset !== undefined && { utc_offset: utcOffset };

/** The members that a hit and a feed item share, except the id. */
const commonFields = ({ timestamp, utcOffset, user, session }: NewFragment) => ({
  timestamp: unixSeconds(timestamp),
  ...offsetField(utcOffset),
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
  sourceTurnIds: string[] = sourceTurnsOf(observation),
  text = observation.text,
) => ({
  kind: 'observation' as const,
  ...commonFields(observation),
  text,
  source_turn_ids: sourceTurnIds,
  source: observation.source!,
});

export type Chosen<Kind extends ChosenHit['kind']> = Extract<ChosenHit, { kind: Kind }>;

/** The members that only a hit has. `content` repeats words of `text`, so it isn't billed. */
const hitFields = (hit: Chosen<'turn' | 'observation'>, content: string) => {
  const { fragment, score, explanation } = hit;
  const part = partInCharacters(hit);
  return {
    id: fragment.id,
    score,
    content,
    said_at: new Date(fragment.timestamp).toISOString(),
    ...(part && { part }),
    ...(explanation && { explanation: explanationOf(explanation) }),
  };
};

const noLongerFields = ({ noLonger }: Pick<Chosen<'turn'>, 'noLonger'>) =>
  noLonger && {
    superseded_by: noLonger.by,
    ...(noLonger.until !== undefined && { valid_until: new Date(noLonger.until).toISOString() }),
  };

const renderedTurn = ({ role, timestamp, utcOffset }: NewFragment, words: string): string =>
  `[${localDay(timestamp, utcOffset)}] [${role}] ${words}`;

const nestedHit = (one: NestedObservation): NestedObservationHit => ({
  id: one.fragment.id,
  text: one.fragment.text,
  source: one.fragment.source!,
  ...factFields(one.fragment.fact),
  ...noLongerFields(one),
  ...(one.disputedBy && { disputed_by: [...one.disputedBy] }),
});

const turnHit = (hit: Chosen<'turn'>, words: string): TurnHit => ({
  ...hitFields(hit, words),
  ...turnFields(hit.fragment, renderedTurn(hit.fragment, words)),
  ...noLongerFields(hit),
  ...(hit.observations && hit.observations.length > 0 && { observations: hit.observations.map(nestedHit) }),
  ...(hit.later !== undefined && { later: hit.later }),
});

/** The members of a turn or an observation in a receipt: the same words as in a hit. */
export const contentFields = (fragment: NewFragment, words: string) => ({
  text: fragment.kind === 'turn' ? renderedTurn(fragment, words) : words,
  content: words,
  said_at: new Date(fragment.timestamp).toISOString(),
  ...offsetField(fragment.utcOffset),
  user_id: fragment.user,
  session_id: fragment.session,
  ...(fragment.kind === 'turn' ? { role: fragment.role } : { source: fragment.source! }),
});

const observationHit = (hit: Chosen<'observation'>, words: string): ObservationHit => ({
  ...hitFields(hit, words),
  ...observationFields(hit.fragment, hit.sourceTurnIds, words),
  ...factFields(hit.fragment.fact),
  ...noLongerFields(hit),
  ...(hit.disputedBy && { disputed_by: [...hit.disputedBy] }),
});

export type Hit = FragmentHit | EntityHit;

/** `content` may be all of a text or its part: its length tells. */
const countKey = ({ id, part, content }: FragmentHit): string =>
  part ? `${id} ${part.from} ${content.length}` : id;

/**
 * The texts that a hit returns: its own, and those of the observations within it. A label has no key: it is
 * short, and may change.
 */
export const piecesOf = (hit: Hit): { key?: string; text: string }[] => {
  if (hit.kind === 'entity') return [{ text: hit.label }];
  const nested = hit.kind === 'turn' ? (hit.observations ?? []) : [];
  return [{ key: countKey(hit), text: hit.text }, ...nested.map(({ id, text }) => ({ key: id, text }))];
};

export const hitOf = (hit: ChosenHit, passages: boolean): Hit => {
  if (hit.kind === 'entity')
    return { id: hit.entity.id, label: hit.entity.label, score: hit.score, kind: 'entity' };
  const words = passages ? wordsOfPart(hit) : hit.fragment.text;
  return hit.kind === 'turn' ? turnHit(hit, words) : observationHit(hit, words);
};

export const byKind = (hits: readonly Hit[]): RecallAnswer['hits'] => ({
  turns: hits.filter(hit => hit.kind === 'turn'),
  observations: hits.filter(hit => hit.kind === 'observation'),
  entities: hits.filter(hit => hit.kind === 'entity'),
});
