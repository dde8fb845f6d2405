import { execFileSync } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { temporaryFolder } from '../processes/server.ts';

export interface SmallDisk {
  folder: string;
  free(): number;
  unmount(): void;
}

/** A disk of some megabytes in memory; undefined where mounting isn't allowed. */
export const mountSmallDisk = (mebibytes: number): SmallDisk | undefined => {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return {
    folder,
    free: () => {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    unmount: () => execFileSync('umount', ['-l', folder]),
  };
};
