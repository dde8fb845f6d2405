import { expect, it } from 'vitest';
import { unavailable } from '../../../../../core/errors.ts';
import { keepOwnFilesClean } from '../../../../../services/cluster/upkeep/own-files.ts';
import { until } from '../../../../support/wait.ts';

it('reports a fault once until it has succeeded, and no outage', async () => {
  const lines: string[] = [];
  const refused = (): Error => new Error('Redis refuses BGREWRITEAOF.');
  const outcomes = [refused(), unavailable('Redis is unreachable.'), false, refused(), true, refused()];
  const { close } = keepOwnFilesClean(
    {
      look: async () => {
        const outcome = outcomes.shift() ?? false;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    {
      info: (message: string) => void lines.push(message),
      warn: ({ reason }: { reason: string }) => void lines.push(reason),
    } as never,
    1,
  );
  await until('all were tried', () => outcomes.length === 0 && lines.length === 3);
  await close();
  expect(lines).toEqual([
    'Redis refuses BGREWRITEAOF.',
    "what was destroyed has left Redis' own files",
    'Redis refuses BGREWRITEAOF.',
  ]);
});
