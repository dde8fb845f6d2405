import { expect, it } from 'vitest';
import { startKeySweep } from '../../../../services/workers/key-sweep.ts';
import { until } from '../../../support/wait.ts';

it('looks again after a fault, and reports an outage once', async () => {
  const lines: string[] = [];
  const outcomes: (number | Error)[] = [
    new Error('Redis is unreachable.'),
    new Error('Redis is unreachable.'),
    500,
    0,
    new Error('The log is full.'),
    7,
  ];
  const { close } = startKeySweep(
    {
      sweep: async () => {
        const outcome = outcomes.shift() ?? 0;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    {
      info: (fields: object) => void lines.push(JSON.stringify(fields)),
      warn: (fields: object) => void lines.push(JSON.stringify(fields)),
    } as never,
    1,
  );
  await until('all were tried', () => outcomes.length === 0 && lines.length === 4);
  await close();
  expect(lines).toEqual([
    '{"reason":"Redis is unreachable."}',
    '{"removed":500}',
    '{"reason":"The log is full."}',
    '{"removed":7}',
  ]);
});

it('ends with the step that is under way', async () => {
  let isDone = false;
  const started = Promise.withResolvers<void>();
  const { close } = startKeySweep(
    {
      sweep: signal =>
        new Promise(resolve => {
          started.resolve();
          signal.addEventListener('abort', () =>
            setImmediate(() => {
              isDone = true;
              resolve(0);
            }),
          );
        }),
    },
    { info: () => {}, warn: () => {} } as never,
    1,
  );
  await started.promise;
  await close();
  expect(isDone).toBe(true);
});
