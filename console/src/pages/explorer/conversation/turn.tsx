import { memo } from 'react';
import { useRouter } from 'wouter';
import type { StatedObservation, TurnDetails, TurnItem } from '../../../api/types.ts';
import { CopyButton } from '../../../parts/copy.tsx';
import { Link } from '../../../parts/link.tsx';
import { subjectPath, turnPath } from '../../../paths.ts';
import { dateTime, time, weekday } from '../../../words/numbers.ts';
import { SOURCES } from '../../../words/sources.ts';
import { Correct, useCorrecting } from '../../correct/correct.tsx';
import { inWords } from '../../facts/known.ts';
import { Stored } from '../stored.tsx';

const dayOf = (turn: TurnItem): string => turn.timestamp.slice(0, 10);

/** Shows the facts extracted from the turn and the entities that it names. */
const Extracted = ({
  details,
  isOpen,
  onCorrected,
}: {
  details: TurnDetails;
  isOpen: boolean;
  onCorrected: ((stated: StatedObservation) => void) | undefined;
}) => {
  const { observations, entities } = details;
  const correcting = useCorrecting(onCorrected);
  return (
    <>
      {observations.length > 0 && (
        <ul className="facts" aria-label="Facts from this turn">
          {observations.map(observation => {
            const { id, user_id, text, source, subject, attribute, superseded_by } = observation;
            return (
              <li key={id} title={SOURCES[source]} dir="auto">
                {text}
                <span className="hidden"> ({SOURCES[source]})</span>
                {subject && attribute && (
                  <>
                    {' '}
                    <Link href={subjectPath(user_id, subject.label)} className="about">
                      {inWords(attribute)} of <Stored>{subject.label}</Stored>
                    </Link>
                  </>
                )}
                {superseded_by !== undefined && (
                  <>
                    {' '}
                    <span className="no-longer">corrected</span>
                  </>
                )}
                {isOpen && onCorrected && superseded_by === undefined && (
                  <>
                    {' '}
                    <button
                      type="button"
                      className="small"
                      aria-label={`Correct: ${text}`}
                      aria-expanded={correcting.id === id}
                      onClick={event => correcting.toggle(id, event.currentTarget)}
                    >
                      Correct
                    </button>
                  </>
                )}
                {correcting.id === id && <Correct said={observation} onDone={correcting.end} />}
              </li>
            );
          })}
        </ul>
      )}
      {entities.length > 0 && (
        <ul className="names" aria-label="Names in this turn">
          {entities.map(({ id, user_id, label, kind }) => (
            <li key={id}>
              <Link href={subjectPath(user_id, label)}>
                <Stored>{label}</Stored>
              </Link>{' '}
              <span>{kind}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** Shows the turn's identity, for finding it in the log or linking to it. */
const Details = ({
  details: { id, user_id, session_id, recorded_at, expires_at },
  onHide,
}: {
  details: TurnDetails;
  onHide: (() => void) | undefined;
}) => {
  const { base } = useRouter();
  return (
    <div className="turn-details">
      <p>
        <code>{id}</code>
      </p>
      <p>{recorded_at ? `Recorded ${dateTime(recorded_at)} UTC.` : 'Stored, but not indexed yet.'}</p>
      {expires_at && <p>Expires {dateTime(expires_at)} UTC: from then on no answer has it.</p>}
      <p>
        Link:
        <CopyButton
          text={`${window.location.origin}${base}${turnPath(user_id, session_id, id)}`}
          what="a link to this turn"
        />
        {onHide && (
          <button type="button" className="small" aria-label="Hide this turn" onClick={onHide}>
            Hide
          </button>
        )}
      </p>
    </div>
  );
};

/** Shows a turn's text and, once loaded, the facts and entities extracted from it. */
export const Turn = memo(
  ({
    turn,
    before,
    details,
    isTarget,
    isOpen,
    onDetails,
    onHide,
    onCorrected,
    position,
    size,
  }: {
    turn: TurnItem;
    /** The previous turn, since a new day gets a heading. */
    before: TurnItem | undefined;
    details: TurnDetails | undefined;
    isTarget: boolean;
    /** Whether its details are shown; kept by the list, so that it survives scrolling. */
    isOpen: boolean;
    onDetails: (id: string) => void;
    /** Undefined for a key that may not write. */
    onHide: ((turn: TurnItem) => void) | undefined;
    /** Called when a fact found in it was corrected; undefined for a key that may not write. */
    onCorrected: ((stated: StatedObservation) => void) | undefined;
    /** Position among the loaded turns, from 1. */
    position: number;
    /** Turns in the session; -1 while unknown. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard moves through a feed by article
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
            <button type="button" aria-expanded={isOpen} onClick={() => onDetails(turn.id)}>
              Details
            </button>
          )}
          {details && isOpen && <Details details={details} onHide={onHide && (() => onHide(turn))} />}
        </header>
        <p className="said" dir="auto">
          {turn.text}
        </p>
        <div className="extracted">
          {details && <Extracted details={details} isOpen={isOpen} onCorrected={onCorrected} />}
        </div>
      </article>
    </>
  ),
);
