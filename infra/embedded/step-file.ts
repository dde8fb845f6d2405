import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { StepMemory, StepState } from '../../core/ports.ts';

/** Enough for a few partitions; padded, so that a write replaces the former content. */
const SIZE = 2_048;

/**
 * Opens the last step of a projector or another consumer, in a small file that isn't synced: it outlives the
 * process.
 */
export const openStepFile = (path: string): StepMemory & { close(): void } => {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  return {
    read: () => {
      try {
        const text = readFileSync(path, 'utf8').trim();
        return text === '' ? undefined : (JSON.parse(text) as StepState);
      } catch {
        // The machine's end has torn it. Without it, one more death is needed.
        return undefined;
      }
    },
    write: state => void writeSync(file, JSON.stringify(state).padEnd(SIZE), 0),
    close: () => closeSync(file),
  };
};
