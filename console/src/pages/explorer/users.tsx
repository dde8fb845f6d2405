import { users } from '../../api/calls.ts';
import { recentFirst } from '../../api/recent-first.ts';
import type { Me } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Link } from '../../parts/link.tsx';
import { PagedList } from '../../parts/list.tsx';
import { counted, dateOr } from '../../words/numbers.ts';
import { FirstTurn } from '../first-turn.tsx';
import { userPath } from './crumbs.tsx';
import { Stored } from './stored.tsx';

/** Lists users. `pathOf`: the target of a user's entry. */
export const Users = ({ me, pathOf = userPath }: { me: Me; pathOf?: (user: string) => string }) => {
  const { items, ...rest } = usePages(
    'users',
    recentFirst(async (sort, cursor, signal) => {
      const page = await users({ sort, limit: 100, cursor }, signal);
      return { items: page.users, cursor: page.next_cursor };
    }),
  );
  if (items.length === 0 && !rest.loading && rest.error === undefined) return <FirstTurn me={me} />;
  return (
    <PagedList what="users" label="Users" {...rest}>
      {items.map(({ user_id, sessions, turns, last_at }) => (
        <li key={user_id}>
          <Link href={pathOf(user_id)}>
            <strong>
              <Stored>{user_id}</Stored>
            </strong>
            <span>
              {counted(sessions, 'session')} · {counted(turns, 'turn')}
            </span>
            <span>last {dateOr(last_at, 'unknown')}</span>
          </Link>
        </li>
      ))}
    </PagedList>
  );
};
