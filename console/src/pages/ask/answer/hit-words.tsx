import { useState } from 'react';
import type { ObservationHit, TurnHit } from '../../../api/types.ts';

/** Kinds of hits, as people call them. */
export const KIND_NAMES = { turn: 'turn', observation: 'fact', entity: 'name' } as const;

/** Shows the text of a hit: for a long turn its best passage, with a button for the whole text. */
export const Words = ({ hit }: { hit: TurnHit | ObservationHit }) => {
  const [isWhole, setWhole] = useState(false);
  const { content, part } = hit;
  if (!part)
    return (
      <p className="said" dir="auto">
        {content}
      </p>
    );
  const characters = Array.from(content);
  const between = (from: number, to?: number): string => characters.slice(from, to).join('');
  const [before, after] = [between(0, part.from), between(part.to)];
  return (
    <>
      <p className="said" dir="auto">
        {isWhole ? before : before.trim() && '… '}
        {isWhole ? <mark>{between(part.from, part.to)}</mark> : between(part.from, part.to)}
        {isWhole ? after : after.trim() && ' …'}
      </p>
      <button type="button" className="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show the part alone' : `Show the whole ${KIND_NAMES[hit.kind]}`}
      </button>
    </>
  );
};
