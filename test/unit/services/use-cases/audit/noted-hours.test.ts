import { expect, it } from 'vitest';
import { makeNotedHours } from '../../../../../services/use-cases/audit/noted-hours.ts';

const NOW = Date.parse('2026-03-10T08:00:00Z');

it('remembers so many entries and no more, however many keys come', async () => {
  const hours = makeNotedHours({ keys: 2, entries: 3 });
  const appended: string[] = [];
  const note = (key: string, own: string) => hours.once([key], own, NOW, async () => void appended.push(own));
  for (const own of ['a', 'b', 'c', 'a']) await note('k', own);
  expect(appended).toEqual(['a', 'b', 'c']);
  // The fourth puts out the first, which is noted again: under the same id, so it is one entry.
  await note('other', 'd');
  await note('k', 'b');
  await note('k', 'a');
  expect(appended).toEqual(['a', 'b', 'c', 'd', 'a']);
});

it('counts no target whose entry could not be appended', async () => {
  const hours = makeNotedHours();
  const broken = async () => {
    throw new Error('the log is away');
  };
  for (let n = 0; n < 150; n++) await hours.once(['k'], `t${n}`, NOW, broken).catch(() => {});
  expect(hours.isTooMuch(['k'], 't', NOW)).toBe(false);
  for (let n = 0; n < 100; n++) await hours.once(['k'], `t${n}`, NOW, async () => {});
  expect(hours.isTooMuch(['k'], 't', NOW)).toBe(true);
  expect(hours.isTooMuch(['k'], 't7', NOW)).toBe(false);
  expect(hours.isTooMuch(['k'], 't', NOW + 3_600_000)).toBe(false);
  expect(hours.isTooMuch(['k2'], 't', NOW)).toBe(false);
});
