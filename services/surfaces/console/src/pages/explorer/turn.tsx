import { memo } from 'react';
import { useRouter } from 'wouter';
import type { Source, TurnDetails, TurnItem } from '../../api/types.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { dateTime, time, weekday } from '../../words/numbers.ts';
import { turnPath } from './crumbs.tsx';
import { Stored } from './stored.tsx';

const SOURCES: Record<Source, string> = {
  client: 'told by the client',
  rules: 'found by rules',
  llm: 'found by the language model',
};

const dayOf = (turn: TurnItem): string => turn.timestamp.slice(0, 10);

/** The facts that were made of the turn, and the names that it holds. */
const Made = ({ details }: { details: TurnDetails }) => {
  const { observations, entities } = details;
  return (
    <>
      {observations.length > 0 && (
        <ul className="facts" aria-label="Facts from this turn">
          {observations.map(({ id, text, source }) => (
            <li key={id} title={SOURCES[source]} dir="auto">
              {text}
              <span className="hidden"> ({SOURCES[source]})</span>
            </li>
          ))}
        </ul>
      )}
      {entities.length > 0 && (
        <ul className="names" aria-label="Names in this turn">
          {entities.map(({ id, label, kind }) => (
            <li key={id}>
              <Stored>{label}</Stored> <span>{kind}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** Which turn it is, for whoever looks for it in the log or sends it to somebody. */
const Origin = ({ id, user_id, session_id, provenance }: TurnDetails) => {
  const { base } = useRouter();
  return (
    <div className="origin">
      <p>
        <code>{id}</code>
      </p>
      <p>
        {provenance
          ? `Recorded ${dateTime(provenance.recorded_at)} UTC, at offset ${provenance.offset} of ${provenance.topic}/${provenance.partition} in the log.`
          : 'Stored, and not projected yet.'}
      </p>
      <p>
        A link to it:
        <CopyButton
          text={`${window.location.origin}${base}${turnPath(user_id, session_id, id)}`}
          what="a link to this turn"
        />
      </p>
    </div>
  );
};

/** One turn as it was said; beside it what was made of it, once that is known. */
export const Turn = memo(
  ({
    turn,
    before,
    details,
    isTarget,
    isOpen,
    onOrigin,
    position,
    size,
  }: {
    turn: TurnItem;
    /** The one said before: a new day has a heading. */
    before: TurnItem | undefined;
    details: TurnDetails | undefined;
    isTarget: boolean;
    /** Whether its origin is told. It outlives the turn's leaving the screen, so it is kept with the list. */
    isOpen: boolean;
    onOrigin: (id: string) => void;
    /** Among those that are loaded, from 1. */
    position: number;
    /** How many the session has; -1 while that is unknown. */
    size: number;
  }) => (
    <>
      {(!before || dayOf(before) !== dayOf(turn)) && <p className="day">{weekday(turn.timestamp)}</p>}
      <article
        className={isTarget ? 'turn target' : 'turn'}
        aria-labelledby={`by-${turn.id}`}
        aria-current={isTarget ? 'true' : undefined}
        aria-posinset={position}
        aria-setsize={size}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a feed is walked from article to article
        tabIndex={0}
      >
        <header>
          <span id={`by-${turn.id}`}>
            <strong>
              <Stored>{turn.role}</Stored>
            </strong>{' '}
            <time dateTime={turn.timestamp}>{time(turn.timestamp)}</time>
          </span>
          {details && (
            <button type="button" aria-expanded={isOpen} onClick={() => onOrigin(turn.id)}>
              origin
            </button>
          )}
          {details && isOpen && <Origin {...details} />}
        </header>
        <p className="said" dir="auto">
          {turn.text}
        </p>
        <div className="made">{details && <Made details={details} />}</div>
      </article>
    </>
  ),
);
