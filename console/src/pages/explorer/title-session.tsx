import { type FormEvent, useEffect, useRef, useState } from 'react';
import { titleSession } from '../../api/calls.ts';
import type { SessionItem } from '../../api/types.ts';
import { ErrorNotice } from '../../parts/frame/notices.tsx';
import { faultsOf } from '../../words/errors.ts';
import { Field } from '../ask/form/field.tsx';

/** Shows a form below the session; an empty title removes it. */
export const TitleSession = ({
  session,
  onDone,
}: {
  session: SessionItem;
  /** Called with the resulting session; undefined if it was cancelled. */
  onDone: (titled: SessionItem | undefined) => void;
}) => {
  const form = useRef<HTMLFormElement>(null);
  const [title, setTitle] = useState(session.title ?? '');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => form.current?.querySelector('input')?.select(), []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      onDone(await titleSession(session, title));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };

  return (
    <form
      ref={form}
      aria-label={`Title of ${session.session_id}`}
      noValidate
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Escape' && !busy) onDone(undefined);
      }}
    >
      <Field
        name="title"
        hint="nothing: no title"
        type="text"
        maxLength={256}
        fault={faultsOf(error).title}
        value={title}
        onChange={event => setTitle(event.target.value)}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <div className="buttons">
        <button
          type="button"
          className="small"
          onClick={() => busy || onDone(undefined)}
          aria-disabled={busy}
        >
          Cancel
        </button>
        <button type="submit" className="primary small" aria-disabled={busy}>
          {busy ? 'Saving …' : 'Save'}
        </button>
      </div>
    </form>
  );
};
