import { type ReactNode, useState } from 'react';
import type { Explanation, Hit, ObservationHit, Recalled, TurnHit } from '../../../api/types.ts';
import { Link } from '../../../parts/link.tsx';
import { chance, counted, date } from '../../../words/numbers.ts';
import { turnPath } from '../../explorer/crumbs.tsx';
import { inWords } from '../../facts/known.ts';
import { subjectPath } from '../../facts/paths.ts';
import { ScoreBreakdown, widestOf } from './score-breakdown.tsx';

const KIND_NAMES = { turn: 'turn', observation: 'fact', entity: 'name' } as const;

const SOURCES = {
  client: 'Supplied by the client',
  rules: 'Extracted by rules',
  llm: 'Extracted by the language model',
} as const;

const saidOn = (hit: TurnHit | ObservationHit): string => date(Number(hit.timestamp) * 1000);

/** Isolates stored names, so that their direction can't reorder the text around them. */
const SessionLink = ({ hit: { user_id, session_id } }: { hit: TurnHit | ObservationHit }) => (
  <>
    <bdi>{user_id}</bdi> / <bdi>{session_id}</bdi>
  </>
);

/** Notes that a hit no longer holds; for a turn, the day is unknown, and it may be only likely. */
const NoLonger = ({ hit }: { hit: TurnHit | ObservationHit }) => {
  if (hit.kind === 'turn' && hit.later !== undefined)
    return <span className="no-longer">likely no longer: a later turn says otherwise</span>;
  if (hit.superseded_by === undefined) return null;
  const until = hit.kind === 'observation' ? hit.valid_until : undefined;
  return <span className="no-longer">no longer{until ? `: since ${date(until)}` : ' holds'}</span>;
};

/** Shows the subject and the attribute of a fact that names them. */
const About = ({ hit: { user_id, subject, attribute } }: { hit: ObservationHit }) =>
  subject &&
  attribute && (
    <>
      <Link href={subjectPath(user_id, subject.label)}>
        {inWords(attribute)} of <bdi>{subject.label}</bdi>
      </Link>{' '}
      ·{' '}
    </>
  );

const Source = ({ hit, user }: { hit: Hit; user: string | undefined }): ReactNode => {
  switch (hit.kind) {
    case 'turn':
      return (
        <>
          <NoLonger hit={hit} /> Said by <bdi>{hit.role}</bdi> on {saidOn(hit)} · <SessionLink hit={hit} /> ·{' '}
          <Link href={turnPath(hit.user_id, hit.session_id, hit.id)}>Open conversation</Link>
        </>
      );
    case 'observation':
      return (
        <>
          <NoLonger hit={hit} /> <About hit={hit} />
          {SOURCES[hit.source]} from {counted(hit.source_turn_ids.length, 'turn')} on {saidOn(hit)} ·{' '}
          <SessionLink hit={hit} /> ·{' '}
          {hit.source_turn_ids.map((id, index) => (
            <Link key={id} href={turnPath(hit.user_id, hit.session_id, id)}>
              {index === 0 ? 'Show source turn' : ` and ${index + 1}`}
            </Link>
          ))}
        </>
      );
    case 'entity':
      return (
        <>
          Named in the best turns, and scored by them.
          {user !== undefined && (
            <>
              {' '}
              <Link href={subjectPath(user, hit.label)}>What is known of it</Link>
            </>
          )}
        </>
      );
  }
};

/** Shows the text of a hit: for a long turn its best passage, with a button for the whole text. */
const Words = ({ hit }: { hit: TurnHit | ObservationHit }) => {
  const [isWhole, setWhole] = useState(false);
  const { content, part } = hit;
  if (!part)
    return (
      <p className="said" dir="auto">
        {content}
      </p>
    );
  const characters = Array.from(content);
  const between = (from: number, to?: number): string => characters.slice(from, to).join('');
  const [before, after] = [between(0, part.from), between(part.to)];
  return (
    <>
      <p className="said" dir="auto">
        {isWhole ? before : before.trim() && '… '}
        {isWhole ? <mark>{between(part.from, part.to)}</mark> : between(part.from, part.to)}
        {isWhole ? after : after.trim() && ' …'}
      </p>
      <button type="button" className="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show the part alone' : `Show the whole ${KIND_NAMES[hit.kind]}`}
      </button>
    </>
  );
};

const explanationOf = (hit: Hit): Explanation | undefined =>
  hit.kind === 'entity' ? undefined : hit.explanation;

/** Returns the user of the names; undefined for several users, whose names have no page in common. */
const userOf = ({ turns, observations }: Recalled['hits']): string | undefined => {
  const users = new Set([...turns, ...observations].map(({ user_id }) => user_id));
  return users.size === 1 ? [...users][0] : undefined;
};

export const Hits = ({ hits }: { hits: Recalled['hits'] }) => {
  const ranked: Hit[] = [...hits.turns, ...hits.observations, ...hits.entities].sort(
    (a, b) => b.score - a.score,
  );
  const user = userOf(hits);
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
                {hit.kind === 'entity' ? (
                  <p className="said" dir="auto">
                    {hit.label}
                  </p>
                ) : (
                  <Words hit={hit} />
                )}
                <p className="muted">
                  <span className={`kind ${hit.kind}`}>{KIND_NAMES[hit.kind]}</span>{' '}
                  <Source hit={hit} user={user} />
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
