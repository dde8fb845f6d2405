import { type FormEvent, useState } from 'react';
import type { Me } from '../../api/types.ts';
import { ingest } from '../../api/user-calls.ts';
import { Code } from '../../parts/copy.tsx';
import { ErrorNotice } from '../../parts/frame/notices.tsx';
import { may } from '../../parts/unless.tsx';
import { firstTurn, ingestExample } from '../../words/snippets.ts';
import { SAMPLE_USER, storeSample } from './sample.ts';

const EXAMPLE = 'My sister Grace moved to Lisbon in March.';

/** The same from a shell. The example has its own user, which only `*` may name. */
const FromShell = ({ me }: { me: Me }) => (
  <details>
    <summary>From a shell</summary>
    <p>
      With your API key in <code>TURNSTONE_API_KEY</code>:
    </p>
    <Code text={firstTurn(window.location.origin, me.org_id)} what="curl lines that store a turn" />
    {me.roles.includes('*') && (
      <>
        <p>Or the sample, in the source folder:</p>
        <Code text={ingestExample(window.location.origin)} what="command that stores the example" />
      </>
    )}
  </details>
);

/** Stores a turn that is typed here, or a sample. */
export const StoreStep = ({ me, onStored }: { me: Me; onStored: () => void }) => {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (store: () => Promise<unknown>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await store();
      onStored();
    } catch (refused) {
      setError(refused);
    }
    setBusy(false);
  };
  const say = (event: FormEvent): void => {
    event.preventDefault();
    const turn = { role: 'user', text: text.trim() || EXAMPLE, timestamp: new Date().toISOString() };
    const scope = { org_id: me.org_id, session_id: 'first-visit' };
    void run(() => ingest({ scope, turns: [turn] }));
  };
  if (!may(me, 'memory:write')) return <FromShell me={me} />;
  return (
    <>
      <form className="question" onSubmit={say} aria-label="Store a turn">
        <label className="hidden" htmlFor="first-words">
          Something somebody said
        </label>
        <input
          id="first-words"
          type="text"
          autoComplete="off"
          maxLength={4_096}
          placeholder={EXAMPLE}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? 'Storing …' : 'Store it'}
        </button>
      </form>
      <div className="tools">
        <span className="muted">or</span>
        <button
          type="button"
          className="small"
          aria-disabled={busy}
          onClick={() =>
            void run(() =>
              storeSample(me.org_id, me.roles.includes('*') && !me.strict ? SAMPLE_USER : undefined),
            )
          }
        >
          Load a sample
        </button>
        <span className="muted">three conversations between Ada and Ben, seven turns</span>
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      <FromShell me={me} />
    </>
  );
};
