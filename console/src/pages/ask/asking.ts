/** The question and its answer, kept while the reader visits a hit's conversation. */
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { RecallBody } from '../../../../schemas/http/recall.ts';
import { recall } from '../../api/calls.ts';
import { type Answered, type AskForm, bodyOf, firstForm } from './state.ts';

interface Asked {
  /** The call in progress; undefined once it is answered or has failed. */
  asking: RecallBody | undefined;
  answered: Answered | undefined;
  failed: { body: RecallBody; error: unknown } | undefined;
}

export interface Asking extends Asked {
  form: AskForm;
  /** The form of the last question asked; undefined before the first one. */
  askedForm: AskForm | undefined;
  setForm: (form: AskForm) => void;
  /** Asks what the form says. */
  ask: (form: AskForm, organization: string) => void;
  /** Shows the answer that was given before; asks if there was none. */
  showOrAsk: (form: AskForm, organization: string) => void;
}

const NOTHING: Asked = { asking: undefined, answered: undefined, failed: undefined };
/** Answers that are kept, so that Back shows them without another call. */
const MOST_ANSWERS = 20;

/** Whether both calls ask the same question, so that a second click is not billed again. */
export const isSame = (one: RecallBody, other: RecallBody | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Asks one question at a time: a new one replaces the previous one, whose answer is dropped. */
export const useAsking = (): Asking => {
  const [form, setForm] = useState(firstForm);
  const [askedForm, setAskedForm] = useState<AskForm>();
  const [asked, setAsked] = useState(NOTHING);
  const latest = useRef<{ body: RecallBody; dropped: AbortController }>(undefined);
  const answers = useRef(new Map<string, Answered>());
  useEffect(() => () => latest.current?.dropped.abort(), []);

  const call = useCallback((body: RecallBody): void => {
    latest.current?.dropped.abort();
    const dropped = new AbortController();
    const current = { body, dropped };
    latest.current = current;
    setAsked(({ answered }) => ({ ...NOTHING, asking: body, answered }));
    const end = (outcome: Partial<Asked>): void => {
      if (dropped.signal.aborted) return;
      latest.current = undefined;
      setAsked({ ...NOTHING, ...outcome });
    };
    const began = performance.now();
    // Only this page needs the explanation: the call shown for copying does not request it.
    recall({ ...body, explain: true }, dropped.signal).then(
      answer => {
        const answered = { body, answer, milliseconds: performance.now() - began };
        const kept = answers.current;
        kept.delete(JSON.stringify(body));
        kept.set(JSON.stringify(body), answered);
        if (kept.size > MOST_ANSWERS) kept.delete(kept.keys().next().value!);
        end({ answered });
      },
      error => end({ failed: { body, error } }),
    );
  }, []);

  const ask = useCallback(
    (form: AskForm, organization: string): void => {
      setForm(form);
      setAskedForm(form);
      call(bodyOf(form, organization));
    },
    [call],
  );

  const showOrAsk = useCallback(
    (form: AskForm, organization: string): void => {
      const body = bodyOf(form, organization);
      if (isSame(body, latest.current?.body)) return;
      const kept = answers.current.get(JSON.stringify(body));
      if (!kept) {
        ask(form, organization);
        return;
      }
      latest.current?.dropped.abort();
      latest.current = undefined;
      setForm(form);
      setAskedForm(form);
      setAsked({ ...NOTHING, answered: kept });
    },
    [ask],
  );

  return useMemo(
    () => ({ form, askedForm, setForm, ...asked, ask, showOrAsk }),
    [form, askedForm, asked, ask, showOrAsk],
  );
};

export const AskState = createContext<Asking | undefined>(undefined);
export const useAsked = (): Asking => useContext(AskState)!;
