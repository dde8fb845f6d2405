import { useState } from 'react';
import type { Me, StatedObservation } from '../../../api/types.ts';
import { may } from '../../../parts/unless.tsx';
import { Stored } from '../../explorer/stored.tsx';
import { OfUser } from '../../facts/of-user.tsx';
import { AddFact } from './add-fact.tsx';

/** Shows what is known of a user, and a form to add to it. */
export const Known = ({ me, user }: { me: Me; user: string }) => {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<StatedObservation>();
  return (
    <>
      {may(me, 'memory:write') && !isOpen && (
        <div className="tools">
          <button type="button" className="small" onClick={() => setOpen(true)}>
            Add a fact
          </button>
        </div>
      )}
      {isOpen && (
        <AddFact
          me={me}
          user={user}
          onDone={stated => {
            setOpen(false);
            if (stated) setAdded(stated);
          }}
        />
      )}
      <p role="status" className={added ? 'notice' : 'hidden'}>
        {added && (
          <span>
            Added: “<Stored>{added.text ?? ''}</Stored>”
          </span>
        )}
      </p>
      <OfUser key={added?.id} me={me} user={user} />
    </>
  );
};
