import { useSearch } from 'wouter/use-browser-location';
import type { Me } from '../../api/types.ts';
import { Page } from '../../parts/frame/page.tsx';
import { Conversation } from '../explorer/conversation/conversation.tsx';
import { keptPlace } from '../explorer/conversation/kept-place.ts';
import { LinkedTurn } from '../explorer/conversation/linked-turn.tsx';
import { Crumbs } from '../explorer/crumbs.tsx';
import { isolated } from '../explorer/stored.tsx';
import { Users } from '../explorer/users.tsx';
import { OfSubject } from '../facts/of-subject.tsx';
import { Hub } from './hub.tsx';
import '../explorer/explorer.css';
import '../explorer/conversation.css';
import '../facts/facts.css';
import '../ask/ask.css';
import '../ask/answer/answer.css';
import '../overview/overview.css';
import './users.css';

const List = ({ me, search }: { me: Me; search: URLSearchParams }) => (
  <Page
    title="Users"
    lead={<p>Those who spoke, who was spoken of, and what is known. The last active first.</p>}
  >
    <Users me={me} q={search.get('q') ?? ''} />
  </Page>
);

const OneConversation = ({
  me,
  user,
  session,
  search,
}: {
  me: Me;
  user: string;
  session: string;
  search: URLSearchParams;
}) => {
  const turn = search.get('turn') ?? undefined;
  return (
    <Page
      title={`Session ${isolated(session)}`}
      lead={<Crumbs user={user} show="conversations" />}
      className="wide"
    >
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

/** Shows all users, one of them, one of their conversations, or somebody or something they speak of. */
export const UsersPage = ({ me }: { me: Me }) => {
  // The raw query: the router's hook would decode it first, and an id may contain text that looks encoded.
  const search = new URLSearchParams(useSearch());
  const user = search.get('user');
  const session = search.get('session');
  const turn = search.get('turn');
  const subject = search.get('subject');
  if (user === null) return <List me={me} search={search} />;
  if (session !== null) return <OneConversation me={me} user={user} session={session} search={search} />;
  if (turn !== null)
    return (
      <Page title={`Turn of ${isolated(user)}`} lead={<Crumbs user={user} show="conversations" />}>
        <LinkedTurn user={user} turn={turn} />
      </Page>
    );
  if (subject !== null)
    return (
      <Page title={isolated(subject)} lead={<Crumbs user={user} />}>
        <OfSubject key={JSON.stringify([user, subject])} me={me} user={user} subject={subject} />
      </Page>
    );
  return <Hub key={user} me={me} user={user} search={search} />;
};
