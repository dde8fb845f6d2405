import { type FormEvent, useEffect, useRef, useState } from 'react';
import { recall } from '../../api/calls.ts';
import type { Me, Recalled } from '../../api/types.ts';
import { ErrorNotice } from '../../parts/frame/notices.tsx';
import { confidenceInWords } from '../../words/confidence.ts';

const EXAMPLE = 'Where does Grace live?';

/** Asks a question, and shows the turns that answer it. */
export const AskStep = ({ me, onAsked }: { me: Me; onAsked: () => void }) => {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Recalled>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    // The form before it had the focus, and is gone.
    if (document.activeElement === document.body) field.current?.focus();
  }, []);
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const q = text.trim() || EXAMPLE;
      setAnswer(await recall({ scope: { org_id: me.org_id }, q, kinds: ['turn'], top_k: 3 }));
      onAsked();
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  const turns = answer?.hits.turns ?? [];
  return (
    <>
      <form className="question" onSubmit={ask} aria-label="Get it back">
        <label className="hidden" htmlFor="first-question">
          What you want to know
        </label>
        <input
          ref={field}
          id="first-question"
          type="text"
          autoComplete="off"
          placeholder={EXAMPLE}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? 'Looking …' : 'Get it back'}
        </button>
      </form>
      {error !== undefined && <ErrorNotice error={error} />}
      <div role="status">
        {answer && (
          <>
            <p>
              {turns.length === 0
                ? 'Nothing was found.'
                : `It is ${confidenceInWords(answer.confidence)} (confidence ${answer.confidence.toFixed(2)}):`}
            </p>
            <ol className="said-in">
              {turns.map(({ id, role, content }) => (
                <li key={id}>
                  <bdi>{role}</bdi>: <bdi>{content}</bdi>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </>
  );
};
