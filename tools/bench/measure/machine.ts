import { availableParallelism, cpus, loadavg } from 'node:os';

/** Returns the load averages of the last minute, five and fifteen. */
export const loadText = (): string =>
  loadavg()
    .map(load => load.toFixed(2))
    .join(' ');

/** Says on which machine the figures were measured. */
export const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, ` +
  `load average at the start ${loadText()}`;
