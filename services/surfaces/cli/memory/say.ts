import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Stance } from '../../../../schemas/facts.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus } from '../../client/exit.ts';
import { instant } from '../../client/instant.ts';
import { scopeOf } from '../../client/named-scope.ts';
import type { Terminal } from '../../client/terminal.ts';
import { printStated } from './stated.ts';

export interface SayOptions {
  user?: string;
  session?: string;
  subject?: string;
  attribute?: string;
  about?: string;
  value?: string;
  stance?: Stance;
  since?: string;
  ended?: boolean;
  at?: string;
  json?: boolean;
}

/** `turnstone say "…"`: a fact that no turn says. Without `--at` saying it again stores nothing. */
export const say = async (terminal: Terminal, text: string, options: SayOptions): Promise<ExitStatus> => {
  const { user, session, subject, attribute, about, value, ended, stance } = options;
  const client = connect(terminal);
  const body = {
    scope: scopeOf({ user, session }),
    text,
    subject,
    attribute,
    about,
    value,
    valid_from: instant(options.since, '00:00:00.000'),
    ended,
    stance,
    timestamp: instant(options.at, '00:00:00.000'),
  };
  printStated(terminal, 'said', await client.call(operations.say(body)), options.json);
  return EXIT.ok;
};
