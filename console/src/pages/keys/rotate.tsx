import { useRef, useState } from 'react';
import { rotateApiKey } from '../../api/calls.ts';
import type { ApiKey } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { GRACE_BY_DEFAULT, GRACES } from './grace.ts';
import type { CreatedKey } from './new-key.tsx';

/** Asks how long the former key shall still work, and rotates it. `onDone`: undefined if it was cancelled. */
export const RotateKey = ({
  apiKey,
  onDone,
}: {
  apiKey: ApiKey;
  onDone: (made: CreatedKey | undefined) => void;
}) => {
  const [grace, setGrace] = useState(GRACE_BY_DEFAULT);
  const made = useRef<CreatedKey>(undefined);
  return (
    <Confirm
      title={
        <>
          Rotate <bdi>{apiKey.name}</bdi>?
        </>
      }
      verb="Rotate"
      busyVerb="Rotating"
      isGoneDone={false}
      act={async () => {
        made.current = { key: await rotateApiKey(apiKey.id, grace), graceSeconds: grace };
      }}
      onDone={() => onDone(made.current)}
    >
      <p>
        A new key takes the place of <code>{apiKey.prefix}…</code>, with its name, rights, end and addresses.
        Programs need its secret before the former one ends.
      </p>
      <div className="field">
        <label htmlFor="grace">The former key still works for</label>
        <select id="grace" value={grace} onChange={event => setGrace(Number(event.target.value))}>
          {GRACES.map(([seconds, words]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <p className="muted">If you signed in with this key, you will be signed out when it ends.</p>
    </Confirm>
  );
};
