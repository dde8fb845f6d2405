import { hideTurn } from '../../../api/calls.ts';
import type { TurnItem } from '../../../api/types.ts';
import { Confirm } from '../../../parts/confirm.tsx';

export const HideTurn = ({ turn, onDone }: { turn: TurnItem; onDone: (hidden: boolean) => void }) => (
  <Confirm
    title="Hide this turn?"
    verb="Hide"
    busyVerb="Hiding"
    act={() => hideTurn(turn.id)}
    onDone={onDone}
  >
    <p>
      It disappears from every answer, list and export, with its facts and names. This can't be undone. Its
      words are destroyed only when its session is erased.
    </p>
  </Confirm>
);
