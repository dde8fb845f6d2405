import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeMetrics } from '../../../../core/watch/metrics.ts';
import { scrapeOf } from '../../../support/promql.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const scraped = async (metrics: ReturnType<typeof makeMetrics>) => {
  const rendered = metrics.render();
  await vi.advanceTimersByTimeAsync(6_000);
  return scrapeOf(Buffer.from((await rendered).text).toString());
};

it('a value that is never read, or can not be, costs no other', async () => {
  const metrics = makeMetrics();
  const gauge = (name: string, read: () => number | Promise<number>): void =>
    metrics.gauge({ name, help: name, read });
  gauge('hangs', () => new Promise(() => {}));
  gauge('fails', () => {
    throw new Error('no');
  });
  gauge('answers', async () => 7);
  const { values } = await scraped(metrics);
  expect([values.get('hangs'), values.get('fails'), values.get('answers')]).toEqual([NaN, NaN, 7]);
});

it('labels that can not be read any more are gone', async () => {
  const metrics = makeMetrics();
  let isUp = true;
  metrics.gauge({
    name: 'engine_up',
    help: 'one a label',
    labels: ['engine'],
    read: () => {
      if (!isUp) throw new Error('no');
      return [{ labels: { engine: 'log' }, value: 1 }];
    },
  });
  expect((await scraped(metrics)).values.get('engine_up{engine="log"}')).toBe(1);
  isUp = false;
  vi.useRealTimers();
  await new Promise(resolve => setTimeout(resolve, 260));
  const { text } = await metrics.render();
  expect(scrapeOf(Buffer.from(text).toString()).values.has('engine_up{engine="log"}')).toBe(false);
});

it('every code of a refusal is counted from 0 on', async () => {
  const metrics = makeMetrics();
  metrics.requestRefused('quota_exceeded');
  const { values } = await scraped(metrics);
  expect(values.get('turnstone_http_refusals_total{code="quota_exceeded"}')).toBe(1);
  expect(values.get('turnstone_http_refusals_total{code="unavailable"}')).toBe(0);
});
