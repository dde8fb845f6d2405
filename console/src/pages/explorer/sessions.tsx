import { useState } from 'react';
import { sessions } from '../../api/calls.ts';
import { recentFirst } from '../../api/recent-first.ts';
import type { Me } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Empty } from '../../parts/frame/notices.tsx';
import { PagedList } from '../../parts/list.tsx';
import { may } from '../../parts/unless.tsx';
import { SessionEntry } from './session-entry.tsx';

export const Sessions = ({ me, user }: { me: Me; user: string }) => {
  const { items, ...rest } = usePages(
    user,
    recentFirst(async (sort, cursor, signal) => {
      const page = await sessions({ user_id: user, sort, limit: 100, cursor }, signal);
      return { items: page.sessions, cursor: page.next_cursor };
    }),
  );
  const [outcome, setOutcome] = useState('');
  if (items.length === 0 && !rest.loading && rest.error === undefined)
    return (
      <Empty title="This user has no sessions">
        <p>It was erased, or nothing was ever stored under this id.</p>
      </Empty>
    );
  return (
    <>
      <PagedList what="sessions" label={`Sessions of ${user}`} {...rest}>
        {items.map(item => (
          <SessionEntry
            key={item.session_id}
            listed={item}
            mayCurate={may(me, 'memory:curate')}
            tell={setOutcome}
          />
        ))}
      </PagedList>
      <p role="status" className="hidden">
        {outcome}
      </p>
    </>
  );
};
