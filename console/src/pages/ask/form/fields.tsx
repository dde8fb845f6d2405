import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { AskForm } from '../state.ts';
import { checkForm, type Faults, focusFirst } from './check.ts';
import { Choices } from './choices.tsx';
import { Filters } from './filters.tsx';
import { UserField } from './user-field.tsx';

export const AskFields = ({
  form,
  isUserFixed,
  refused,
  busy,
  onChange,
  onAsk,
}: {
  form: AskForm;
  /** Whether the page says whose memory is asked. */
  isUserFixed: boolean;
  /** The faults that the service found in the last question. */
  refused: Faults;
  /** Whether exactly this question is being asked. */
  busy: boolean;
  onChange: (form: AskForm) => void;
  onAsk: () => void;
}) => {
  const fields = useRef<HTMLFormElement>(null);
  const question = useId();
  const why = useId();
  const [found, setFound] = useState<Faults>({});
  const faults = { ...refused, ...found };
  const set = (change: Partial<AskForm>): void => onChange({ ...form, ...change });
  useEffect(() => focusFirst(fields.current!, refused), [refused]);

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const own = checkForm(event.currentTarget);
    setFound(own);
    if (Object.keys(own).length > 0) focusFirst(event.currentTarget, own);
    else if (!busy) onAsk();
  };

  return (
    <form ref={fields} className="ask" onSubmit={submit} noValidate>
      <div className="question">
        <label className="hidden" htmlFor={question}>
          Question
        </label>
        <input
          id={question}
          name="q"
          type="search"
          autoComplete="off"
          placeholder="When did Ben fix the roof?"
          value={form.q}
          onChange={event => set({ q: event.target.value })}
          aria-invalid={faults.q !== undefined}
          aria-describedby={why}
        />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? 'Asking …' : 'Ask'}
        </button>
      </div>
      <p className="fault" id={why}>
        {faults.q}
      </p>
      {!isUserFixed && (
        <UserField value={form.user} fault={faults['scope.user_id']} onChange={user => set({ user })} />
      )}
      <Choices form={form} set={set} />
      <Filters form={form} faults={faults} set={set} />
    </form>
  );
};
