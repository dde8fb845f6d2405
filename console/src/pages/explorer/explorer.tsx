import { useSearch } from 'wouter/use-browser-location';
import type { Me } from '../../api/types.ts';
import { Page } from '../../parts/frame/page.tsx';
import { Link } from '../../parts/link.tsx';
import { knownPath } from '../facts/paths.ts';
import { Conversation } from './conversation/conversation.tsx';
import { keptPlace } from './conversation/kept-place.ts';
import { LinkedTurn } from './conversation/linked-turn.tsx';
import { Crumbs } from './crumbs.tsx';
import { Sessions } from './sessions.tsx';
import { isolated } from './stored.tsx';
import { Users } from './users.tsx';
import './explorer.css';
import './conversation.css';

/** Shows users, a user's sessions, then the conversation. Ids are in the query, because any id fits there. */
export const Explorer = ({ me }: { me: Me }) => {
  // The raw query: the router's hook would decode it first, and an id may contain text that looks encoded.
  const search = new URLSearchParams(useSearch());
  const user = search.get('user');
  const session = search.get('session');
  const turn = search.get('turn') ?? undefined;
  if (user === null)
    return (
      <Page title="Explorer" lead={<p>Everything stored, by user and session.</p>}>
        <Users me={me} />
      </Page>
    );
  if (session === null && turn !== undefined)
    return (
      <Page title={`Turn of ${isolated(user)}`} lead={<Crumbs user={user} />}>
        <LinkedTurn user={user} turn={turn} />
      </Page>
    );
  if (session === null)
    return (
      <Page
        title={`Sessions of ${isolated(user)}`}
        lead={
          <>
            <Crumbs />
            <Link href={knownPath(user)}>What is known</Link>
          </>
        }
      >
        <Sessions key={user} me={me} user={user} />
      </Page>
    );
  return (
    <Page title={`Session ${isolated(session)}`} lead={<Crumbs user={user} />} className="wide">
      <Conversation
        key={JSON.stringify([user, session, turn])}
        me={me}
        user={user}
        session={session}
        turn={turn}
        at={keptPlace(search)}
      />
    </Page>
  );
};
