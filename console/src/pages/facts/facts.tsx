import { useSearch } from 'wouter/use-browser-location';
import type { Me } from '../../api/types.ts';
import { Page } from '../../parts/frame/page.tsx';
import { Link } from '../../parts/link.tsx';
import { userPath } from '../explorer/crumbs.tsx';
import { isolated, Stored } from '../explorer/stored.tsx';
import { Users } from '../explorer/users.tsx';
import '../explorer/explorer.css';
import '../explorer/conversation.css';
import { OfSubject } from './of-subject.tsx';
import { OfUser } from './of-user.tsx';
import { knownPath } from './paths.ts';
import './facts.css';

const Crumbs = ({ user }: { user?: string }) => (
  <nav aria-label="Breadcrumbs">
    <ol className="crumbs">
      <li>
        <Link href="/facts">Users</Link>
      </li>
      {user !== undefined && (
        <li>
          <Link href={knownPath(user)}>
            <Stored>{user}</Stored>
          </Link>
        </li>
      )}
    </ol>
  </nav>
);

/**
 * Shows users, the facts about one, or one of their subjects. Ids and labels are in the query, because any
 * text fits there.
 */
export const Facts = ({ me }: { me: Me }) => {
  const search = new URLSearchParams(useSearch());
  const user = search.get('user');
  const subject = search.get('subject');
  if (user === null)
    return (
      <Page title="Facts" lead={<p>What is known of each user, of whom they speak, and who said so.</p>}>
        <Users me={me} pathOf={knownPath} />
      </Page>
    );
  if (subject === null)
    return (
      <Page
        title={`What is known of ${isolated(user)}`}
        lead={
          <>
            <Crumbs />
            <Link href={userPath(user)}>Conversations</Link>
          </>
        }
      >
        <OfUser key={user} me={me} user={user} />
      </Page>
    );
  return (
    <Page title={isolated(subject)} lead={<Crumbs user={user} />}>
      <OfSubject key={JSON.stringify([user, subject])} me={me} user={user} subject={subject} />
    </Page>
  );
};
