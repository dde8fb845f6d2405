/** Whether a call has changed anything: what it appended to the log says so, and nothing else can. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Call {
  hasChanged: boolean;
  /** Set: awaited before the first append. */
  before?: (() => Promise<void>) | undefined;
  begun?: Promise<void>;
}

const calls = new AsyncLocalStorage<Call>();

/** Resolves when the call under way may append; rejects where it may not. */
export const beginChange = async (): Promise<void> => {
  const call = calls.getStore();
  if (!call?.before) return;
  call.begun ??= call.before();
  await call.begun;
};

/** Notes that the call under way has appended something. */
export const noteChange = (): void => {
  const call = calls.getStore();
  if (call) call.hasChanged = true;
};

/**
 * Runs a call; `hasChanged` says whether it has appended anything so far, also where it fails. `before` is
 * awaited before its first append.
 */
export const watchChanges = <T>(
  work: () => Promise<T>,
  before?: () => Promise<void>,
): { ended: Promise<T>; hasChanged: () => boolean } => {
  const call: Call = { hasChanged: false, before };
  return { ended: calls.run(call, work), hasChanged: () => call.hasChanged };
};
