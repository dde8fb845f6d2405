/** Whether a call has changed anything: what it appended to the log says so, and nothing else can. */
import { AsyncLocalStorage } from 'node:async_hooks';

const calls = new AsyncLocalStorage<{ hasChanged: boolean }>();

/** Notes that the call under way has appended something. */
export const noteChange = (): void => {
  const call = calls.getStore();
  if (call) call.hasChanged = true;
};

/** Runs a call; `hasChanged` says whether it has appended anything so far, also where it fails. */
export const watchChanges = <T>(work: () => Promise<T>): { ended: Promise<T>; hasChanged: () => boolean } => {
  const call = { hasChanged: false };
  return { ended: calls.run(call, work), hasChanged: () => call.hasChanged };
};
