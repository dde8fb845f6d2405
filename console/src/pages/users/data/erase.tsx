import { useRef, useState } from 'react';
import type { Erased, Me } from '../../../api/types.ts';
import { erase } from '../../../api/user-calls.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Code } from '../../../parts/copy.tsx';
import { save } from '../../../parts/save.ts';
import { Unless } from '../../../parts/unless.tsx';
import { counted, dateTime } from '../../../words/numbers.ts';
import { Stored } from '../../explorer/stored.tsx';

/** The signed receipt of an erasure, which nothing shows again. */
const ErasureReceipt = ({ erased: { erased, erased_at, receipt } }: { erased: Erased }) => (
  <>
    <p>
      {counted(erased.turns, 'turn')}, {counted(erased.observations, 'fact')},{' '}
      {counted(erased.entities, 'name')} in {counted(erased.sessions, 'conversation')} were erased on{' '}
      {dateTime(erased_at)} UTC.
    </p>
    <p>This is the receipt, signed by the service. Keep it: it is not shown again.</p>
    <div className="wrapped">
      <Code text={receipt} what="the receipt" />
    </div>
    <p>
      <button
        type="button"
        onClick={() => save([receipt, '\n'], `erasure-${erased_at.slice(0, 10)}.jws`, 'application/jose')}
      >
        Download the receipt
      </button>
    </p>
  </>
);

/** Asks for the user's id before the button works: an erasure can't be undone. */
const ConfirmErasure = ({ user, onDone }: { user: string; onDone: (erased: Erased | undefined) => void }) => {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState('');
  let erased: Erased | undefined;
  return (
    <Confirm
      title={
        <>
          Erase <Stored>{user}</Stored> for good?
        </>
      }
      verb="Erase"
      busyVerb="Erasing"
      isGoneDone={false}
      mayAct={() => {
        const isRight = typed === user;
        setFault(isRight ? '' : 'This is not the id of the user.');
        return isRight;
      }}
      act={async () => {
        erased = await erase({ user_id: user });
      }}
      onDone={() => onDone(erased)}
    >
      <p>
        All that they said, and all that was found in it, becomes unreadable, in the log and in backups too.
        Billed usage stays. This can't be undone.
      </p>
      <div className="field">
        <label htmlFor="erased-user">Type the id of the user</label>
        <input
          id="erased-user"
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          aria-invalid={fault !== ''}
          aria-describedby="erase-fault"
        />
        <p className="fault" id="erase-fault" role="alert">
          {fault}
        </p>
      </div>
    </Confirm>
  );
};

export const EraseUser = ({ me, user }: { me: Me; user: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAsked, setAsked] = useState(false);
  const [erased, setErased] = useState<Erased>();
  return (
    <section aria-labelledby="erase">
      <h2 id="erase" ref={heading} tabIndex={-1}>
        {erased ? 'Erased' : 'Erase'}
      </h2>
      {erased ? (
        <ErasureReceipt erased={erased} />
      ) : (
        <Unless me={me} needs="memory:erase" what="erase">
          <p>Destroys what this user said and what was found in it. The receipt proves when, and how much.</p>
          <p>
            <button type="button" className="danger" onClick={() => setAsked(true)}>
              Erase this user
            </button>
          </p>
        </Unless>
      )}
      {isAsked && (
        <ConfirmErasure
          user={user}
          onDone={done => {
            setAsked(false);
            if (!done) return;
            setErased(done);
            // The focused button is gone.
            heading.current?.focus();
          }}
        />
      )}
    </section>
  );
};
