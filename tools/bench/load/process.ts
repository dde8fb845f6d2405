/** Reads a process's figures from Linux's /proc; other systems have none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms (`getconf CLK_TCK`) on every platform that Node runs on. */
const TICKS_A_SECOND = 100;
const NANOSECONDS = 1e9;

/** In the order in which the service starts them (services/embedded/open.ts). */
const WORKERS = ['writer', 'projector', 'recall', 'enricher'];

/** CPU seconds so far by kind of thread. */
export type CpuSeconds = Record<string, number>;

export const cpuSeconds = (pid: number): CpuSeconds => {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return {};
  const seconds: CpuSeconds = {};
  let worker = 0;
  for (const tid of readdirSync(folder)
    .map(Number)
    .sort((a, b) => a - b)) {
    const stat = readFileSync(`${folder}/${tid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const kind = tid === pid ? 'requests' : isWorker(name) ? (WORKERS[worker++] ?? 'worker') : 'runtime';
    seconds[kind] = (seconds[kind] ?? 0) + secondsOf(`${folder}/${tid}`, stat);
  }
  return seconds;
};

/**
 * Reads the scheduler's own clock if the kernel has it: ticks are a sample, which misses threads with short
 * slices.
 */
const secondsOf = (thread: string, stat: string): number => {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / NANOSECONDS;
  } catch {
    // After the name: state is field 0, utime and stime are 11 and 12 (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  }
};

/** Whether it is a worker thread: those of the garbage collector, the compiler and libuv have other names. */
const isWorker = (name: string): boolean => name === 'WorkerThread';

export const spent = (before: CpuSeconds, after: CpuSeconds): CpuSeconds =>
  Object.fromEntries(Object.entries(after).map(([kind, seconds]) => [kind, seconds - (before[kind] ?? 0)]));

/** Returns the CPU seconds of all processes since the machine's start; NaN without such a figure. */
export const machineSeconds = (): number => {
  if (!existsSync('/proc/stat')) return Number.NaN;
  // user, nice, system, idle, iowait, irq, softirq, steal (proc_stat(5)): stolen time is used by others too.
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 9);
  return (
    [user, nice, system, irq, softirq, steal].reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND
  );
};

/** Returns the resident bytes now and at their peak; undefined without /proc. */
export const residentBytes = (pid: number): { now: number; most: number } | undefined => {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const status = readFileSync(path, 'utf8');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return { now: kilobytes('VmRSS') * 1_024, most: kilobytes('VmHWM') * 1_024 };
};
