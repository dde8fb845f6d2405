import { Fragment } from 'react';
import type { FactItem, StatedObservation } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { subjectPath, turnOfPath } from '../../paths.ts';
import { date } from '../../words/numbers.ts';
import { SOURCES } from '../../words/sources.ts';
import { Correct, useCorrecting } from '../correct/correct.tsx';
import { Stored } from '../explorer/stored.tsx';
import { inWords, type KnownAttribute, type KnownSubject } from './known.ts';

/** Maximum turns that are linked; a value that is often repeated has hundreds. */
const MOST_LINKS = 5;

/** Shows the sources of a fact: links to its turns, the latest first. */
export const Sources = ({ fact: { user_id, source, source_turn_ids } }: { fact: FactItem }) => {
  const more = source_turn_ids.length - MOST_LINKS;
  return (
    <span title={SOURCES[source]}>
      {source_turn_ids.length === 0 && 'no turn'}
      {source_turn_ids.slice(0, MOST_LINKS).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={turnOfPath(user_id, id)}>{index === 0 ? 'turn' : `turn ${index + 1}`}</Link>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
      <span className="hidden"> ({SOURCES[source]})</span>
    </span>
  );
};

/** Shows a value, as a link if it names somebody or something that has a page. */
const Value = ({ fact, named }: { fact: FactItem; named: (value: string) => string | undefined }) => {
  const label = named(fact.value);
  const value = <Stored>{fact.value}</Stored>;
  return label === undefined || label === fact.subject.label ? (
    value
  ) : (
    <Link href={subjectPath(fact.user_id, label)}>{value}</Link>
  );
};

/** Whether a fact was corrected: it never held, so it ended when it began. */
const isCorrected = ({ valid_from, valid_until }: FactItem): boolean =>
  valid_until !== null && valid_until === valid_from;

const period = ({ valid_from, valid_until }: FactItem, isPlanned: boolean): string => {
  const from = valid_from === null ? undefined : date(valid_from);
  const until = valid_until === null ? undefined : date(valid_until);
  if (from === undefined) return until === undefined ? '' : `until ${until}`;
  if (until === undefined) return `${isPlanned ? 'from' : 'since'} ${from}`;
  return from === until ? from : `${from} – ${until}`;
};

/** Returns the state of a fact that doesn't simply hold. */
const stateOf = (fact: FactItem, isPlanned: boolean): string | undefined => {
  if (isPlanned) return 'planned';
  if (fact.valid_until !== null) return isCorrected(fact) ? 'corrected' : 'no longer';
  return fact.disputed_by.length > 0 ? 'in doubt' : undefined;
};

/** Actions on a fact for a key with memory:curate. */
export interface FactActions {
  onHide: (fact: FactItem) => void;
  onCorrected: (stated: StatedObservation) => void;
}

const keyOf = ({ id, valid_until }: FactItem): string => id + (valid_until ?? '');

const Rows = ({
  known: { attribute, about, holds, planned, held },
  isOpen,
  named,
  actions,
}: {
  known: KnownAttribute;
  isOpen: boolean;
  named: (value: string) => string | undefined;
  actions: FactActions | undefined;
}) => {
  const shown = [...holds, ...planned, ...(isOpen ? held : [])];
  const correcting = useCorrecting(actions?.onCorrected);
  const isCorrecting = (fact: FactItem): boolean => correcting.id === keyOf(fact);
  return (
    <>
      {shown.map((fact, index) => {
        const isPlanned = planned.includes(fact);
        const state = stateOf(fact, isPlanned);
        return (
          <Fragment key={keyOf(fact)}>
            <tr className={fact.valid_until === null && !isPlanned ? undefined : 'held'}>
              {index === 0 && (
                <th scope="rowgroup" rowSpan={shown.length + (shown.some(isCorrecting) ? 1 : 0)}>
                  {inWords(attribute)}
                  {about !== null && (
                    <>
                      {' '}
                      (<Stored>{about}</Stored>)
                    </>
                  )}
                </th>
              )}
              <td dir="auto">
                <Value fact={fact} named={named} />
              </td>
              <td>
                {period(fact, isPlanned)}
                {state && (
                  <>
                    {' '}
                    <span className="no-longer">{state}</span>
                  </>
                )}
              </td>
              <td>
                <Sources fact={fact} />
                {actions && (
                  <span className="actions">
                    {!isCorrected(fact) && (
                      <button
                        type="button"
                        className="small"
                        aria-label={`Correct ${inWords(attribute)}: ${fact.value}`}
                        aria-expanded={isCorrecting(fact)}
                        onClick={event => correcting.toggle(keyOf(fact), event.currentTarget)}
                      >
                        Correct
                      </button>
                    )}
                    <button
                      type="button"
                      className="small"
                      aria-label={`Hide ${inWords(attribute)}: ${fact.value}`}
                      onClick={() => actions.onHide(fact)}
                    >
                      Hide
                    </button>
                  </span>
                )}
              </td>
            </tr>
            {isCorrecting(fact) && (
              <tr>
                <td colSpan={3}>
                  <Correct said={fact} onDone={correcting.end} />
                </td>
              </tr>
            )}
          </Fragment>
        );
      })}
    </>
  );
};

/** Shows the facts of a subject: the current ones and, with `isOpen`, the former ones below. */
export const FactTable = ({
  subject: { label, attributes },
  isOpen,
  named,
  actions,
}: {
  subject: KnownSubject;
  isOpen: boolean;
  named: (value: string) => string | undefined;
  /** Undefined for a key that may not write. */
  actions: FactActions | undefined;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard
  <section className="scroll-x" aria-label={`Facts about ${label}`} tabIndex={0}>
    <table className="known">
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Value</th>
          <th scope="col">When</th>
          <th scope="col">Said in</th>
        </tr>
      </thead>
      {attributes
        .filter(({ holds, planned }) => isOpen || holds.length + planned.length > 0)
        .map(known => (
          <tbody key={`${known.attribute} ${known.about ?? ''}`}>
            <Rows known={known} isOpen={isOpen} named={named} actions={actions} />
          </tbody>
        ))}
    </table>
  </section>
);
