import { useLocation } from 'wouter';
import { users } from '../../api/calls.ts';
import { recentFirst } from '../../api/lists/recent-first.ts';
import type { Me } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Filter } from '../../parts/filter.tsx';
import { Link } from '../../parts/link.tsx';
import { PagedList } from '../../parts/list.tsx';
import { pathOf, userPath } from '../../paths.ts';
import { counted, dateOr } from '../../words/numbers.ts';
import { FirstVisit } from '../first-visit/first-visit.tsx';
import { FoundWords, LastWords } from './last-words.tsx';
import { Stored } from './stored.tsx';

/** Lists users, the last active first; with `q` those that have the words, the best match first. */
export const Users = ({ me, q }: { me: Me; q: string }) => {
  const [, go] = useLocation();
  const { items, reload, ...rest } = usePages(
    `users ${q}`,
    recentFirst(async (sort, cursor, signal) => {
      const page = await users({ ...(q === '' ? { sort } : { q }), limit: 100, cursor }, signal);
      return { items: page.users, cursor: page.next_cursor };
    }),
  );
  const isEmpty = items.length === 0 && !rest.loading && rest.error === undefined;
  if (isEmpty && q === '') return <FirstVisit me={me} onStored={reload} />;
  return (
    <>
      <Filter
        label="Find users by name, or by what was said"
        value={q}
        onChange={typed => go(pathOf('/users', { q: typed }), { replace: true })}
      />
      <PagedList what="users" label="Users" {...rest}>
        {items.map(({ user_id, sessions, turns, last_at, match }) => (
          <li key={user_id}>
            <Link href={userPath(user_id)}>
              <span className="titled">
                <strong>
                  <Stored>{user_id}</Stored>
                </strong>
                {match?.text === undefined ? <LastWords user={user_id} /> : <FoundWords text={match.text} />}
              </span>
              <span>
                {counted(sessions, 'session')} · {counted(turns, 'turn')}
              </span>
              <span>last {dateOr(last_at, 'unknown')}</span>
            </Link>
          </li>
        ))}
      </PagedList>
      {isEmpty && <p role="status">No user has these words.</p>}
    </>
  );
};
