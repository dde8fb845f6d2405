import { ServiceError } from '../../../core/errors.ts';
import type { Decode, Decoded } from '../../../core/log/events.ts';
import { addressName } from '../../../core/log/positions.ts';
import type { OperatorCall, OperatorCalls } from '../../../core/operator/calls.ts';
import {
  LETTER_STATES,
  type LetterFilters,
  type LetterOutcome,
  type ListedLetter,
  type ShownLetter,
} from '../../../core/operator/dead-letters.ts';
import type { EventLog, LogRecord } from '../../../core/ports.ts';
import {
  type Decision,
  decisionRecord,
  type Letter,
  readLetters,
  recordOf,
  requeuedCopy,
} from './letters.ts';
import { recordFacts } from './record-facts.ts';

export interface DeadLetterPorts {
  log: Pick<EventLog, 'read' | 'ends' | 'append'>;
  decode: Decode;
}

/** The most letters per append. */
const AT_ONCE = 100;

const listed = ({ at: _, setAsideAt: __, envelope, ...letter }: Letter): ListedLetter => ({
  ...letter,
  org: envelope?.org_id ?? null,
  type: envelope?.type ?? null,
  recorded_at: envelope?.recorded_at ?? null,
});

const text = (args: Record<string, unknown>, name: string): string | undefined => {
  const value = args[name];
  if (value === undefined || typeof value === 'string') return value;
  throw new ServiceError('invalid', `${name} must be a text.`);
};

const filtersOf = (args: Record<string, unknown>): LetterFilters => {
  const state = text(args, 'state');
  if (state !== undefined && !LETTER_STATES.some(each => each === state))
    throw new ServiceError('invalid', `state must be one of ${LETTER_STATES.join(', ')}.`);
  return { state, step: text(args, 'step'), topic: text(args, 'topic') };
};

const matching =
  ({ state, step, topic }: LetterFilters) =>
  (letter: Letter): boolean =>
    (state === undefined || letter.state === state) &&
    (step === undefined || letter.step === step) &&
    (topic === undefined || letter.topic === topic);

/** The named letters, or all that match the filters; without a state, `all` means the open ones. */
const chosen = (letters: readonly Letter[], args: Record<string, unknown>): (Letter | string)[] => {
  const { positions, all } = args;
  if (all === true) {
    const filters = filtersOf(args);
    return letters.filter(matching({ ...filters, state: filters.state ?? 'open' }));
  }
  if (!Array.isArray(positions) || positions.length === 0)
    throw new ServiceError('invalid', 'Name positions, as turns/3/1042, or all.');
  const byPosition = new Map(letters.map(letter => [letter.position, letter]));
  return [...new Set(positions.map(String))].map(position => byPosition.get(position) ?? position);
};

const refused = (position: string, reason: string): LetterOutcome => ({ kind: 'refused', position, reason });

/** Why a record would only be set aside again; undefined when this release can read it. */
const unreadable = (decoded: Decoded): string | undefined => {
  switch (decoded.kind) {
    case 'events':
      return undefined;
    case 'erased':
      return 'its key was destroyed, so its words are gone';
    case 'poison':
      return `this release can't read it either: ${decoded.step}, ${decoded.reason}`;
  }
};

/** `deadLetters.list`, `.show`, `.requeue` and `.discard`, for any log. */
export const makeDeadLetterCalls = ({
  log,
  decode,
}: DeadLetterPorts): OperatorCalls<`deadLetters.${'list' | 'show' | 'requeue' | 'discard'}`> => {
  /**
   * Copies first, then the decisions: after a crash in between the letter is still open, and a second copy
   * has the same address as the first, so it changes nothing. In the other order a letter could be marked as
   * requeued without a copy.
   */
  const requeue = async (
    letters: readonly Letter[],
    { isForced }: { isForced: boolean },
  ): Promise<LetterOutcome[]> => {
    const outcomes: LetterOutcome[] = [];
    const sent: { letter: Letter; record: LogRecord }[] = [];
    for (const letter of letters) {
      const record = await recordOf(log, letter);
      const reason =
        letter.state === 'requeued' ? 'it is requeued already' : unreadable(await decode(record));
      if (reason === undefined || isForced) sent.push({ letter, record });
      else outcomes.push(refused(letter.position, reason));
    }
    if (sent.length === 0) return outcomes;
    const addresses = await log.append(sent.map(({ letter, record }) => requeuedCopy(record, letter.index)));
    await log.append(sent.map(({ letter }) => decisionRecord(letter, 'requeued')));
    const requeued = sent.map(
      ({ letter: { position } }, i): LetterOutcome => ({
        kind: 'requeued',
        position,
        as: addressName(addresses[i]!),
      }),
    );
    return [...outcomes, ...requeued];
  };

  const discard = async (letters: readonly Letter[]): Promise<LetterOutcome[]> => {
    const open = letters.filter(({ state }) => state === 'open');
    if (open.length > 0) await log.append(open.map(letter => decisionRecord(letter, 'discarded')));
    return letters.map(({ position, state }) =>
      state === 'open' ? { kind: 'discarded', position } : refused(position, `it is ${state} already`),
    );
  };

  const decide = (decision: Decision): OperatorCall<'deadLetters.requeue'> =>
    async function* (args, signal) {
      const letters = chosen(await readLetters(log), args);
      const known = letters.filter(letter => typeof letter !== 'string');
      for (const position of letters)
        if (typeof position === 'string') yield refused(position, 'there is no such dead letter');
      for (let at = 0; at < known.length && !signal.aborted; at += AT_ONCE) {
        const some = known.slice(at, at + AT_ONCE);
        yield* decision === 'requeued'
          ? await requeue(some, { isForced: args.force === true })
          : await discard(some);
      }
    };

  return {
    'deadLetters.list': async function* (args) {
      for (const letter of (await readLetters(log)).filter(matching(filtersOf(args)))) yield listed(letter);
    },
    'deadLetters.show': async function* ({ position, raw }) {
      const letter = (await readLetters(log)).find(each => each.position === position);
      if (!letter) throw new ServiceError('not_found', 'There is no such dead letter.');
      const { value, headers } = await recordOf(log, letter);
      yield {
        ...listed(letter),
        ...recordFacts(value),
        headers,
        ...(raw === true ? { value: Buffer.from(value).toString('base64') } : {}),
      } satisfies ShownLetter;
    },
    'deadLetters.requeue': decide('requeued'),
    'deadLetters.discard': decide('discarded'),
  };
};
