import { sessions } from '../../api/calls.ts';
import type { SessionItem } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Link } from '../../parts/link.tsx';
import { PagedList } from '../../parts/list.tsx';
import { Empty } from '../../parts/notices.tsx';
import { counted, date } from '../../words/numbers.ts';
import { sessionPath } from './crumbs.tsx';
import { Stored } from './stored.tsx';

const span = ({ first_at, last_at }: SessionItem): string => {
  if (first_at === null || last_at === null) return 'no stored turns';
  const [first, last] = [date(first_at), date(last_at)];
  return first === last ? first : `${first} – ${last}`;
};

export const Sessions = ({ user }: { user: string }) => {
  const { items, ...rest } = usePages(user, async (cursor, signal) => {
    const page = await sessions({ user_id: user, limit: 100, cursor }, signal);
    return { items: page.sessions, cursor: page.next_cursor };
  });
  if (items.length === 0 && !rest.loading && rest.error === undefined)
    return (
      <Empty title="This user has no sessions">
        <p>It was erased, or nothing was ever stored under this id.</p>
      </Empty>
    );
  return (
    <PagedList what="sessions" label={`Sessions of ${user}`} {...rest}>
      {items.map(item => (
        <li key={item.session_id}>
          <Link href={sessionPath(user, item.session_id)}>
            <strong>
              <Stored>{item.session_id}</Stored>
            </strong>
            {item.title !== null && (
              <span>
                <Stored>{item.title}</Stored>
              </span>
            )}
            <span>{counted(item.turns, 'turn')}</span>
            <span>{span(item)}</span>
          </Link>
        </li>
      ))}
    </PagedList>
  );
};
