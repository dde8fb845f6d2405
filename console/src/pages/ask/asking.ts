/** The question and its answer, kept while the reader visits a hit's conversation. */
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { RecallBody } from '../../../../schemas/http/recall.ts';
import { recall } from '../../api/calls.ts';
import { type Answered, type AskForm, firstForm } from './state.ts';

interface Asked {
  /** The call in progress; undefined once it is answered or has failed. */
  asking: RecallBody | undefined;
  answered: Answered | undefined;
  failed: { body: RecallBody; error: unknown } | undefined;
}

interface Asking extends Asked {
  form: AskForm;
  setForm: (form: AskForm) => void;
  ask: (body: RecallBody) => void;
}

const NOTHING: Asked = { asking: undefined, answered: undefined, failed: undefined };

/** Asks one question at a time: a new one replaces the previous one, whose answer is dropped. */
export const useAsking = (): Asking => {
  const [form, setForm] = useState(firstForm);
  const [asked, setAsked] = useState(NOTHING);
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);

  const ask = useCallback((body: RecallBody): void => {
    latest.current?.abort();
    const dropped = new AbortController();
    latest.current = dropped;
    setAsked(({ answered }) => ({ ...NOTHING, asking: body, answered }));
    const end = (outcome: Partial<Asked>): void => {
      if (!dropped.signal.aborted) setAsked({ ...NOTHING, ...outcome });
    };
    const began = performance.now();
    // Only this page needs the explanation: the call shown for copying does not request it.
    recall({ ...body, explain: true }, dropped.signal).then(
      answer => end({ answered: { body, answer, milliseconds: performance.now() - began } }),
      error => end({ failed: { body, error } }),
    );
  }, []);

  return useMemo(() => ({ form, setForm, ...asked, ask }), [form, asked, ask]);
};

export const AskState = createContext<Asking | undefined>(undefined);
export const useAsked = (): Asking => useContext(AskState)!;

/** Whether both calls ask the same question, so that a second click is not billed again. */
export const isSame = (one: RecallBody, other: RecallBody | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
