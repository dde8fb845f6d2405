import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { ReceiptAnswer, ReceiptHitItem } from '../../../../schemas/http/receipts.ts';
import { connect } from '../../client/connection.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { confidenceInWords } from '../../client/recalled.ts';
import { speakersDay } from '../../client/speakers-clock.ts';
import {
  lineWidth,
  print,
  printable,
  printJson,
  styled,
  type Terminal,
  wrapped,
} from '../../client/terminal.ts';

const WIDEST = 100;
const INDENT = ' '.repeat(5);

const ERASED = { turn: 'a turn', observation: 'an observation', entity: 'an entity' };

const wordsOf = ({ status, kind, said_at, utc_offset, role, content, label }: ReceiptHitItem): string => {
  if (status === 'erased') return `(${ERASED[kind]} that was erased or hidden since)`;
  if (kind === 'entity') return printable(label ?? '');
  const speaker = kind === 'turn' ? `${printable(role ?? '')}: ` : '';
  return `${said_at ? speakersDay(Date.parse(said_at), utc_offset) : ''} ${speaker}${printable(content ?? '')}`;
};

const detailsOf = (hit: ReceiptHitItem): string => {
  const { kind, used_in, score, id, user_id, session_id, source, verdict } = hit;
  return [
    kind === 'observation' && source ? `observation (${source})` : kind,
    used_in === 'hits'
      ? undefined
      : used_in === 'context'
        ? 'in the context'
        : 'said to hold, in the context',
    score === null ? undefined : `score ${score.toFixed(3)}`,
    printable([user_id, session_id].filter(Boolean).join(' / ')),
    printable(id ?? ''),
    verdict && `said to be ${verdict}`,
  ]
    .filter(Boolean)
    .join(' · ');
};

const show = (terminal: Terminal, receipt: ReceiptAnswer): void => {
  const width = lineWidth(terminal, WIDEST);
  const { q, recalled_at, expires_at, confidence, ranker, mode, as_of, hits } = receipt;
  print(terminal, styled(terminal, 'bold', q === null ? '(the question was erased)' : printable(q)));
  print(terminal, `asked ${recalled_at}${as_of === null ? '' : ` as of ${as_of}`}, until ${expires_at}`);
  const said = `${confidenceInWords(confidence)} (confidence ${confidence.toFixed(2)})`;
  print(terminal, `${said}, ${mode}, ranked by ${printable(ranker)}`);
  if (hits.length === 0) print(terminal, 'Nothing was found.');
  for (const [index, hit] of hits.entries()) {
    const [first = '', ...more] = wrapped(wordsOf(hit), width - INDENT.length);
    print(terminal);
    print(terminal, `${String(index + 1).padStart(3)}  ${first}`);
    for (const line of more) print(terminal, INDENT + line);
    print(terminal, INDENT + styled(terminal, 'dim', detailsOf(hit)));
  }
};

export interface ReceiptOptions {
  json?: boolean;
}

/**
 * `turnstone receipt ID`: what that recall answered, with the words of today; with `--json` the answer
 * unchanged.
 */
export const receipt = async (
  terminal: Terminal,
  id: string,
  { json }: ReceiptOptions,
): Promise<ExitStatus> => {
  if (!/^rcl_[0-9a-f.-]{1,80}$/.test(id))
    throw failure(EXIT.usage, `not the id of a receipt (rcl_…): ${printable(id) || '(empty)'}`);
  const answer = await connect(terminal).call(operations.readReceipt(id));
  if (json) printJson(terminal, answer, 2);
  else show(terminal, answer);
  return EXIT.ok;
};
