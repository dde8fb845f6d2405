import { useEffect, useId, useState } from 'react';
import { useSettled } from '../api/use-settled.ts';

/** A field that narrows a list while one types. `onChange` is called a moment after the last letter. */
export const Filter = ({
  label,
  value,
  onChange,
}: {
  label: string;
  /** As the address has it. */
  value: string;
  onChange: (value: string) => void;
}) => {
  const id = useId();
  const [text, setText] = useState(value);
  const settled = useSettled(text.trim());
  useEffect(() => setText(before => (before.trim() === value ? before : value)), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the address
  useEffect(() => {
    if (settled !== value) onChange(settled);
  }, [settled]);
  return (
    <div className="filter">
      <label htmlFor={id} className="hidden">
        {label}
      </label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        placeholder={label}
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </div>
  );
};
