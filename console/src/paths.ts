/** The addresses of the console's pages. Ids are in the query, because any id fits there. */

/** The sections of a user's page, in the order of its tabs. */
export const SECTIONS = [
  'known',
  'people',
  'conversations',
  'ask',
  'context',
  'receipts',
  'activity',
  'data',
] as const;
export type Section = (typeof SECTIONS)[number];

type Names = Record<string, string | undefined>;

/** Returns a path with those of the names that have a value. */
export const pathOf = (page: string, names: Names): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(names))
    if (value !== undefined && value !== '') query.set(name, value);
  return query.size > 0 ? `${page}?${query}` : page;
};

const ofUsers = (names: Names): string => pathOf('/users', names);

/** Without a section: what is known. */
export const userPath = (user: string, show?: Section, more: Names = {}): string =>
  ofUsers({ user, show, ...more });
/** `subject`: its label, which the service accepts too. */
export const subjectPath = (user: string, subject: string): string => ofUsers({ user, subject });
export const sessionPath = (user: string, session: string): string => ofUsers({ user, session });
export const turnPath = (user: string, session: string, turn: string): string =>
  ofUsers({ user, session, turn });
/** Returns the path of a turn without its session, which a fact doesn't name. */
export const turnOfPath = (user: string, turn: string): string => ofUsers({ user, turn });

/**
 * State of a history entry whose question a person asked in this tab: it is asked again when they come back
 * to it. A question of a link is only filled in, because a recall is billed.
 */
export const ASKED = { asked: true } as const;
