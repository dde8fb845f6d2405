import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import {
  durationText,
  makeReplayProgress,
  type ReplayStep,
  stepText,
} from '../../../../../../services/surfaces/cli/operator/replay-progress.ts';
import type { Terminal } from '../../../../../../services/surfaces/client/terminal.ts';

const step = (changes: Partial<ReplayStep> = {}): ReplayStep => ({
  kind: 'progress',
  phase: 'building',
  events: 250,
  total: 1_000,
  eventsPerSecond: 12_345,
  secondsLeft: 61,
  ...changes,
});

const drawn = (isTTY: boolean, steps: readonly ReplayStep[]): string => {
  const stderr: PassThrough & { isTTY?: boolean; columns?: number } = new PassThrough();
  Object.assign(stderr, { isTTY, columns: 200, cursorTo: () => {}, clearLine: () => {} });
  const terminal = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    environment: {},
  } as unknown as Terminal;
  const progress = makeReplayProgress(terminal);
  for (const each of steps) progress.update(each);
  progress.stop();
  return String(stderr.read() ?? '');
};

it('words a step and the time that is left', () => {
  expect([null, 7, 61, 3_720].map(durationText)).toEqual(['unknown', '7 s', '1 min 01 s', '1 h 02 min']);
  expect(stepText(step())).toBe('building: 250 of 1,000 events, 25 %, 12,345 events/s, 1 min 01 s left');
  expect(stepText(step({ events: 0, total: 0 }))).toContain('100 %');
  expect(stepText(step({ phase: 'verifying' }))).toBe('verifying');
});

it('tells a line for each phase and seconds apart where there is no terminal', () => {
  const text = drawn(false, [step(), step({ events: 260 }), step({ phase: 'catching up', events: 990 })]);
  expect(text.trim().split('\n')).toEqual([
    'building: 250 of 1,000 events, 25 %, 12,345 events/s, 1 min 01 s left',
    'catching up: 990 of 1,000 events, 99 %, 12,345 events/s, 1 min 01 s left',
  ]);
});

it('draws a bar on a terminal', () => {
  const text = drawn(true, [step(), step({ events: 500 })]);
  expect(text).toContain('50 % | building | 500 of 1,000 events | 12,345 events/s | 1 min 01 s left');
});
