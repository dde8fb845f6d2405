import * as operations from '../../../../clients/typescript/src/operations.ts';
import { answerOf, type Client } from '../../client/client.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { type NamedFragment, namedFragment } from '../../client/fragment-id.ts';
import { print, printable, type Terminal, warn } from '../../client/terminal.ts';

/** Throws a failure that names all faulty ids: nothing is hidden if one of them is a slip. */
const checked = (ids: readonly string[]): NamedFragment[] => {
  const named = [...new Set(ids)].map(id => namedFragment(id) ?? id);
  const faulty = named.filter(one => typeof one === 'string');
  if (faulty.length > 0)
    throw failure(
      EXIT.usage,
      `neither the id of a turn (trn_…) nor of an observation (obs_…): ${faulty.map(id => printable(id) || '(empty)').join(', ')}; nothing was hidden`,
    );
  return named.filter(one => typeof one !== 'string');
};

/** Whether there was such a turn or observation. */
const hide = async (client: Client, { id, what }: NamedFragment): Promise<boolean> => {
  try {
    await client.call(what === 'turn' ? operations.retractTurn(id) : operations.retractObservation(id));
    return true;
  } catch (error) {
    if (answerOf(error)?.status !== 404) throw error;
    return false;
  }
};

/** `turnstone forget ID…`: 1 when one of them does not exist; the others are hidden all the same. */
export const forget = async (terminal: Terminal, ids: readonly string[]): Promise<ExitStatus> => {
  const named = checked(ids);
  const client = connect(terminal);
  let missing = 0;
  for (const one of named) {
    if (await hide(client, one)) {
      print(terminal, `hidden: ${one.what} ${one.id}`);
    } else {
      warn(terminal, `there is no such ${one.what}: ${one.id}`);
      missing += 1;
    }
  }
  return missing > 0 ? EXIT.failure : EXIT.ok;
};
