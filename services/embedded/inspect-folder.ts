import { assertFormat } from '../../infra/embedded/folder-format.ts';
import { isFolderInUse } from '../../infra/embedded/folder-lock.ts';

/** The state of a data folder that isn't opened. */
export interface FolderState {
  /** Why this release must not open it; undefined where it may. */
  fault: string | undefined;
  /** Whether a process has opened it. */
  isInUse: boolean;
}

/** Looks at a data folder; creates and changes nothing. */
export const inspectFolder = (folder: string): FolderState => {
  let fault: string | undefined;
  try {
    assertFormat(folder);
  } catch (error) {
    fault = (error as Error).message;
  }
  return { fault, isInUse: isFolderInUse(folder) };
};
