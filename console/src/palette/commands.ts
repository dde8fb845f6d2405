/** The pages and commands of the search box. */
import { applyTheme, keepTheme } from '../parts/frame/theme-choice.ts';
import { SECTIONS, type Section, userPath } from '../paths.ts';
import { type Choice, isLike } from './listing.ts';

interface Command extends Choice {
  /** Words that people may type for it. */
  words: string;
}

const page = (to: string, title: string, words: string): Command => ({
  id: `page ${to} ${title}`,
  title,
  detail: 'page',
  to,
  words: `${title} ${words}`,
});

const PAGES: Command[] = [
  page('/', 'Overview', 'home start usage today month service state'),
  page('/users', 'Users', 'people explorer facts conversations sessions list'),
  page('/ask', 'Ask', 'recall question search'),
  page('/ask/compare', 'Compare two questions', 'settings side'),
  page('/usage', 'Usage', 'tokens bill cost split by user session key'),
  page('/audit', 'Audit log', 'who did what'),
  page('/webhooks', 'Webhooks', 'events deliveries notify endpoint'),
  page('/keys', 'Keys', 'api create revoke rotate'),
  page('/settings', 'Settings', 'retention screening limits'),
];

const theme = (name: 'light' | 'dark' | 'auto', title: string): Command => ({
  id: `theme ${name}`,
  title,
  detail: 'command',
  words: `${title} theme colour color mode`,
  act: () => {
    keepTheme(name);
    applyTheme(name);
  },
});

const SECTION_NAMES: Record<Section, string> = {
  known: 'What is known of',
  people: 'People around',
  conversations: 'Conversations of',
  ask: 'Ask the memory of',
  context: 'Context for a prompt of',
  receipts: 'Receipts of',
  activity: 'Activity by day of',
  data: 'Download, expiry and erasure of',
};

/** Returns those that the typed words mean; all, if nothing is typed. `user`: whose page it is. */
export const commandsLike = (
  typed: string,
  { user, signOut }: { user: string | undefined; signOut: () => void },
): Choice[] => {
  const ofUser: Command[] =
    user === undefined
      ? []
      : SECTIONS.map(section => ({
          id: `section ${section}`,
          title: `${SECTION_NAMES[section]} ${user}`,
          detail: 'this user',
          to: userPath(user, section),
          words: `${SECTION_NAMES[section]} ${section} export erase delete graph`,
        }));
  const commands: Command[] = [
    ...ofUser,
    ...PAGES,
    theme('light', 'Light colours'),
    theme('dark', 'Dark colours'),
    theme('auto', "The system's colours"),
    { id: 'sign out', title: 'Sign out', detail: 'command', words: 'sign out log out leave', act: signOut },
  ];
  return commands.filter(({ words }) => isLike(words, typed));
};
