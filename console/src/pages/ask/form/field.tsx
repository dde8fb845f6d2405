import { type InputHTMLAttributes, useId } from 'react';
import { LABELS } from '../../../words/labels.ts';

/** A filter of a question, named after the member of the call that it sets. */
export const Field = ({
  name,
  hint,
  fault,
  ...input
}: { name: string; hint: string; fault: string | undefined } & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  const why = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {LABELS[name]} <span className="muted">{hint}</span>
      </label>
      <input
        {...input}
        id={id}
        name={name}
        autoComplete="off"
        aria-invalid={fault !== undefined}
        aria-describedby={why}
      />
      <p className="fault" id={why}>
        {fault}
      </p>
    </div>
  );
};
