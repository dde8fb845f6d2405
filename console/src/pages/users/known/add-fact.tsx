import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Me, StatedObservation } from '../../../api/types.ts';
import { say } from '../../../api/user-calls.ts';
import { ErrorNotice } from '../../../parts/frame/notices.tsx';
import { faultsOf } from '../../../words/errors.ts';
import { Field } from '../../ask/form/field.tsx';
import { bodyOfFact, type FactForm, firstFact } from './fact-form.ts';
import '../../correct/correct.css';

/** A form for a sentence about the user, and what it says of whom. */
export const AddFact = ({
  me,
  user,
  onDone,
}: {
  me: Me;
  user: string;
  /** Called with the statement; undefined if it was cancelled. */
  onDone: (stated: StatedObservation | undefined) => void;
}) => {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(firstFact);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      onDone(await say(bodyOfFact(values, { org_id: me.org_id, user_id: user })));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };

  const faults = faultsOf(error);
  const field = (name: string, member: keyof FactForm, hint: string, type = 'text') => (
    <Field
      name={name}
      hint={hint}
      type={type}
      fault={faults[name]}
      value={values[member]}
      onChange={event => setValues(before => ({ ...before, [member]: event.target.value }))}
    />
  );
  return (
    <form
      ref={form}
      className="correct card"
      aria-label="Add a fact"
      noValidate
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Escape' && !busy) onDone(undefined);
      }}
    >
      <div className="fields">
        {field('text', 'text', 'Grace lives in Lisbon.')}
        {field('subject', 'subject', 'empty: the user')}
        {field('attribute', 'attribute', 'home, employer, …')}
        {field('value', 'value', 'Lisbon')}
        {field('valid_from', 'since', 'UTC', 'date')}
        {field('scope.session_id', 'session', "empty: the key's own")}
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
      <p className="muted">
        Without an attribute it is a sentence that recalls find. It is billed like one sent with a turn.
      </p>
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
          {busy ? 'Adding …' : 'Add'}
        </button>
      </div>
    </form>
  );
};
