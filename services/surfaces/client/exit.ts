/** Exit statuses, taken from sysexits.h where it defines one. They are documented in `turnstone --help`. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  unavailable: 69,
  notAllowed: 77,
  config: 78,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure of a command: people see only its message. */
export type Failure = Error & { exitStatus: ExitStatus };

export const failure = (exitStatus: ExitStatus, message: string, cause?: unknown): Failure =>
  Object.assign(new Error(message, { cause }), { exitStatus });

export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'exitStatus' in error && typeof error.exitStatus === 'number';
