import { useRef, useState } from 'react';
import type { SessionItem } from '../../api/types.ts';
import { isInPath } from '../../api/user-calls.ts';
import { Link } from '../../parts/link.tsx';
import { sessionPath } from '../../paths.ts';
import { counted, date } from '../../words/numbers.ts';
import { FoundWords, LastWords } from './last-words.tsx';
import { Stored } from './stored.tsx';
import { TitleSession } from './title-session.tsx';

const span = ({ first_at, last_at }: SessionItem): string => {
  if (first_at === null || last_at === null) return 'no stored turns';
  const [first, last] = [date(first_at), date(last_at)];
  return first === last ? first : `${first} – ${last}`;
};

/** Shows a session in its user's list, with a form for its title if the key may write. */
export const SessionEntry = ({
  listed,
  mayCurate,
  tell,
}: {
  listed: SessionItem;
  mayCurate: boolean;
  /** Announces the outcome. */
  tell: (outcome: string) => void;
}) => {
  const [titled, setTitled] = useState<SessionItem>();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const session = titled ?? listed;
  const { user_id, session_id, title, turns } = session;
  const { match } = listed;

  const end = (after: SessionItem | undefined): void => {
    setIsOpen(false);
    // The focused form is removed.
    button.current?.focus();
    if (!after) return;
    setTitled(after);
    tell(after.title === null ? 'The title was removed.' : 'The title was saved.');
  };
  return (
    <li>
      <Link href={sessionPath(user_id, session_id)}>
        <span className="titled">
          <strong>
            <Stored>{title ?? session_id}</Stored>
          </strong>
          {title !== null && <Stored>{session_id}</Stored>}
          {match?.text === undefined ? (
            <LastWords user={user_id} session={session_id} />
          ) : (
            <FoundWords text={match.text} />
          )}
        </span>
        <span>{counted(turns, 'turn')}</span>
        <span>{span(session)}</span>
      </Link>
      {mayCurate && isInPath(session_id) && (
        <button
          ref={button}
          type="button"
          className="small"
          aria-label={`Title ${session_id}`}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          Title
        </button>
      )}
      {isOpen && <TitleSession session={session} onDone={end} />}
    </li>
  );
};
