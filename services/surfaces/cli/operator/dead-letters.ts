import { writeFileSync } from 'node:fs';
import {
  LETTER_STATES,
  type LetterFilters,
  type LetterOutcome,
} from '../../../../core/operator/dead-letters.ts';
import { EXIT, type ExitStatus, failure } from '../../client/exit.ts';
import { grouped, print, printable, printJson, type Terminal } from '../../client/terminal.ts';
import { table } from '../table.ts';
import { answerOf, withInterruptible } from './operator.ts';

const count = (letters: number, what = 'dead letter'): string =>
  `${grouped(letters)} ${what}${letters === 1 ? '' : 's'}`;

/** `turnstone dead-letters list` */
export const listDeadLetters = async (
  terminal: Terminal,
  { json, ...filters }: LetterFilters & { json?: boolean },
): Promise<ExitStatus> => {
  const letters = await withInterruptible(terminal, (call, signal) =>
    Array.fromAsync(call('deadLetters.list', filters, signal)),
  );
  if (json) {
    printJson(terminal, letters, 2);
    return EXIT.ok;
  }
  if (letters.length > 0) {
    const rows = letters.map(({ position, state, step, reason, org, recorded_at, bytes }) => [
      position,
      state,
      step,
      printable(reason),
      org ?? '–',
      recorded_at ?? '–',
      bytes,
    ]);
    const heading = ['POSITION', 'STATE', 'STEP', 'REASON', 'ORGANIZATION', 'RECORDED', 'BYTES'];
    for (const line of table(heading, rows)) print(terminal, line);
    print(terminal);
  }
  const states = LETTER_STATES.map(
    state => [state, letters.filter(letter => letter.state === state).length] as const,
  )
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${grouped(number)} ${state}`);
  print(terminal, [count(letters.length), ...states].join(', '));
  return EXIT.ok;
};

/** `turnstone dead-letters show POSITION`: the metadata, never the data itself. */
export const showDeadLetter = async (
  terminal: Terminal,
  position: string,
  { json, raw }: { json?: boolean; raw?: string },
): Promise<ExitStatus> => {
  const { value, ...letter } = await withInterruptible(terminal, (call, signal) =>
    answerOf(call('deadLetters.show', { position, raw: raw !== undefined }, signal)),
  );
  if (raw !== undefined) writeRaw(raw, Buffer.from(value ?? '', 'base64'));
  if (json) {
    printJson(terminal, letter, 2);
    return EXIT.ok;
  }
  const { state, step, reason, bytes, sha256, envelope, headers } = letter;
  const rows: [string, string][] = [
    ['position', position],
    ['state', state],
    ['step', step],
    ['reason', reason],
    ['bytes', grouped(bytes)],
    ['sha256', sha256],
    ...Object.entries(envelope ?? { envelope: 'none: not a JSON object' }).map(
      ([name, fact]): [string, string] => [name, String(fact)],
    ),
    ...Object.entries(headers).map(([name, text]): [string, string] => [`header ${name}`, text]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, text] of rows) print(terminal, `${name.padEnd(width)}  ${printable(text)}`);
  if (raw !== undefined) print(terminal, `\nwrote ${grouped(bytes)} bytes to ${raw}`);
  return EXIT.ok;
};

/**
 * Writes raw data, which may contain conversations: only this user can read the file, and no file is
 * overwritten.
 */
const writeRaw = (file: string, value: Uint8Array): void => {
  try {
    writeFileSync(file, value, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw failure(EXIT.failure, `${file} can't be written: ${(error as NodeJS.ErrnoException).code}`, error);
  }
};

export interface Choice extends LetterFilters {
  all?: boolean;
  force?: boolean;
  json?: boolean;
}

const outcomeText = (outcome: LetterOutcome): string => {
  switch (outcome.kind) {
    case 'requeued':
      return `${outcome.position}  requeued as ${outcome.as}`;
    case 'discarded':
      return `${outcome.position}  discarded`;
    case 'refused':
      return `${printable(outcome.position)}  left alone: ${printable(outcome.reason)}`;
  }
};

/** `turnstone dead-letters requeue|discard POSITION…|--all`: 1 when a letter was left unchanged. */
export const decideOnDeadLetters = async (
  terminal: Terminal,
  decision: 'requeue' | 'discard',
  positions: string[],
  { json, ...choice }: Choice,
): Promise<ExitStatus> => {
  const outcomes: LetterOutcome[] = [];
  await withInterruptible(terminal, async (call, signal) => {
    const args = { ...choice, ...(positions.length > 0 ? { positions } : {}) };
    for await (const outcome of call(`deadLetters.${decision}`, args, signal)) {
      outcomes.push(outcome);
      if (!json) print(terminal, outcomeText(outcome));
    }
  });
  const left = outcomes.filter(({ kind }) => kind === 'refused').length;
  if (json) printJson(terminal, outcomes, 2);
  else
    print(
      terminal,
      `${count(outcomes.length - left)} ${decision}${decision === 'discard' ? 'ed' : 'd'}` +
        (left > 0 ? `, ${grouped(left)} left alone` : ''),
    );
  return left > 0 ? EXIT.failure : EXIT.ok;
};
