import { expect, it } from 'vitest';
import { makeReadiness } from '../../../../core/watch/readiness.ts';

const answers = async (): Promise<string> => 'answers';
const fails = async (): Promise<string> => {
  throw new Error('is down');
};

const ready = (probes: Record<string, () => Promise<string>>, isStopping = false) =>
  makeReadiness({ probes, needed: ['redis'], isStopping: () => isStopping })();

it('is ready while what it needs for anything answers, and names the others that do not', async () => {
  expect(await ready({ redis: answers, kafka: answers })).toMatchObject({ ready: true, degraded: [] });
  expect(await ready({ redis: answers, kafka: fails, clickhouse: fails })).toEqual({
    ready: true,
    degraded: ['kafka', 'clickhouse'],
    engines: {
      redis: { ok: true, detail: 'answers' },
      kafka: { ok: false, detail: 'is down' },
      clickhouse: { ok: false, detail: 'is down' },
    },
  });
  expect(await ready({ redis: fails, kafka: answers })).toMatchObject({ ready: false, degraded: ['redis'] });
});

it('is not ready while it stops, whatever answers', async () => {
  const { engines, ...state } = await ready({ redis: answers }, true);
  expect(state).toEqual({ ready: false, degraded: [] });
  expect(engines.process).toEqual({ ok: false, detail: 'is stopping' });
});
