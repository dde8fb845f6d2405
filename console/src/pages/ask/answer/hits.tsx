import { type ReactNode, useState } from 'react';
import type { Explanation, Hit, Recalled } from '../../../api/types.ts';
import { chance, counted } from '../../../words/numbers.ts';
import { NoLonger, Source } from './hit-source.tsx';
import { KIND_NAMES, Words } from './hit-words.tsx';
import { type RankedHit, rankedHits, shownAtOnce } from './ranked.ts';
import { ScoreBreakdown, widestOf } from './score-breakdown.tsx';

const explanationOf = (hit: Hit): Explanation | undefined =>
  hit.kind === 'entity' ? undefined : hit.explanation;

/** Returns the user of the names; undefined for several users, whose names have no page in common. */
const userOf = ({ turns, observations }: Recalled['hits']): string | undefined => {
  const users = new Set([...turns, ...observations].map(({ user_id }) => user_id));
  return users.size === 1 ? [...users][0] : undefined;
};

/** Shows what the turn says, as it was understood. */
const Facts = ({ facts }: Pick<RankedHit, 'facts'>) =>
  facts.length > 0 && (
    <ul className="nested" aria-label="Facts from this turn">
      {facts.map(fact => (
        <li key={fact.id} dir="auto">
          {'content' in fact ? fact.content : fact.text} <NoLonger hit={fact} />
          {'score' in fact && <span className="muted"> {chance(fact.score)}</span>}
        </li>
      ))}
    </ul>
  );

const OneHit = ({
  ranked: { hit, rank, facts },
  user,
  widest,
  note,
  below,
}: {
  ranked: RankedHit;
  user: string | undefined;
  widest: number;
  note: ReactNode;
  below: ReactNode;
}) => {
  const explanation = explanationOf(hit);
  return (
    <li className="card">
      <div className="rank" aria-hidden="true">
        {rank}
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
          <span className={`kind ${hit.kind}`}>{KIND_NAMES[hit.kind]}</span> {note}
          <Source hit={hit} user={user} />
        </p>
        <Facts facts={facts} />
        {below}
      </div>
      <div className="score">
        <span className="hidden">Score </span>
        {chance(hit.score)}
        <div className="bar-meter" aria-hidden="true">
          <div style={{ inlineSize: `${Math.min(hit.score, 1) * 100}%` }} />
        </div>
      </div>
      {explanation && <ScoreBreakdown explanation={explanation} rank={rank} widest={widest} />}
    </li>
  );
};

/** Shows hits, best first; weak ones behind a button. */
export const Hits = ({
  hits,
  noteOf,
  belowOf,
}: {
  hits: Recalled['hits'];
  /** Returns what a page adds to a hit's line. */
  noteOf?: (hit: Hit) => ReactNode;
  /** Returns what a page adds below a hit. */
  belowOf?: (hit: Hit, rank: number) => ReactNode;
}) => {
  const [isOpen, setOpen] = useState(false);
  const ranked = rankedHits(hits);
  const user = userOf(hits);
  const widest = widestOf(ranked.map(({ hit }) => explanationOf(hit)).filter(one => one !== undefined));
  const atOnce = shownAtOnce(ranked);
  const weak = ranked.length - atOnce;
  return (
    <>
      <p className="muted">
        A score is the estimated probability that a turn or a fact is part of the answer. Most answers are in
        one or two turns, so most scores are low; the confidence above is about all hits together.
      </p>
      <ol className="hits">
        {(isOpen ? ranked : ranked.slice(0, atOnce)).map(one => (
          <OneHit
            key={`${one.hit.kind} ${one.hit.id}`}
            ranked={one}
            user={user}
            widest={widest}
            note={noteOf?.(one.hit)}
            below={belowOf?.(one.hit, one.rank)}
          />
        ))}
      </ol>
      {weak > 0 && (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold the weak hits away' : `Show ${counted(weak, 'weaker hit')}`}
        </button>
      )}
    </>
  );
};
