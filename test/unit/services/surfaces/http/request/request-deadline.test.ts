import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDeadline } from '../../../../../../services/surfaces/http/request/request-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const never = new Promise<never>(() => {});
const GONE = new Error('gone');

it('ends work at the deadline, and aborts its signal with the same reason', async () => {
  const { limit, signal } = startDeadline(20);
  const limited = limit(never).catch(error => error);
  await pass(20);
  const fault = await limited;
  expect(fault).toMatchObject({ code: 'unavailable' });
  expect(signal.reason).toBe(fault);
});

it('ends work that is cancelled, before it began or later', async () => {
  const early = startDeadline();
  early.cancel(GONE);
  await expect(early.limit(never)).rejects.toBe(GONE);
  const late = startDeadline();
  const limited = late.limit(never);
  late.cancel(GONE);
  await expect(limited).rejects.toBe(GONE);
});

it('lets no append begin after it, and waits for one that began before it', async () => {
  const late = startDeadline(1);
  const limited = expect(late.limit(never)).rejects.toThrow();
  await pass(1);
  await limited;
  expect(late.beginAppend).toThrow(late.signal.reason);

  const early = startDeadline(20);
  early.beginAppend();
  early.cancel(GONE);
  let end = (_: string): void => {};
  const appending = early.limit(new Promise<string>(resolve => (end = resolve)));
  await pass(60);
  end('appended');
  expect(await appending).toBe('appended');
  expect(early.signal.aborted).toBe(false);
});

it('answers some seconds after the deadline, even while the append goes on, and cancels nothing', async () => {
  const { limit, beginAppend, signal, at, appendUntil } = startDeadline(20);
  beginAppend();
  const limited = limit(never).catch(error => error);
  const end = vi.fn();
  void limited.then(end);
  await pass(20 + appendUntil - at - 1);
  expect(end).not.toHaveBeenCalled();
  await pass(2);
  expect(await limited).toMatchObject({ code: 'unavailable' });
  expect(signal.aborted).toBe(false);
});

it('is over when it is ended', async () => {
  const { limit, signal, cancel, end } = startDeadline(10);
  await expect(limit(Promise.resolve('done'))).resolves.toBe('done');
  end();
  await pass(30);
  cancel(GONE);
  expect(signal.aborted).toBe(false);
});

it('does not count the time of work for which it is paused', async () => {
  const deadline = startDeadline(20);
  await pass(5);
  const arrived = deadline.paused(() => new Promise(resolve => setTimeout(resolve, 100)));
  await pass(100);
  await arrived;
  expect(deadline.at - performance.now()).toBe(15);
  await pass(14);
  expect(deadline.signal.aborted).toBe(false);
  await pass(1);
  expect(deadline.signal.aborted).toBe(true);
});
