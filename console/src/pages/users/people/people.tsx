import { useLoad } from '../../../api/use-load.ts';
import { Empty, ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { Link } from '../../../parts/link.tsx';
import { subjectPath, userPath } from '../../../paths.ts';
import { counted } from '../../../words/numbers.ts';
import { Stored } from '../../explorer/stored.tsx';
import { loadKnown } from '../../facts/load-facts.ts';
import { type Around, around, type Neighbour, placesAround, startOf } from './relations.ts';

/** Those that have room around somebody; the others are listed below. */
const MOST_AROUND = 12;

/** Tells how a neighbour is related to the one in the middle. */
const Relation = ({ neighbour: { as, of }, middle }: { neighbour: Neighbour; middle: string }) => (
  <span className="muted">{[...as, ...of.map(attribute => `${attribute} is ${middle}`)].join(', ')}</span>
);

const Walk = ({ user, shown }: { user: string; shown: Around }) => {
  const near = shown.neighbours.slice(0, MOST_AROUND);
  const rest = shown.neighbours.slice(MOST_AROUND);
  const places = placesAround(near.length);
  return (
    <>
      <div className={near.length > 3 ? 'graph card' : 'graph few card'}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          {places.map(({ x, y }) => (
            <path key={`${x} ${y}`} d={`M50 50L${x} ${y}`} />
          ))}
        </svg>
        <p className="middle">
          <strong>
            <Stored>{shown.label}</Stored>
          </strong>
          <Link href={subjectPath(user, shown.label)}>What is known of it</Link>
        </p>
        <ul aria-label={`Around ${shown.label}`}>
          {near.map((neighbour, index) => (
            <li
              key={neighbour.label}
              style={{ insetInlineStart: `${places[index]!.x}%`, insetBlockStart: `${places[index]!.y}%` }}
            >
              <Link href={userPath(user, 'people', { at: neighbour.label })}>
                <Stored>{neighbour.label}</Stored>
              </Link>
              <Relation neighbour={neighbour} middle={shown.label} />
            </li>
          ))}
        </ul>
      </div>
      {rest.length > 0 && (
        <section aria-labelledby="others">
          <h2 id="others">{counted(rest.length, 'other')}</h2>
          <ul className="name-links">
            {rest.map(neighbour => (
              <li key={neighbour.label}>
                <Link href={userPath(user, 'people', { at: neighbour.label })}>
                  <Stored>{neighbour.label}</Stored>
                </Link>{' '}
                <Relation neighbour={neighbour} middle={shown.label} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

/** Whom and what a user speaks of, to walk from one to the next. `at`: who stands in the middle. */
export const People = ({ user, at }: { user: string; at: string | undefined }) => {
  const loaded = useLoad(`known ${user}`, signal => loadKnown(user, signal));
  const { value } = loaded;
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (!value) return <Loading what="the people" />;
  const start = startOf(value.facts, value.entities);
  const middle = at ?? start;
  if (middle === undefined)
    return (
      <Empty title="Nobody is known yet">
        <p>Names and relations are found in what is said, a moment after it was stored.</p>
      </Empty>
    );
  const shown = around(value.facts, value.entities, middle);
  return (
    <>
      <p className="muted">
        {shown.kind ? `${shown.kind}, ` : ''}
        {counted(shown.neighbours.length, 'relation')} by the facts that hold.{' '}
        {at !== undefined && start !== undefined && start !== shown.label && (
          <Link href={userPath(user, 'people')}>Back to the start</Link>
        )}
        {value.more && ' There are more facts than are shown here.'}
      </p>
      <Walk user={user} shown={shown} />
    </>
  );
};
