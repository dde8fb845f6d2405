import type { RetentionAnswer, ScreeningAnswer, SignUpAnswer } from '../../schemas/http/accounts.ts';
import type { ScreenChoice } from '../../schemas/screening.ts';
import type { RewrapProgress } from '../log/keys/installation-keys.ts';
import type { LetterFilters, LetterOutcome, ListedLetter, ShownLetter } from './dead-letters.ts';
import type { Organization, OwnLimits, RecoveredKey } from './organizations.ts';
import type { Removal, RemovalsEnd, RemovalsMessage } from './removals.ts';
import type { Generation, GenerationChange, ReplayMessage } from './replay-messages.ts';
import type { ImportMessage } from './transfer.ts';
import type { VerifyMessage } from './verification.ts';

interface Declaration<Args, Line> {
  args: Args;
  line: Line;
}

type Projection = { projection: string };
/** The named letters, or all that match the filters. */
type LetterChoice = LetterFilters & { positions?: string[]; all?: boolean };

/**
 * The calls for operators, which are outside the HTTP contract: the arguments of each, and the lines that it
 * yields.
 */
interface Declared {
  /** Oldest first. */
  'orgs.list': Declaration<object, Organization>;
  'orgs.create': Declaration<{ org_id: string }, SignUpAnswer>;
  'orgs.setLimits': Declaration<{ org_id: string } & OwnLimits, OwnLimits>;
  /** `days`: null keeps turns for ever. Takes effect a day later. */
  'orgs.setRetention': Declaration<{ org_id: string; days: number | null }, RetentionAnswer>;
  'orgs.setScreening': Declaration<{ org_id: string; screen: ScreenChoice }, ScreeningAnswer>;
  /** Makes a new key with every role for an organization that has lost its last one. */
  'keys.recover': Declaration<{ org_id: string }, RecoveredKey>;
  generations: Declaration<object, Generation>;
  /** `throttle`: the most events per second. */
  replay: Declaration<Projection & { throttle?: number; dryRun?: boolean }, ReplayMessage>;
  /** Reports the standby's replay first when the standby lacks events. */
  rollback: Declaration<Projection, ReplayMessage | GenerationChange>;
  retire: Declaration<Projection, GenerationChange>;
  'deadLetters.list': Declaration<LetterFilters, ListedLetter>;
  /** `raw` adds the value in base64, which may hold people's words. */
  'deadLetters.show': Declaration<{ position: string; raw?: boolean }, ShownLetter>;
  'deadLetters.requeue': Declaration<LetterChoice & { force?: boolean }, LetterOutcome>;
  'deadLetters.discard': Declaration<LetterChoice, LetterOutcome>;
  /** Wraps the users' keys with the installation's first key, whose id is `first`. */
  rewrapKeys: Declaration<{ first: string; dryRun?: boolean }, RewrapProgress>;
  /** `since`: from this instant on, as recorded. Yields the lines of the list. */
  'removals.list': Declaration<{ since?: string }, Removal | RemovalsEnd>;
  /** `path`: as of `import`. `skipFaulty`: passes over faulty lines; otherwise one rejects the list. */
  'removals.repeat': Declaration<{ path: string; dryRun?: boolean; skipFaulty?: boolean }, RemovalsMessage>;
  /** `most`: rows in the sample. */
  verify: Declaration<{ projection?: string; org?: string; most?: number; whole?: boolean }, VerifyMessage>;
  /** Yields the lines of the export file. */
  export: Declaration<{ org: string }, object>;
  /** `path`: a file on the server's machine or, without a server, on the command's. */
  import: Declaration<{ path: string; org?: string; dryRun?: boolean }, ImportMessage>;
}

export type OperatorCallName = keyof Declared;

/**
 * An operator call as bound by a mode or by both. Yields progress reports and, last, its result. Throws a
 * `ServiceError` for faults that an operator can understand, and ends early when `signal` is aborted because
 * the caller disconnected. Its arguments come from another process and are checked here.
 */
export type OperatorCall<Name extends OperatorCallName> = (
  args: Partial<Record<keyof Declared[Name]['args'], unknown>>,
  signal: AbortSignal,
) => AsyncIterable<Declared[Name]['line']>;

/**
 * Operator calls. They run in the server of a data folder, which is called over its socket, or in the
 * command's own process.
 */
export type OperatorCalls<Names extends OperatorCallName = OperatorCallName> = {
  readonly [Name in Names]: OperatorCall<Name>;
};

/** The calls that only read or write the data of a mode's engines. */
export type EngineCalls = OperatorCalls<
  Exclude<OperatorCallName, 'export' | 'import' | 'keys.recover' | `orgs.${string}`>
>;

/** The caller's side. */
export type CallOperator = <Name extends OperatorCallName>(
  name: Name,
  args: Declared[Name]['args'],
  signal?: AbortSignal,
) => AsyncIterable<Declared[Name]['line']>;
