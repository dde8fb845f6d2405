import { type ReactNode, useEffect, useRef } from 'react';
import type { Me } from '../../api/types.ts';
import { Page } from '../../parts/frame/page.tsx';
import { Link } from '../../parts/link.tsx';
import { SECTIONS, type Section, userPath } from '../../paths.ts';
import { queryOf } from '../ask/address.ts';
import { AskPanel } from '../ask/panel.tsx';
import { Crumbs } from '../explorer/crumbs.tsx';
import { Sessions } from '../explorer/sessions.tsx';
import { isolated } from '../explorer/stored.tsx';
import { Memory } from '../overview/memory/memory.tsx';
import { Context } from './context/context.tsx';
import { Data } from './data/data.tsx';
import { Known } from './known/known.tsx';
import { People } from './people/people.tsx';
import { Receipts } from './receipts.tsx';
import { Who } from './who/who.tsx';

const NAMES: Record<Section, string> = {
  known: 'Known',
  people: 'People',
  conversations: 'Conversations',
  ask: 'Ask',
  context: 'Context',
  receipts: 'Receipts',
  activity: 'Activity',
  data: 'Data',
};

const sectionOf = (show: string | null): Section => SECTIONS.find(section => section === show) ?? 'known';

const Tabs = ({ user, shown }: { user: string; shown: Section }) => {
  const tabs = useRef<HTMLElement>(null);
  // On a small screen they scroll, and the shown one may be beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another tab
  useEffect(() => {
    const box = tabs.current!;
    const tab = box.querySelector<HTMLElement>('[aria-current]');
    if (tab) box.scrollLeft = tab.offsetLeft - box.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2;
  }, [shown]);
  return (
    <nav ref={tabs} className="sections" aria-label="Sections of this user">
      <ul>
        {SECTIONS.map(section => (
          <li key={section}>
            <Link href={userPath(user, section)} aria-current={section === shown ? 'page' : undefined}>
              {NAMES[section]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

interface Shown {
  me: Me;
  user: string;
  search: URLSearchParams;
}

const BODIES: Record<Section, (shown: Shown) => ReactNode> = {
  known: ({ me, user }) => <Known me={me} user={user} />,
  people: ({ user, search }) => <People user={user} at={search.get('at') ?? undefined} />,
  conversations: ({ me, user, search }) => <Sessions me={me} user={user} q={search.get('find') ?? ''} />,
  ask: ({ me, user }) => (
    <AskPanel me={me} user={user} pathOfForm={form => userPath(user, 'ask', { ...queryOf(form), user })} />
  ),
  context: ({ me, user, search }) => <Context me={me} user={user} search={search} />,
  receipts: ({ user, search }) => <Receipts user={user} id={search.get('receipt') ?? ''} />,
  activity: ({ user }) => <Memory user={user} pathOfDays={days => userPath(user, 'activity', { days })} />,
  data: ({ me, user }) => <Data me={me} user={user} />,
};

/** One user: who they are, and a section of what the memory has of them. */
export const Hub = ({ me, user, search }: Shown) => {
  const shown = sectionOf(search.get('show'));
  return (
    <Page title={isolated(user)} part={NAMES[shown]} lead={<Crumbs />}>
      <Who me={me} user={user} />
      <Tabs user={user} shown={shown} />
      {BODIES[shown]({ me, user, search })}
    </Page>
  );
};
