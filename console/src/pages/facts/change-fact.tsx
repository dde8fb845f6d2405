import { type ReactNode, useRef, useState } from 'react';
import { hideObservation } from '../../api/calls.ts';
import type { FactItem, Me } from '../../api/types.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { may } from '../../parts/unless.tsx';
import { Corrected } from '../correct/correct.tsx';
import { Stored } from '../explorer/stored.tsx';
import type { FactActions } from './fact-table.tsx';
import { inWords } from './known.ts';

export interface Changing {
  /** Undefined for a key that may not write. */
  actions: FactActions | undefined;
  /** The dialog, then the outcome. */
  notice: ReactNode;
}

/** Hides and corrects facts of a list that `reload` loads again. */
export const useChangeFact = (me: Me, reload: () => void): Changing => {
  const [hiding, setHiding] = useState<FactItem>();
  const [outcome, setOutcome] = useState<ReactNode>();
  const status = useRef<HTMLParagraphElement>(null);
  const tell = (told: ReactNode): void => {
    setOutcome(told);
    // The focused element is removed together with its row.
    status.current?.focus();
    reload();
  };
  const end = (fact: FactItem, isDone: boolean): void => {
    setHiding(undefined);
    if (isDone)
      tell(
        <span>
          “<Stored>{fact.text}</Stored>” was hidden.
        </span>,
      );
  };
  return {
    actions: may(me, 'memory:curate')
      ? { onHide: setHiding, onCorrected: stated => tell(<Corrected stated={stated} />) }
      : undefined,
    notice: (
      <>
        <p ref={status} role="status" tabIndex={-1} className={outcome === undefined ? 'hidden' : 'notice'}>
          {outcome}
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
