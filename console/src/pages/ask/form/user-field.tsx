import { useId } from 'react';
import { users } from '../../../api/calls.ts';
import { findUsers } from '../../../api/lists/find.ts';
import { useLoad } from '../../../api/use-load.ts';
import { useSettled } from '../../../api/use-settled.ts';
import { Field } from './field.tsx';

/** Returns users to choose from: those with the typed words in them, or the last active ones. */
const suggested = async (typed: string, signal: AbortSignal): Promise<string[]> => {
  const items =
    typed === ''
      ? (await users({ limit: 50 }, signal)).users
      : await findUsers({ q: typed, limit: 50 }, signal);
  return items.map(({ user_id }) => user_id);
};

/** The user whose memory is asked, in sight because most answers depend on it. */
export const UserField = ({
  value,
  fault,
  onChange,
}: {
  value: string;
  fault: string | undefined;
  onChange: (user: string) => void;
}) => {
  const known = useId();
  const typed = useSettled(value.trim());
  const { value: offered } = useLoad(`users like ${typed}`, signal => suggested(typed, signal));
  return (
    <>
      <Field
        name="scope.user_id"
        hint="empty: all that the key may read"
        type="text"
        list={known}
        fault={fault}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
      <datalist id={known}>
        {offered?.map(user => (
          <option key={user} value={user} />
        ))}
      </datalist>
    </>
  );
};
