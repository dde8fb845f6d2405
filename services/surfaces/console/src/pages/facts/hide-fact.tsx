import { type ReactNode, useRef, useState } from 'react';
import { hideObservation } from '../../api/calls.ts';
import type { FactItem, Me } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { may } from '../../parts/unless.tsx';
import { Stored } from '../explorer/stored.tsx';
import { inWords } from './known.ts';

export interface Hiding {
  /** Undefined for a key that may not write. */
  onHide: ((fact: FactItem) => void) | undefined;
  /** The dialog, and then its outcome. */
  notice: ReactNode;
}

/** Hides facts of a list that `reload` loads again. */
export const useHideFact = (me: Me, reload: () => void): Hiding => {
  const [hiding, setHiding] = useState<FactItem>();
  const [hidden, setHidden] = useState<FactItem>();
  const status = useRef<HTMLParagraphElement>(null);
  const end = (fact: FactItem, isDone: boolean): void => {
    setHiding(undefined);
    if (!isDone) return;
    setHidden(fact);
    // The focused button is removed together with its row.
    status.current?.focus();
    reload();
  };
  return {
    onHide: may(me, 'memory:write') ? setHiding : undefined,
    notice: (
      <>
        <p ref={status} role="status" tabIndex={-1} className={hidden === undefined ? 'hidden' : 'notice'}>
          {hidden !== undefined && (
            <span>
              “<Stored>{hidden.text}</Stored>” was hidden.
            </span>
          )}
        </p>
        {hiding && <HideFact fact={hiding} onDone={isDone => end(hiding, isDone)} />}
      </>
    ),
  };
};

const HideFact = ({ fact, onDone }: { fact: FactItem; onDone: (hidden: boolean) => void }) => {
  const others = fact.source_turn_ids.length - 1;
  return (
    <Confirm
      title={
        <>
          Hide {inWords(fact.attribute)}: <Stored>{fact.value}</Stored>?
        </>
      }
      verb="Hide"
      busyVerb="Hiding"
      act={() => hideObservation(fact.id)}
      onDone={onDone}
    >
      <p>
        It disappears from every answer, list and export, and the value before it holds again. Its turn stays.
        This can't be undone.
      </p>
      {others > 0 && (
        <p>
          {others === 1 ? 'Another turn says' : `${others} other turns say`} the same: until that is hidden
          too, the fact stays listed.
        </p>
      )}
    </Confirm>
  );
};
