import type { FactItem } from '../../api/types.ts';
import { Link } from '../../parts/link.tsx';
import { date } from '../../words/numbers.ts';
import { SOURCES } from '../../words/sources.ts';
import { turnOfPath } from '../explorer/crumbs.tsx';
import { Stored } from '../explorer/stored.tsx';
import { inWords, type KnownAttribute, type KnownSubject } from './known.ts';
import { subjectPath } from './paths.ts';

/** Turns that are linked; a value that is said again and again has hundreds. */
const MOST_LINKS = 5;

/** Who says it: links to the turns, the latest first. */
export const Sources = ({ fact: { user_id, source, source_turn_ids } }: { fact: FactItem }) => {
  const more = source_turn_ids.length - MOST_LINKS;
  return (
    <span title={SOURCES[source]}>
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

/** A value, as a link where it names somebody or something that has a page. */
const Value = ({ fact, named }: { fact: FactItem; named: (value: string) => string | undefined }) => {
  const label = named(fact.value);
  const value = <Stored>{fact.value}</Stored>;
  return label === undefined || label === fact.subject.label ? (
    value
  ) : (
    <Link href={subjectPath(fact.user_id, label)}>{value}</Link>
  );
};

const period = ({ valid_from, valid_until }: FactItem): string => {
  const from = date(valid_from);
  const until = valid_until === null ? undefined : date(valid_until);
  return until === undefined ? `since ${from}` : from === until ? from : `${from} – ${until}`;
};

const Rows = ({
  known: { attribute, holds, held },
  isOpen,
  named,
  onHide,
}: {
  known: KnownAttribute;
  isOpen: boolean;
  named: (value: string) => string | undefined;
  onHide: ((fact: FactItem) => void) | undefined;
}) => {
  const shown = isOpen ? [...holds, ...held] : holds;
  return (
    <>
      {shown.map((fact, index) => (
        <tr key={fact.id + fact.valid_from} className={fact.valid_until === null ? undefined : 'held'}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={shown.length}>
              {inWords(attribute)}
            </th>
          )}
          <td dir="auto">
            <Value fact={fact} named={named} />
          </td>
          <td>
            {period(fact)}
            {fact.valid_until !== null && (
              <>
                {' '}
                <span className="no-longer">no longer</span>
              </>
            )}
          </td>
          <td>
            <Sources fact={fact} />
            {onHide && (
              <>
                {' '}
                <button
                  type="button"
                  className="small"
                  aria-label={`Hide ${inWords(attribute)}: ${fact.value}`}
                  onClick={() => onHide(fact)}
                >
                  Hide
                </button>
              </>
            )}
          </td>
        </tr>
      ))}
    </>
  );
};

/** The facts of a subject: what holds, and with `isOpen` below it what held. */
export const FactTable = ({
  subject: { label, attributes },
  isOpen,
  named,
  onHide,
}: {
  subject: KnownSubject;
  isOpen: boolean;
  named: (value: string) => string | undefined;
  /** Undefined for a key that may not write. */
  onHide: ((fact: FactItem) => void) | undefined;
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
        .filter(({ holds }) => isOpen || holds.length > 0)
        .map(known => (
          <tbody key={known.attribute}>
            <Rows known={known} isOpen={isOpen} named={named} onHide={onHide} />
          </tbody>
        ))}
    </table>
  </section>
);
