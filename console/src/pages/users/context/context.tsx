import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { recall } from '../../../api/calls.ts';
import type { Me } from '../../../api/types.ts';
import { useLoad } from '../../../api/use-load.ts';
import { Code } from '../../../parts/copy.tsx';
import { ErrorNotice, Loading } from '../../../parts/frame/notices.tsx';
import { ASKED, userPath } from '../../../paths.ts';
import { confidenceInWords } from '../../../words/confidence.ts';
import { counted, number } from '../../../words/numbers.ts';
import { budgetAt, LAST_STEP, stepOf } from './budgets.ts';

/** Milliseconds that the slider rests before the context is asked for again: each is billed. */
const RESTS_MS = 500;

const contextOf = (me: Me, user: string, q: string, budget: number, signal: AbortSignal) =>
  recall(
    {
      scope: { org_id: me.org_id, user_id: user },
      q,
      include_hits: false,
      context_max_tokens: budget,
    },
    signal,
  );

const Rendered = ({ me, user, q, budget }: { me: Me; user: string; q: string; budget: number }) => {
  const loaded = useLoad(JSON.stringify([user, q, budget]), signal => contextOf(me, user, q, budget, signal));
  const { value } = loaded;
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} retry={loaded.reload} />;
  if (!value) return <Loading what="the context" />;
  const { context, confidence, usage } = value;
  return (
    <section aria-labelledby="rendered">
      <h2 id="rendered">{context === null ? 'Nothing to quote' : counted(usage.tokens_out, 'token')}</h2>
      <p className="muted" role="status">
        {context === null
          ? 'Nothing was found, or nothing fits into so few tokens.'
          : `Of ${number(budget)} that it may have; ${confidenceInWords(confidence)} (confidence ${confidence.toFixed(2)}).`}{' '}
        Billed: {number(usage.tokens_in)} in, {number(usage.tokens_out)} out.
      </p>
      {context !== null && (
        <>
          <div className="bar-meter" aria-hidden="true">
            <div style={{ inlineSize: `${Math.min(usage.tokens_out / budget, 1) * 100}%` }} />
          </div>
          <div className="wrapped">
            <Code text={context} what="the context" />
          </div>
        </>
      )}
    </section>
  );
};

/** A question's context as it would go into a prompt, with its budget as a slider. */
export const Context = ({ me, user, search }: { me: Me; user: string; search: URLSearchParams }) => {
  const [, go] = useLocation();
  const q = search.get('q') ?? '';
  const budget = budgetAt(stepOf(Number(search.get('budget') ?? Number.NaN)));
  const [text, setText] = useState(q);
  const [step, setStep] = useState(stepOf(budget));
  useEffect(() => setText(q), [q]);
  useEffect(() => setStep(stepOf(budget)), [budget]);
  const state = useHistoryState<{ asked?: unknown } | null>();
  // A link fills the form; only a person asks, since it is billed.
  const isAsked = q !== '' && state?.asked === true;

  const show = (question: string, tokens: number, replace: boolean): void =>
    go(userPath(user, 'context', { q: question, budget: String(tokens) }), {
      replace,
      ...(question === '' ? {} : { state: ASKED }),
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the slider's rest asks again
  useEffect(() => {
    if (budgetAt(step) === budget || !isAsked) return;
    const rests = setTimeout(() => show(q, budgetAt(step), true), RESTS_MS);
    return () => clearTimeout(rests);
  }, [step]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') show(text.trim(), budgetAt(step), text.trim() === q);
  };

  return (
    <>
      <form className="ask" onSubmit={submit} aria-label="Context">
        <div className="question">
          <label className="hidden" htmlFor="context-question">
            Question
          </label>
          <input
            id="context-question"
            type="search"
            autoComplete="off"
            placeholder="What the user asks now"
            value={text}
            onChange={event => setText(event.target.value)}
          />
          <button type="submit" className="primary">
            Show
          </button>
        </div>
        <div className="budget">
          <label htmlFor="budget">Budget</label>
          <input
            id="budget"
            type="range"
            min={0}
            max={LAST_STEP}
            value={step}
            aria-valuetext={`${number(budgetAt(step))} tokens`}
            onChange={event => setStep(Number(event.target.value))}
          />
          <output htmlFor="budget">{number(budgetAt(step))} tokens</output>
        </div>
      </form>
      {isAsked ? (
        <Rendered me={me} user={user} q={q} budget={budget} />
      ) : (
        <p className="muted">
          What holds and what was said, as one text for a prompt. It is billed like any recall.
        </p>
      )}
    </>
  );
};
