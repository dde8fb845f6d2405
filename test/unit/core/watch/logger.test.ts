import { expect, it } from 'vitest';
import { makeLog, readable } from '../../../../core/watch/logger.ts';

it('writes JSON lines with fields, a constant message and no process ids', () => {
  const lines: string[] = [];
  makeLog('info', { write: line => lines.push(line) }).info({ status: 202 }, 'request');
  expect(JSON.parse(lines[0]!)).toEqual({ level: 30, time: expect.any(Number), status: 202, msg: 'request' });
});

it('is readable on a terminal', () => {
  const line = JSON.stringify({
    level: 40,
    time: Date.UTC(2026, 3, 2, 9, 30),
    msg: 'slow',
    ms: 7,
    route: '/recall',
  });
  expect(readable(line)).toBe('09:30:00.000 WARN  slow ms=7 route=/recall\n');
});

it('shows the stack of an error on a terminal', () => {
  const lines: string[] = [];
  makeLog('info', { write: line => lines.push(readable(line)) }).error(
    { err: new Error('broken') },
    'closing failed',
  );
  expect(lines[0]).toMatch(/ERROR closing failed\nError: broken\n +at /);
});

it('gives each line the fields that all lines have, and its own', () => {
  const lines: string[] = [];
  let n = 0;
  const log = makeLog('info', { write: line => lines.push(line) }, () => ({ n: ++n }));
  log.info({ status: 202 }, 'request');
  log.child({ thread: 'projector' }).warn('late');
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { n: 1, status: 202 },
    { n: 2, thread: 'projector' },
  ]);
});
