import { Presets, SingleBar } from 'cli-progress';
import { grouped, type Terminal } from '../terminal.ts';

/** What is known of a running ingestion: bytes read that are settled, of how many (unknown for stdin). */
export interface Progress {
  update(state: { bytes: number; turns: number }): void;
  stop(): void;
}

/** Between two plain lines, in milliseconds. */
const PLAIN_EVERY_MS = 5_000;

const plain = (terminal: Terminal, totalBytes: number | undefined): Progress => {
  const start = performance.now();
  let told = start;
  return {
    update: ({ bytes, turns }) => {
      const now = performance.now();
      if (now - told < PLAIN_EVERY_MS) return;
      told = now;
      const share = totalBytes ? `, ${Math.floor((100 * bytes) / totalBytes)} %` : '';
      const rate = grouped(Math.round((turns * 1_000) / (now - start)));
      terminal.stderr.write(`${grouped(turns)} turns${share}, ${rate} turns/s\n`);
    },
    stop: () => {},
  };
};

/** A bar with the rate and the time left; cli-progress reckons the time from the bytes. */
const bar = (terminal: Terminal, totalBytes: number): Progress => {
  const start = performance.now();
  const drawn = new SingleBar(
    {
      format: '{bar} {percentage} % | {turns} turns | {rate} turns/s | {eta_formatted} left',
      stream: terminal.stderr as NodeJS.WriteStream,
      // A killed process would leave the terminal without its cursor.
      hideCursor: false,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  );
  drawn.start(Math.max(1, totalBytes), 0, { turns: '0', rate: '0' });
  return {
    update: ({ bytes, turns }) => {
      const rate = (turns * 1_000) / (performance.now() - start);
      drawn.update(bytes, { turns: grouped(turns), rate: grouped(Math.round(rate)) });
    },
    stop: () => drawn.stop(),
  };
};

/** A bar on a terminal when the size is known, a plain line now and then otherwise. On stderr in both cases. */
export const makeProgress = (terminal: Terminal, totalBytes: number | undefined): Progress =>
  terminal.stderr.isTTY && totalBytes !== undefined ? bar(terminal, totalBytes) : plain(terminal, totalBytes);
