import type { ReactNode } from 'react';
import type { Hit, ObservationHit, TurnHit } from '../../../api/types.ts';
import { Link } from '../../../parts/link.tsx';
import { subjectPath, turnPath } from '../../../paths.ts';
import { counted, date } from '../../../words/numbers.ts';
import { inWords } from '../../facts/known.ts';

const SOURCES = {
  client: 'Supplied by the client',
  rules: 'Extracted by rules',
  llm: 'Extracted by the language model',
} as const;

const saidOn = (hit: TurnHit | ObservationHit): string => date(Number(hit.timestamp) * 1000);

/** Isolates stored names, so that their direction can't reorder the text around them. */
const Session = ({ hit: { user_id, session_id } }: { hit: TurnHit | ObservationHit }) => (
  <>
    <bdi>{user_id}</bdi> / <bdi>{session_id}</bdi>
  </>
);

/** Notes that a hit no longer holds; for a turn, the day is unknown, and it may be only likely. */
export const NoLonger = ({
  hit,
}: {
  hit: { superseded_by?: string; valid_until?: string; later?: string };
}) => {
  if (hit.later !== undefined)
    return <span className="no-longer">likely no longer: a later turn says otherwise</span>;
  if (hit.superseded_by === undefined) return null;
  const until = hit.valid_until;
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

/** Tells who said a hit, when and where. `user`: whose names they are; undefined if there are several. */
export const Source = ({ hit, user }: { hit: Hit; user: string | undefined }): ReactNode => {
  switch (hit.kind) {
    case 'turn':
      return (
        <>
          <NoLonger hit={hit} /> Said by <bdi>{hit.role}</bdi> on {saidOn(hit)} · <Session hit={hit} /> ·{' '}
          <Link href={turnPath(hit.user_id, hit.session_id, hit.id)}>Open conversation</Link>
        </>
      );
    case 'observation':
      return (
        <>
          <NoLonger hit={hit} /> <About hit={hit} />
          {SOURCES[hit.source]} from {counted(hit.source_turn_ids.length, 'turn')} on {saidOn(hit)} ·{' '}
          <Session hit={hit} /> ·{' '}
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
