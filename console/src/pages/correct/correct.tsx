import { type FormEvent, useEffect, useRef, useState } from 'react';
import { correctObservation } from '../../api/calls.ts';
import type { StatedObservation } from '../../api/types.ts';
import { ErrorNotice } from '../../parts/frame/notices.tsx';
import { faultsOf } from '../../words/errors.ts';
import { Field } from '../ask/form/field.tsx';
import { Stored } from '../explorer/stored.tsx';
import { type Correctable, type CorrectionForm, correctionOf, formOf } from './correction.ts';
import './correct.css';

/** Shows a form in place of the observation. */
export const Correct = ({
  said,
  onDone,
}: {
  said: Correctable;
  /** Called with the corrected statement; undefined if it was cancelled. */
  onDone: (stated: StatedObservation | undefined) => void;
}) => {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(formOf(said));
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const [error, setError] = useState<unknown>();
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const body = correctionOf(said, values);
    setError(undefined);
    setFault(body ? '' : 'Nothing was changed yet.');
    if (!body) return;
    setBusy(true);
    try {
      onDone(await correctObservation(said.id, body));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };

  const faults = faultsOf(error);
  const field = (name: 'value' | 'text' | 'valid_from', member: keyof CorrectionForm) => ({
    name,
    fault: faults[name],
    value: values[member],
    onChange: (event: { target: { value: string } }) =>
      setValues(before => ({ ...before, [member]: event.target.value })),
  });
  return (
    <form
      ref={form}
      className="correct"
      aria-label={`Correct: ${said.text}`}
      noValidate
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Escape' && !busy) onDone(undefined);
      }}
    >
      <div className="fields">
        {said.attribute !== undefined && (
          <Field hint="" type="text" maxLength={1_024} {...field('value', 'value')} />
        )}
        <Field
          hint={said.attribute === undefined ? '' : 'unchanged: reworded'}
          type="text"
          maxLength={4_096}
          {...field('text', 'text')}
        />
        {said.attribute !== undefined && <Field hint="UTC" type="date" {...field('valid_from', 'since')} />}
      </div>
      <p className="fault" role="alert">
        {fault}
      </p>
      {error !== undefined && <ErrorNotice error={error} />}
      <p className="muted">
        What is corrected never held, wherever it was said by now. The turns stay as they were said.
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
          {busy ? 'Correcting …' : 'Correct'}
        </button>
      </div>
    </form>
  );
};

/** Announces the outcome. */
export const Corrected = ({ stated }: { stated: StatedObservation }) => (
  <span>
    Corrected: it says “<Stored>{stated.text}</Stored>” now.
  </span>
);

export interface Correcting {
  /** Id of the observation whose form is open. */
  id: string | undefined;
  toggle: (id: string, button: HTMLElement) => void;
  end: (stated: StatedObservation | undefined) => void;
}

/** Keeps which observation is being corrected; the button that opened its form gets the focus back. */
export const useCorrecting = (onCorrected: ((stated: StatedObservation) => void) | undefined): Correcting => {
  const [id, setId] = useState<string>();
  const opener = useRef<HTMLElement>(undefined);
  return {
    id,
    toggle: (toggled, button) => {
      opener.current = button;
      setId(before => (before === toggled ? undefined : toggled));
    },
    end: stated => {
      setId(undefined);
      if (stated) onCorrected?.(stated);
      else opener.current?.focus();
    },
  };
};
