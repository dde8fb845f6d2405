import type { AskForm } from '../state.ts';
import type { Faults } from './check.ts';
import { Field } from './field.tsx';

/** Shows the filters. The browser validates `min` and `max`; its messages are shown beside the field. */
export const Filters = ({
  form,
  faults,
  set,
}: {
  form: AskForm;
  faults: Faults;
  set: (change: Partial<AskForm>) => void;
}) => {
  /** Returns the props of a field bound to a text of the form. */
  const text = (member: string, name: 'session' | 'since' | 'until' | 'asOf' | 'topK') => ({
    name: member,
    fault: faults[member],
    value: form[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });
  return (
    <details>
      <summary>Filters</summary>
      <div className="fields">
        <Field hint="empty: all" type="text" {...text('scope.session_id', 'session')} />
        <Field hint="UTC" type="date" {...text('since', 'since')} />
        <Field hint="UTC" type="date" min={form.since} {...text('until', 'until')} />
        <Field hint="UTC, at least two minutes ago" type="datetime-local" {...text('as_of', 'asOf')} />
        <Field
          hint="1 to 30"
          type="number"
          min={1}
          max={30}
          placeholder={form.mode === 'deep' ? '25' : '15'}
          {...text('top_k', 'topK')}
        />
      </div>
    </details>
  );
};
