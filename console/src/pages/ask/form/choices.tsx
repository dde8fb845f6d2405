import { useId } from 'react';
import { type AskForm, KIND_NAMES, KINDS, type Kind } from '../state.ts';

const MODES = [
  { mode: 'active', title: 'A single, fast pass' },
  { mode: 'deep', title: 'Searches again from the best hits' },
] as const;

/** The options of a question. */
export const Choices = ({ form, set }: { form: AskForm; set: (change: Partial<AskForm>) => void }) => {
  const group = useId();
  return (
    <div className="choices">
      <fieldset>
        <legend>Mode</legend>
        {MODES.map(({ mode, title }) => (
          <label key={mode} title={title}>
            <input type="radio" name={group} checked={form.mode === mode} onChange={() => set({ mode })} />
            {mode}
          </label>
        ))}
      </fieldset>
      <Kinds chosen={form.kinds} onChange={kinds => set({ kinds })} />
      <fieldset>
        <legend>Include</legend>
        <label>
          <input
            type="checkbox"
            checked={form.timeline}
            onChange={event => set({ timeline: event.target.checked })}
          />
          timeline
        </label>
        <label title="Keeps the answer for 90 days; bills one of tokens in for each hit">
          <input
            type="checkbox"
            checked={form.receipt}
            onChange={event => set({ receipt: event.target.checked })}
          />
          receipt
        </label>
      </fieldset>
    </div>
  );
};

const Kinds = ({ chosen, onChange }: { chosen: readonly Kind[]; onChange: (kinds: Kind[]) => void }) => (
  <fieldset>
    <legend>Kinds</legend>
    {KINDS.map(kind => {
      const isLast = chosen.length === 1 && chosen[0] === kind;
      return (
        <label key={kind} title={isLast ? 'At least one kind is required' : undefined}>
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            disabled={isLast}
            onChange={() => onChange(KINDS.filter(one => (one === kind) !== chosen.includes(one)))}
          />
          {KIND_NAMES[kind]}
        </label>
      );
    })}
  </fieldset>
);
