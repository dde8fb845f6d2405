import { readFileSync } from 'node:fs';

/** User and system time of a process since its start, seconds. Linux counts in hundredths. */
export const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
