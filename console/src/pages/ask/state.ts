/** The fields of a question and the call that they form. */
import type { HIT_KINDS, RecallBody } from '../../../../schemas/http/recall.ts';
import type { Recalled } from '../../api/types.ts';

export type Kind = (typeof HIT_KINDS)[number];
export const KINDS: readonly Kind[] = ['turn', 'observation', 'entity'];
export const KIND_NAMES: Record<Kind, string> = { turn: 'turns', observation: 'facts', entity: 'names' };

/** The texts of the fields. */
export interface AskForm {
  q: string;
  mode: 'active' | 'deep';
  kinds: readonly Kind[];
  user: string;
  session: string;
  /** YYYY-MM-DD, in UTC. */
  since: string;
  until: string;
  /** YYYY-MM-DDTHH:MM, in UTC. */
  asOf: string;
  topK: string;
  timeline: boolean;
  /** Whether the answer is kept for 90 days, to be read again. */
  receipt: boolean;
}

export interface Answered {
  /** The call of the question; the fields may have changed since. */
  body: RecallBody;
  answer: Recalled;
  /** The time from the click to the complete answer. */
  milliseconds: number;
}

const UNFILTERED = { kinds: KINDS, user: '', session: '', since: '', until: '', asOf: '' } as const;

export const firstForm: AskForm = {
  q: '',
  mode: 'active',
  topK: '',
  timeline: true,
  receipt: false,
  ...UNFILTERED,
};

/** Returns the same question without filters. */
export const withoutFilters = (form: AskForm, { q }: RecallBody): AskForm => ({ ...form, ...UNFILTERED, q });

/** Returns the filters of a call: for each, the member of its body and its value as text. */
export const filtersOf = ({ scope, kinds, since, until, as_of }: RecallBody): [string, string][] =>
  [
    ['scope.user_id', scope.user_id] as const,
    ['scope.session_id', scope.session_id] as const,
    ['kinds', kinds?.map(kind => KIND_NAMES[kind]).join(', ')] as const,
    ['since', since?.slice(0, 10)] as const,
    ['until', until?.slice(0, 10)] as const,
    ['as_of', as_of?.slice(0, 16).replace('T', ' ')] as const,
  ].flatMap(([member, value]) => (value === undefined ? [] : [[member, value]]));

/** Ids are not trimmed: a trailing space is part of the id. */
const orUndefined = (id: string): string | undefined => (id === '' ? undefined : id);

/** Returns an instant or undefined. A date means the whole day, and `as_of` the whole minute. */
const at = (day: string, time: string): string | undefined => (day === '' ? undefined : `${day}${time}`);

/** Returns the call's body without empty fields. `utcOffset`: where it is asked, minutes to the east. */
export const bodyOf = (
  form: AskForm,
  organization: string,
  utcOffset = -new Date().getTimezoneOffset(),
): RecallBody => {
  const user = orUndefined(form.user);
  const session = orUndefined(form.session);
  const body: RecallBody = {
    scope: {
      org_id: organization,
      ...(user === undefined ? {} : { user_id: user }),
      ...(session === undefined ? {} : { session_id: session }),
    },
    q: form.q.trim(),
    mode: form.mode,
    include_timeline: form.timeline,
  };
  if (form.kinds.length < KINDS.length) body.kinds = [...form.kinds];
  const since = at(form.since, 'T00:00:00Z');
  const until = at(form.until, 'T23:59:59.999Z');
  const asOf = at(form.asOf, form.asOf.length === 16 ? ':59.999Z' : 'Z');
  if (since) body.since = since;
  if (until) body.until = until;
  if (asOf) body.as_of = asOf;
  if (utcOffset !== 0) body.utc_offset = utcOffset;
  if (form.topK !== '') body.top_k = Number(form.topK);
  if (form.receipt) body.receipt = true;
  return body;
};
