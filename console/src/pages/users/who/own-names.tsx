import { useState } from 'react';
import type { UserDetails } from '../../../api/types.ts';
import { nameUser } from '../../../api/user-calls.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Stored } from '../../explorer/stored.tsx';
import { namesIn } from './names-in.ts';

/** Sets all names of a user, by which their turns call them. */
export const OwnNames = ({
  details: { user_id, names },
  onDone,
}: {
  details: UserDetails;
  onDone: (isDone: boolean) => void;
}) => {
  const [text, setText] = useState(names.join('\n'));
  return (
    <Confirm
      title={
        <>
          Own names of <Stored>{user_id}</Stored>
        </>
      }
      verb="Set"
      busyVerb="Setting"
      isGoneDone={false}
      act={async () => void (await nameUser(user_id, namesIn(text)))}
      onDone={onDone}
    >
      <div className="field">
        <label htmlFor="own-names">
          Names <span className="muted">one a line, the first is shown</span>
        </label>
        <textarea id="own-names" rows={4} value={text} onChange={event => setText(event.target.value)} />
      </div>
      <p>
        The speaker “user” and these names are one person from now on: their facts are decided together. What
        was said stays as it was said.
      </p>
    </Confirm>
  );
};
