import { type FormEvent, useState } from 'react';
import { setRetention } from '../../api/calls.ts';
import type { Retention } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { keptFor } from './kept-for.ts';

const MOST_DAYS = 36_500;

/** Sets the retention. A shorter one removes older turns a day later and for good, so it is confirmed. */
export const SetRetention = ({ value, onSet }: { value: Retention; onSet: () => void }) => {
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const [asked, setAsked] = useState<{ days: number | null }>();
  const days = text.trim() === '' ? null : Number(text);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isRight = days === null || (Number.isInteger(days) && days >= 1 && days <= MOST_DAYS);
    setFault(isRight ? '' : `Give whole days, 1 to ${MOST_DAYS}, or nothing.`);
    if (isRight) setAsked({ days });
  };

  return (
    <form className="card" onSubmit={submit} noValidate aria-label="Set the retention">
      <div className="field">
        <label htmlFor="retention-days">
          Days <span className="muted">nothing: for ever</span>
        </label>
        <input
          id="retention-days"
          type="text"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={event => setText(event.target.value)}
          aria-invalid={fault !== ''}
          aria-describedby="retention-fault"
        />
      </div>
      <p id="retention-fault" role="alert" className={fault === '' ? 'hidden' : 'fault'}>
        {fault}
      </p>
      <button type="submit">Set</button>
      {asked && (
        <Confirm
          title={`Keep it ${keptFor(asked.days)}?`}
          verb="Set"
          busyVerb="Setting"
          act={async () => void (await setRetention(asked.days))}
          onDone={isDone => {
            setAsked(undefined);
            if (!isDone) return;
            setText('');
            onSet();
          }}
        >
          <p>
            In 24 hours what has no expiry of its own, and is older, disappears from every answer. Until then{' '}
            {keptFor(value.days)} holds, and you can set another. What has gone does not come back.
          </p>
        </Confirm>
      )}
    </form>
  );
};
