import { useState } from 'react';
import { useLocation } from 'wouter';
import { sessions } from '../../api/calls.ts';
import { recentFirst } from '../../api/lists/recent-first.ts';
import type { Me } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Filter } from '../../parts/filter.tsx';
import { Empty } from '../../parts/frame/notices.tsx';
import { PagedList } from '../../parts/list.tsx';
import { may } from '../../parts/unless.tsx';
import { userPath } from '../../paths.ts';
import { SessionEntry } from './session-entry.tsx';

/** Lists a user's conversations, the last active first; with `q` those that have the words. */
export const Sessions = ({ me, user, q }: { me: Me; user: string; q: string }) => {
  const [, go] = useLocation();
  const {
    items,
    reload: _,
    ...rest
  } = usePages(
    JSON.stringify([user, q]),
    recentFirst(async (sort, cursor, signal) => {
      const query = { user_id: user, ...(q === '' ? { sort } : { q }), limit: 100, cursor };
      const page = await sessions(query, signal);
      return { items: page.sessions, cursor: page.next_cursor };
    }),
  );
  const [outcome, setOutcome] = useState('');
  const isEmpty = items.length === 0 && !rest.loading && rest.error === undefined;
  if (isEmpty && q === '')
    return (
      <Empty title="This user has no sessions">
        <p>It was erased, or nothing was ever stored under this id.</p>
      </Empty>
    );
  return (
    <>
      <Filter
        label="Find conversations by title, or by what was said"
        value={q}
        onChange={typed => go(userPath(user, 'conversations', { find: typed }), { replace: true })}
      />
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
      <p role="status" className={isEmpty ? undefined : 'hidden'}>
        {isEmpty ? 'No conversation has these words.' : outcome}
      </p>
    </>
  );
};
