import { useRef, useState } from 'react';
import type { Me, UserDetails } from '../../../api/types.ts';
import { useLoad } from '../../../api/use-load.ts';
import { isInPath, nameUser, userDetails } from '../../../api/user-calls.ts';
import { ErrorNotice } from '../../../parts/frame/notices.tsx';
import { may } from '../../../parts/unless.tsx';
import { counted, dateOr } from '../../../words/numbers.ts';
import { Stored } from '../../explorer/stored.tsx';
import { OwnNames } from './own-names.tsx';

const Names = ({ details: { names } }: { details: UserDetails }) => {
  const [shown, ...others] = names;
  if (shown === undefined) return null;
  return (
    <>
      Is{' '}
      <strong>
        <Stored>{shown}</Stored>
      </strong>
      {others.length > 0 && (
        <>
          , also <Stored>{others.join(', ')}</Stored>
        </>
      )}
      {' · '}
    </>
  );
};

const Details = ({ me, details, reload }: { me: Me; details: UserDetails; reload: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const button = useRef<HTMLButtonElement>(null);
  const { user_id, names, suggested_names, sessions, turns, last_at } = details;
  const mayName = may(me, 'memory:curate');
  const accept = async (name: string): Promise<void> => {
    setError(undefined);
    try {
      await nameUser(user_id, [...names, name]);
      button.current?.focus();
      reload();
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <div className="who">
      <p>
        <Names details={details} />
        {counted(sessions, 'conversation')} · {counted(turns, 'turn')} · last {dateOr(last_at, 'unknown')}
      </p>
      {mayName && (
        <div className="tools">
          <button ref={button} type="button" className="small" onClick={() => setOpen(true)}>
            Own names
          </button>
          {suggested_names.map(name => (
            <button key={name} type="button" className="small" onClick={() => void accept(name)}>
              Said to be <Stored>{name}</Stored>: set
            </button>
          ))}
        </div>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      {isOpen && (
        <OwnNames
          details={details}
          onDone={isDone => {
            setOpen(false);
            if (isDone) reload();
          }}
        />
      )}
    </div>
  );
};

/** Tells who a user is: their own names, how much they said, and when last. */
export const Who = ({ me, user }: { me: Me; user: string }) => {
  const loaded = useLoad(`who ${user}`, async signal =>
    isInPath(user) ? userDetails(user, signal) : undefined,
  );
  // A key that is bound to one conversation may not see it. The sections below don't wait for it, and tell of
  // an outage; nothing moves when it comes.
  if (!loaded.value) return <p className="who muted">&nbsp;</p>;
  return <Details me={me} details={loaded.value} reload={loaded.reload} />;
};
