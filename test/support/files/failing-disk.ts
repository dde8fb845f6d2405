/** Errors of the disk, below one folder and for one process, while a test wants them. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from '../processes/server.ts';

type FailingCall = 'write' | 'read' | 'truncate' | 'sync';

export interface FailingDisk {
  /** For a server's `environment`. */
  environment: Record<string, string>;
  fail(error: 'EIO' | 'ENOSPC', ...calls: FailingCall[]): void;
  heal(): void;
}

/** Undefined where nothing can be compiled or loaded before libc. Calls fail below `folder` alone. */
export const makeFailingDisk = (folder: string): FailingDisk | undefined => {
  if (process.platform !== 'linux') return undefined;
  const own = temporaryFolder();
  const library = join(own, 'failing-disk.so');
  const file = join(own, 'fault');
  try {
    const source = join(ROOT, 'test/support/files/failing-disk.c');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return {
    environment: { LD_PRELOAD: library, TURNSTONE_FAULT_FOLDER: folder, TURNSTONE_FAULT_FILE: file },
    fail: (error, ...calls) => writeFileSync(file, `${constants.errno[error]} ${calls.join(' ')}`),
    heal: () => rmSync(file, { force: true }),
  };
};
