import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Verdict } from '../../../../schemas/events/curation/judgement.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { print, type Terminal } from '../../client/terminal.ts';

/** `turnstone feedback RECEIPT HIT VERDICT`: what a hit of that recall was worth. */
export const feedback = async (
  terminal: Terminal,
  [receipt, hit, verdict]: [string, string, Verdict],
): Promise<ExitStatus> => {
  const answer = await connect(terminal).call(operations.giveFeedback(receipt, { hit_id: hit, verdict }));
  print(terminal, `${answer.hit_id}: ${answer.verdict}`);
  return EXIT.ok;
};
