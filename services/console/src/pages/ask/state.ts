/** The question and its answer, kept while somebody looks at a hit's conversation and comes back. */
import { createContext, type Dispatch, type SetStateAction, useContext } from 'react';
import type { HIT_KINDS, RecallBody } from '../../../../../schemas/http/requests.ts';
import type { Recalled } from '../../api/types.ts';

export type Kind = (typeof HIT_KINDS)[number];
export const KINDS: readonly Kind[] = ['turn', 'observation', 'entity'];

/** As it stands in the fields. */
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
}

export interface Answered {
  /** What was asked, which the fields may not say any more. */
  body: RecallBody;
  answer: Recalled;
  /** From the click to the whole answer. */
  milliseconds: number;
}

export interface Asked {
  form: AskForm;
  answered: Answered | undefined;
}

export const firstAsk: Asked = {
  form: {
    q: '',
    mode: 'active',
    kinds: KINDS,
    user: '',
    session: '',
    since: '',
    until: '',
    asOf: '',
    topK: '',
    timeline: true,
  },
  answered: undefined,
};

interface Kept {
  asked: Asked;
  setAsked: Dispatch<SetStateAction<Asked>>;
}

export const AskState = createContext<Kept>({ asked: firstAsk, setAsked: () => {} });
export const useAsked = (): Kept => useContext(AskState);

const orUndefined = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

/** A day means all of it, a minute as of which is asked all of that minute. */
const at = (day: string, time: string): string | undefined => (day === '' ? undefined : `${day}${time}`);

/** The call's body: what is left empty is left out. */
export const bodyOf = (form: AskForm, organization: string): RecallBody => {
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
  if (form.topK !== '') body.top_k = Number(form.topK);
  return body;
};
