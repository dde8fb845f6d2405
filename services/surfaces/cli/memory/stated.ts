import type { StatedObservation } from '../../../../schemas/http/curation.ts';
import type { OnlyId } from '../../../../schemas/http/parts/parts.ts';
import { factInWords } from '../../client/recalled.ts';
import { print, printable, printJson, type Terminal } from '../../client/terminal.ts';

/** Said to a key without memory:read: it gets the id alone. */
export const UNTOLD = 'this key may not read whether that changed anything';

/**
 * Prints what an observation says now, below `done: ID`; `said before: ID` if it was stored already and
 * nothing was billed.
 */
export const printStated = (
  terminal: Terminal,
  done: string,
  stated: StatedObservation | OnlyId,
  isJson = false,
): void => {
  if (isJson) {
    printJson(terminal, stated, 2);
    return;
  }
  if (!('text' in stated)) {
    print(terminal, `${done}: ${stated.id}; ${UNTOLD}`);
    return;
  }
  const { id, text, user_id, session_id, valid_from, usage } = stated;
  const fact = factInWords(stated);
  const details = [
    fact,
    fact && valid_from && `since ${valid_from.slice(0, 10)}`,
    `${user_id} / ${session_id}`,
  ].filter(part => part);
  print(terminal, `${usage.tokens_in === 0 ? 'said before' : done}: ${id}`);
  print(terminal, `  ${printable(text)}`);
  print(terminal, `  ${printable(details.join(' · '))}`);
};
