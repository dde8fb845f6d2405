import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import { users } from '../../api/calls.ts';
import { useLoad } from '../../api/use-load.ts';
import { type AskForm, KINDS, type Kind } from './state.ts';

const KIND_NAMES: Record<Kind, string> = { turn: 'turns', observation: 'facts', entity: 'names' };

const Field = ({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string;
  children: (id: string) => ReactNode;
}) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {hint && <span className="muted">{hint}</span>}
      </label>
      {children(id)}
    </div>
  );
};

export const AskFields = ({
  form,
  busy,
  onChange,
  onAsk,
}: {
  form: AskForm;
  busy: boolean;
  onChange: (form: AskForm) => void;
  onAsk: () => void;
}) => {
  const known = useId();
  const question = useRef<HTMLInputElement>(null);
  const listed = useLoad('users', signal => users({ limit: 200 }, signal));
  const set = (change: Partial<AskForm>): void => onChange({ ...form, ...change });
  /** A field whose text is the form's as it is. */
  const text = (name: 'user' | 'session' | 'since' | 'until' | 'asOf' | 'topK') => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.q.trim() === '') question.current?.focus();
    else onAsk();
  };
  const toggle = (kind: Kind): void => {
    const kinds = KINDS.filter(one => (one === kind ? !form.kinds.includes(one) : form.kinds.includes(one)));
    if (kinds.length > 0) set({ kinds });
  };

  return (
    <form className="ask" onSubmit={submit} noValidate>
      <div className="question">
        <label className="hidden" htmlFor="q">
          Question
        </label>
        <input
          ref={question}
          id="q"
          type="search"
          autoComplete="off"
          placeholder="When did Ben fix the roof?"
          value={form.q}
          onChange={event => set({ q: event.target.value })}
        />
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Asking …' : 'Ask'}
        </button>
      </div>
      <div className="choices">
        <fieldset>
          <legend>Mode</legend>
          {(['active', 'deep'] as const).map(mode => (
            <label key={mode} title={mode === 'active' ? 'One pass, fast' : 'Follows the best hits to more'}>
              <input type="radio" name="mode" checked={form.mode === mode} onChange={() => set({ mode })} />
              {mode}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Kinds</legend>
          {KINDS.map(kind => (
            <label key={kind}>
              <input type="checkbox" checked={form.kinds.includes(kind)} onChange={() => toggle(kind)} />
              {KIND_NAMES[kind]}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Also</legend>
          <label>
            <input
              type="checkbox"
              checked={form.timeline}
              onChange={event => set({ timeline: event.target.checked })}
            />
            timeline
          </label>
        </fieldset>
      </div>
      <details>
        <summary>Where, when and how many</summary>
        <div className="fields">
          <Field label="User" hint="empty: all that the key may see">
            {id => <input id={id} type="text" autoComplete="off" list={known} {...text('user')} />}
          </Field>
          <datalist id={known}>
            {listed.value?.users.map(({ user_id }) => (
              <option key={user_id} value={user_id} />
            ))}
          </datalist>
          <Field label="Session" hint="empty: all">
            {id => <input id={id} type="text" autoComplete="off" {...text('session')} />}
          </Field>
          <Field label="Said from" hint="UTC">
            {id => <input id={id} type="date" {...text('since')} />}
          </Field>
          <Field label="Said until" hint="UTC">
            {id => <input id={id} type="date" {...text('until')} />}
          </Field>
          <Field label="As known at" hint="UTC, at least two minutes ago">
            {id => <input id={id} type="datetime-local" {...text('asOf')} />}
          </Field>
          <Field label="Most hits" hint="1 to 30">
            {id => (
              <input
                id={id}
                type="number"
                min={1}
                max={30}
                placeholder={form.mode === 'deep' ? '25' : '15'}
                {...text('topK')}
              />
            )}
          </Field>
        </div>
      </details>
    </form>
  );
};
