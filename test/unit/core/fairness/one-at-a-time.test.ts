import { expect, it } from 'vitest';
import { makeOneAtATime } from '../../../../core/fairness/one-at-a-time.ts';

it('runs works of one name in their order, whatever becomes of them, and others beside them', async () => {
  const oneAtATime = makeOneAtATime();
  const seen: string[] = [];
  const open: Record<string, () => void> = {};
  const work = (name: string, of: string) =>
    oneAtATime(of, async () => {
      seen.push(`${name} begins`);
      await new Promise<void>(resolve => (open[name] = resolve));
      seen.push(`${name} ends`);
      if (name === 'first') throw new Error('a fault');
      return name;
    });
  const first = work('first', 'acme').catch(error => String(error));
  const second = work('second', 'acme');
  const other = work('other', 'zeta');
  await new Promise(setImmediate);
  expect(seen).toEqual(['first begins', 'other begins']);
  open.first!();
  expect(await first).toBe('Error: a fault');
  await new Promise(setImmediate);
  open.second!();
  open.other!();
  expect(await Promise.all([second, other])).toEqual(['second', 'other']);
  expect(seen.slice(2, 4)).toEqual(['first ends', 'second begins']);
});
