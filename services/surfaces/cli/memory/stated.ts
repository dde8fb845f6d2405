import type { StatedObservation } from '../../../../schemas/http/curation.ts';
import { factInWords } from '../../client/recalled.ts';
import { print, printable, printJson, type Terminal } from '../../client/terminal.ts';

/**
 * Prints what an observation says now, below `done: ID`; `said before: ID` if it was stored already and
 * nothing was billed.
 */
export const printStated = (
  terminal: Terminal,
  done: string,
  stated: StatedObservation,
  isJson = false,
): void => {
  if (isJson) {
    printJson(terminal, stated, 2);
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
