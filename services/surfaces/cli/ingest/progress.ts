import { Presets, SingleBar } from 'cli-progress';
import { grouped, note, type Terminal } from '../../client/terminal.ts';

/** Progress of an ingestion, in bytes of the input or in turns, out of a total (unknown for stdin). */
export interface Progress {
  update(state: { done: number; turns: number }): void;
  stop(): void;
}

/** Milliseconds between two lines of plain output. */
const PLAIN_EVERY_MS = 5_000;

const plain = (terminal: Terminal, total: number | undefined): Progress => {
  const start = performance.now();
  let lastLine = start;
  return {
    update: ({ done, turns }) => {
      const now = performance.now();
      if (now - lastLine < PLAIN_EVERY_MS) return;
      lastLine = now;
      const share = total ? `, ${Math.floor((100 * done) / total)} %` : '';
      const rate = grouped(Math.round((turns * 1_000) / (now - start)));
      note(terminal, `${grouped(turns)} turns${share}, ${rate} turns/s`);
    },
    stop: () => {},
  };
};

/** A bar with the rate and the remaining time, which cli-progress computes from the progress. */
const bar = (terminal: Terminal, total: number): Progress => {
  const start = performance.now();
  const drawn = new SingleBar(
    {
      format: '{bar} {percentage} % | {turns} turns | {rate} turns/s | {eta_formatted} left',
      stream: terminal.stderr as NodeJS.WriteStream,
      // A killed process would leave the cursor hidden.
      hideCursor: false,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  );
  drawn.start(Math.max(1, total), 0, { turns: '0', rate: '0' });
  return {
    update: ({ done, turns }) => {
      const rate = (turns * 1_000) / (performance.now() - start);
      drawn.update(done, { turns: grouped(turns), rate: grouped(Math.round(rate)) });
    },
    stop: () => drawn.stop(),
  };
};

/**
 * Shows a bar on a terminal when the size is known, otherwise a plain line every few seconds. Both on stderr.
 */
export const makeProgress = (terminal: Terminal, total: number | undefined): Progress =>
  terminal.stderr.isTTY && total !== undefined ? bar(terminal, total) : plain(terminal, total);
