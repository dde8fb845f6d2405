/** A question in an address: so that it can be shared, and so that Back leads to the one before. */
import { pathOf } from '../../paths.ts';
import { type AskForm, firstForm, KINDS } from './state.ts';

const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;
const HITS = /^\d{1,2}$/;

/** Returns the members of a query; those that every question has are left out. */
export const queryOf = (form: AskForm): Record<string, string | undefined> => ({
  q: form.q.trim(),
  user: form.user,
  // A user's page takes `session` for a conversation to show.
  in: form.session,
  mode: form.mode === 'deep' ? 'deep' : undefined,
  kinds: form.kinds.length < KINDS.length ? form.kinds.join(' ') : undefined,
  since: form.since,
  until: form.until,
  as_of: form.asOf,
  top_k: form.topK,
  timeline: form.timeline ? undefined : 'no',
  receipt: form.receipt ? 'yes' : undefined,
});

export const askPath = (form: AskForm): string => pathOf('/ask', queryOf(form));

/** Returns the form that an address describes; what it can't mean is left out. */
export const formOf = (query: URLSearchParams): AskForm => {
  const text = (name: string): string => query.get(name) ?? '';
  const like = (name: string, pattern: RegExp): string => (pattern.test(text(name)) ? text(name) : '');
  const named = text('kinds').split(' ');
  const kinds = KINDS.filter(kind => named.includes(kind));
  return {
    ...firstForm,
    q: text('q'),
    user: text('user'),
    session: text('in'),
    mode: text('mode') === 'deep' ? 'deep' : 'active',
    kinds: kinds.length > 0 ? kinds : KINDS,
    since: like('since', DAY),
    until: like('until', DAY),
    asOf: like('as_of', MINUTE),
    topK: like('top_k', HITS),
    timeline: text('timeline') !== 'no',
    receipt: text('receipt') === 'yes',
  };
};

/** Whether a person asked it in this tab, and not only followed a link. */
export const wasAsked = (): boolean => (window.history.state as { asked?: unknown } | null)?.asked === true;

/** Returns the query by which a question is kept: the same, whatever page asks it. */
export const keptQuery = (form: AskForm): string => pathOf('', queryOf(form)).slice(1);
