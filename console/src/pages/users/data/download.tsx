import { useEffect, useRef, useState } from 'react';
import { factLines, turnLines } from '../../../api/lists/download.ts';
import { ErrorNotice } from '../../../parts/frame/notices.tsx';
import { save } from '../../../parts/save.ts';
import { counted } from '../../../words/numbers.ts';

const KINDS = {
  turns: { one: 'turn', read: turnLines },
  facts: { one: 'fact', read: factLines },
} as const;
type Kind = keyof typeof KINDS;

type State = { kind: Kind; read: number } | { saved: string } | { kind: Kind; error: unknown } | undefined;

/** Returns a name that every file system takes. */
const fileName = (user: string, kind: Kind): string =>
  `${user.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80)}-${kind}.jsonl`;

/** Saves the words or the facts of a user as a file. */
export const Download = ({ user }: { user: string }) => {
  const [state, setState] = useState<State>();
  const gone = useRef<AbortController>(undefined);
  useEffect(() => () => gone.current?.abort(), []);
  const isBusy = state !== undefined && 'read' in state;
  const start = async (kind: Kind): Promise<void> => {
    if (isBusy) return;
    const stopped = new AbortController();
    gone.current = stopped;
    const { one, read } = KINDS[kind];
    setState({ kind, read: 0 });
    try {
      const lines = await read(user, count => setState({ kind, read: count }), stopped.signal);
      save(lines, fileName(user, kind), 'application/x-ndjson');
      setState({ saved: `${counted(lines.length, one)} saved.` });
    } catch (error) {
      if (!stopped.signal.aborted) setState({ kind, error });
    }
  };
  return (
    <section aria-labelledby="download">
      <h2 id="download">Download</h2>
      <p>
        What the lists have of this user, a line of JSON each. <code>turnstone ingest</code> reads the turns
        again. An export with everything that was recorded is <code>turnstone export</code>.
      </p>
      <div className="tools">
        {(Object.keys(KINDS) as Kind[]).map(kind => (
          <button key={kind} type="button" aria-disabled={isBusy} onClick={() => void start(kind)}>
            Download {kind}
          </button>
        ))}
      </div>
      <p role="status" className="muted">
        {state && 'read' in state && `${counted(state.read, KINDS[state.kind].one)} read …`}
        {state && 'saved' in state && state.saved}
      </p>
      {state && 'error' in state && <ErrorNotice error={state.error} retry={() => void start(state.kind)} />}
    </section>
  );
};
