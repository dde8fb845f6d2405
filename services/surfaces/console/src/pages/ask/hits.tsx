import type { ReactNode } from 'react';
import type { Explanation, Hit, ObservationHit, Recalled, TurnHit } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { chance, counted, date } from '../../words/numbers.ts';
import { turnPath } from '../explorer/crumbs.tsx';
import { ScoreBreakdown, widestOf } from './score-breakdown.tsx';

const KIND_NAMES = { turn: 'turn', observation: 'fact', entity: 'name' } as const;

const SOURCES = {
  client: 'Supplied by the client',
  rules: 'Extracted by rules',
  llm: 'Extracted by the language model',
} as const;

const saidOn = (hit: TurnHit | ObservationHit): string => date(Number(hit.timestamp) * 1000);

/** Isolates stored names, so that their direction can't reorder the text around them. */
const Place = ({ hit: { user_id, session_id } }: { hit: TurnHit | ObservationHit }) => (
  <>
    <bdi>{user_id}</bdi> / <bdi>{session_id}</bdi>
  </>
);

const Source = ({ hit }: { hit: Hit }): ReactNode => {
  switch (hit.kind) {
    case 'turn':
      return (
        <>
          Said by <bdi>{hit.role}</bdi> on {saidOn(hit)} · <Place hit={hit} /> ·{' '}
          <Link href={turnPath(hit.user_id, hit.session_id, hit.id)}>Open conversation</Link>
        </>
      );
    case 'observation':
      return (
        <>
          {SOURCES[hit.source]} from {counted(hit.source_turn_ids.length, 'turn')} on {saidOn(hit)} ·{' '}
          <Place hit={hit} /> ·{' '}
          {hit.source_turn_ids.map((id, index) => (
            <Link key={id} href={turnPath(hit.user_id, hit.session_id, id)}>
              {index === 0 ? 'Show source turn' : ` and ${index + 1}`}
            </Link>
          ))}
        </>
      );
    case 'entity':
      return <>Named in the best turns, and scored by them.</>;
  }
};

const explanationOf = (hit: Hit): Explanation | undefined =>
  hit.kind === 'entity' ? undefined : hit.explanation;

export const Hits = ({ hits }: { hits: Recalled['hits'] }) => {
  const ranked: Hit[] = [...hits.turns, ...hits.observations, ...hits.entities].sort(
    (a, b) => b.score - a.score,
  );
  const widest = widestOf(ranked.map(explanationOf).filter(one => one !== undefined));
  return (
    <>
      <p className="muted">
        A score is the estimated probability that a turn or a fact is part of the answer. Most answers are in
        one or two turns, so most scores are low; the confidence above is about all hits together.
      </p>
      <ol className="hits">
        {ranked.map((hit, index) => {
          const explanation = explanationOf(hit);
          return (
            <li key={`${hit.kind} ${hit.id}`} className="card">
              <div className="rank" aria-hidden="true">
                {index + 1}
              </div>
              <div>
                <p className="said" dir="auto">
                  {hit.kind === 'entity' ? hit.label : hit.content}
                </p>
                <p className="muted">
                  <span className={`kind ${hit.kind}`}>{KIND_NAMES[hit.kind]}</span> <Source hit={hit} />
                </p>
              </div>
              <div className="score">
                <span className="hidden">Score </span>
                {chance(hit.score)}
                <div className="bar-meter" aria-hidden="true">
                  <div style={{ inlineSize: `${Math.min(hit.score, 1) * 100}%` }} />
                </div>
              </div>
              {explanation && <ScoreBreakdown explanation={explanation} rank={index + 1} widest={widest} />}
            </li>
          );
        })}
      </ol>
    </>
  );
};
