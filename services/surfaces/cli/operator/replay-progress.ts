import { Presets, SingleBar } from 'cli-progress';
import type { ReplayMessage } from '../../../../core/operator/replay-messages.ts';
import { grouped, note, type Terminal } from '../../client/terminal.ts';

export type ReplayStep = Extract<ReplayMessage, { kind: 'progress' }>;

export interface ReplayProgress {
  update(step: ReplayStep): void;
  stop(): void;
}

/** Milliseconds between two lines of plain output. */
const PLAIN_EVERY_MS = 5_000;

/** `1 h 02 min`, `3 min 20 s`, `7 s`. */
export const durationText = (seconds: number | null): string => {
  if (seconds === null) return 'unknown';
  const [h, min, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h > 0) return `${h} h ${String(min).padStart(2, '0')} min`;
  return min > 0 ? `${min} min ${String(s).padStart(2, '0')} s` : `${s} s`;
};

const shareOf = ({ events, total }: ReplayStep): number =>
  total === 0 ? 100 : Math.floor((100 * events) / total);

export const stepText = (step: ReplayStep): string =>
  step.phase === 'verifying'
    ? 'verifying'
    : `${step.phase}: ${grouped(step.events)} of ${grouped(step.total)} events, ${shareOf(step)} %, ` +
      `${grouped(step.eventsPerSecond)} events/s, ${durationText(step.secondsLeft)} left`;

const plain = (terminal: Terminal): ReplayProgress => {
  let lastLine = Number.NEGATIVE_INFINITY;
  let phase: string | undefined;
  return {
    update: step => {
      const now = performance.now();
      if (now - lastLine < PLAIN_EVERY_MS && phase === step.phase) return;
      lastLine = now;
      phase = step.phase;
      note(terminal, stepText(step));
    },
    stop: () => {},
  };
};

const bar = (terminal: Terminal): ReplayProgress => {
  let drawn: SingleBar | undefined;
  return {
    update: step => {
      if (!drawn) {
        drawn = new SingleBar(
          {
            format: '{bar} {percentage} % | {text}',
            stream: terminal.stderr as NodeJS.WriteStream,
            // A killed process would leave the cursor hidden.
            hideCursor: false,
          },
          Presets.shades_classic,
        );
        drawn.start(Math.max(1, step.total), step.events, { text: '' });
      }
      drawn.setTotal(Math.max(1, step.total));
      const text =
        step.phase === 'verifying'
          ? step.phase
          : `${step.phase} | ${grouped(step.events)} of ${grouped(step.total)} events | ${grouped(step.eventsPerSecond)} events/s | ${durationText(step.secondsLeft)} left`;
      drawn.update(step.events, { text });
    },
    stop: () => {
      drawn?.stop();
      drawn = undefined;
    },
  };
};

/** Shows a bar on a terminal, otherwise a plain line every few seconds. Both on stderr. */
export const makeReplayProgress = (terminal: Terminal): ReplayProgress =>
  terminal.stderr.isTTY ? bar(terminal) : plain(terminal);
