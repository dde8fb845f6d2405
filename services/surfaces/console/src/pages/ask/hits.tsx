import type { ReactNode } from 'react';
import type { Explanation, Hit, ObservationHit, Recalled, TurnHit } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { chance, counted, date } from '../../words/numbers.ts';
import { turnPath } from '../explorer/crumbs.tsx';
import { MadeOf, widestOf } from './made.tsx';

const KIND_NAMES = { turn: 'turn', observation: 'fact', entity: 'name' } as const;

const MADE_BY = {
  client: 'Told by the client',
  rules: 'Found by rules',
  llm: 'Found by the language model',
} as const;

/** The service renders a turn as `[date] [role] words`; here date and speaker have places of their own. */
const ownWords = ({ text, role }: TurnHit): string => {
  const undated = text.replace(/^\[\d{4}-\d{2}-\d{2}\] /, '');
  const speaker = `[${role}] `;
  return undated.startsWith(speaker) ? undated.slice(speaker.length) : undated;
};

const saidOn = (hit: TurnHit | ObservationHit): string => date(Number(hit.timestamp) * 1000);

/** What somebody else has named is kept apart from the words around it, whose order it could turn otherwise. */
const Place = ({ hit: { user_id, session_id } }: { hit: TurnHit | ObservationHit }) => (
  <>
    <bdi>{user_id}</bdi> / <bdi>{session_id}</bdi>
  </>
);

const Made = ({ hit }: { hit: Hit }): ReactNode => {
  switch (hit.kind) {
    case 'turn':
      return (
        <>
          Said by <bdi>{hit.role}</bdi> on {saidOn(hit)} · <Place hit={hit} /> ·{' '}
          <Link href={turnPath(hit.user_id, hit.session_id, hit.id)}>in its conversation</Link>
        </>
      );
    case 'observation':
      return (
        <>
          {MADE_BY[hit.source]} in {counted(hit.source_turn_ids.length, 'turn')} of {saidOn(hit)} ·{' '}
          <Place hit={hit} /> ·{' '}
          {hit.source_turn_ids.map((id, index) => (
            <Link key={id} href={turnPath(hit.user_id, hit.session_id, id)}>
              {index === 0 ? 'the turn it comes from' : ` and ${index + 1}`}
            </Link>
          ))}
        </>
      );
    case 'entity':
      return <>Named by the best turns; its score comes from theirs.</>;
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
        A score is the estimated chance that a turn or a fact is part of the answer. Most answers stand in one
        or two turns, so most scores are small; the confidence above is about all hits together.
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
                  {hit.kind === 'turn' ? ownWords(hit) : hit.kind === 'observation' ? hit.text : hit.label}
                </p>
                <p className="muted">
                  <span className={`kind ${hit.kind}`}>{KIND_NAMES[hit.kind]}</span> <Made hit={hit} />
                </p>
              </div>
              <div className="score">
                <span className="hidden">Score </span>
                {chance(hit.score)}
                <div className="bar-meter" aria-hidden="true">
                  <div style={{ inlineSize: `${Math.min(hit.score, 1) * 100}%` }} />
                </div>
              </div>
              {explanation && <MadeOf explanation={explanation} rank={index + 1} widest={widest} />}
            </li>
          );
        })}
      </ol>
    </>
  );
};
