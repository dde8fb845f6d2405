import { lastWords } from '../../api/lists/last-words.ts';
import { useLoad } from '../../api/use-load.ts';
import { WhenSeen } from '../../parts/when-seen.tsx';
import { Stored } from './stored.tsx';

const Words = ({ user, session }: { user: string; session: string | undefined }) => {
  // Without them the row is what it is: a failure is told by nothing.
  const { value } = useLoad(JSON.stringify([user, session]), signal => lastWords(user, session, signal));
  return (
    value && (
      <>
        <Stored>{value.role}</Stored>: <bdi>{value.text.slice(0, 300)}</bdi>
      </>
    )
  );
};

/** Shows in a row what was said last, in one line. Without a session: what the user or others said last. */
export const LastWords = ({ user, session }: { user: string; session?: string }) => (
  <WhenSeen className="last-words">{() => <Words user={user} session={session} />}</WhenSeen>
);

/** Shows in a row why a search found it. */
export const FoundWords = ({ text }: { text: string }) => (
  <span className="last-words">
    … <bdi>{text}</bdi>
  </span>
);
