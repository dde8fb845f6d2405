import { sessions } from '../../api/calls.ts';
import type { Written } from '../../api/events.ts';
import type { SessionItem } from '../../api/types.ts';
import { useLoad } from '../../api/use-load.ts';
import { Link } from '../../parts/link.tsx';
import { sessionPath, turnPath } from '../../paths.ts';
import { dateTime, time } from '../../words/numbers.ts';
import { LastWords } from '../explorer/last-words.tsx';
import { Stored } from '../explorer/stored.tsx';
import { type Liveness, useLive } from './use-live.ts';

const MOST_RECENT = 6;

const STATES: Record<Liveness, string> = {
  connecting: 'Connecting …',
  live: 'Live',
  off: 'Not live: the stream is not available. It is tried again.',
};

/** Returns the words of an event without the date and the speaker that a recall puts before them. */
const wordsOf = (event: Written): string =>
  event.kind === 'turn' ? event.text.replace(/^(\[[^\]]*\] ){1,2}/, '') : event.text;

const Event = ({ event }: { event: Written }) => (
  <li>
    <Link
      href={
        event.kind === 'turn'
          ? turnPath(event.user_id, event.session_id, event.id)
          : sessionPath(event.user_id, event.session_id)
      }
    >
      <span className="titled">
        <strong>{event.kind === 'turn' ? <Stored>{event.role}</Stored> : 'fact'}</strong>
        <span className="last-words">
          <bdi>{wordsOf(event)}</bdi>
        </span>
      </span>
      <span>
        <Stored>{event.user_id}</Stored> / <Stored>{event.session_id}</Stored>
      </span>
      <span>{time(event.recorded_at)} UTC</span>
    </Link>
  </li>
);

const Recent = ({ session: { user_id, session_id, title, last_at } }: { session: SessionItem }) => (
  <li>
    <Link href={sessionPath(user_id, session_id)}>
      <span className="titled">
        <strong>
          <Stored>{title ?? session_id}</Stored>
        </strong>
        <LastWords user={user_id} session={session_id} />
      </span>
      <span>
        <Stored>{user_id}</Stored>
      </span>
      <span>{last_at === null ? '' : dateTime(last_at)}</span>
    </Link>
  </li>
);

/** Shows what was said last, and what is written meanwhile. */
export const Activity = () => {
  const { events, liveness } = useLive();
  // The service does not sort very many conversations: the live ones are shown then.
  const recent = useLoad('recent', signal =>
    sessions({ sort: 'last_at', limit: MOST_RECENT }, signal).then(page => page.sessions),
  );
  const told = recent.value ?? [];
  return (
    <section aria-labelledby="activity">
      <div className="heading">
        <h2 id="activity">Activity</h2>
        <p className={`liveness ${liveness}`} role="status">
          {STATES[liveness]}
        </p>
      </div>
      <ul className="entries" aria-label="Written just now">
        {events.map(event => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
      {told.length > 0 && (
        <ul className="entries" aria-label="Last active conversations">
          {told.map(session => (
            <Recent key={`${session.user_id} ${session.session_id}`} session={session} />
          ))}
        </ul>
      )}
      {events.length + told.length === 0 && recent.state !== 'loading' && (
        <p className="muted">Nothing was said yet.</p>
      )}
    </section>
  );
};
