import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Stance } from '../../../../schemas/facts.ts';
import { answerOf } from '../../client/client.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { namedFragment } from '../../client/fragment-id.ts';
import { instant } from '../../client/instant.ts';
import { printable, type Terminal } from '../../client/terminal.ts';
import { printStated } from './stated.ts';

export interface CorrectOptions {
  value?: string;
  text?: string;
  subject?: string;
  attribute?: string;
  about?: string;
  stance?: Stance;
  since?: string;
  json?: boolean;
}

const checkId = (id: string): void => {
  const named = namedFragment(id);
  if (named?.what === 'observation') return;
  const why = named ? '; what was said in a turn is not corrected, only hidden: turnstone forget' : '';
  throw failure(
    EXIT.usage,
    `not the id of an observation or fact (obs_…): ${printable(id) || '(empty)'}${why}; nothing was corrected`,
  );
};

/** `turnstone correct ID`: prints what it says now. */
export const correct = async (
  terminal: Terminal,
  id: string,
  { since, json, ...members }: CorrectOptions,
): Promise<ExitStatus> => {
  checkId(id);
  const body = { ...members, valid_from: instant(since, '00:00:00.000') };
  if (Object.values(body).every(value => value === undefined))
    throw failure(
      EXIT.usage,
      'say what to correct: --value, --text, --subject, --attribute, --about, --stance or --since; nothing was corrected',
    );
  try {
    const answer = await connect(terminal).call(operations.correct(id, body));
    printStated(terminal, 'corrected', answer, json);
    return EXIT.ok;
  } catch (error) {
    if (answerOf(error)?.status !== 404) throw error;
    throw failure(EXIT.failure, `there is no such observation: ${id}`);
  }
};
