import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IMAGES } from '../../support/engines/engine-containers.ts';
import { ENGINES, type EngineName, tellMissing } from '../../support/engines/engine-urls.ts';
import { type Docker, findEngines } from '../../support/engines/find-engines.ts';

const ALL = {
  TURNSTONE_KAFKA_BROKERS: 'broker:9092',
  TURNSTONE_ELASTICSEARCH_URL: 'http://search:9200',
  TURNSTONE_CLICKHOUSE_URL: 'http://rows:8123',
  TURNSTONE_REDIS_URL: 'redis://cache:6379',
};

/** Starts every engine but those that are `broken`, and knows which run. */
const makeDocker = (...broken: EngineName[]): { docker: Docker; running: Set<EngineName> } => {
  const running = new Set<EngineName>();
  const start = async (name: EngineName) => {
    if (broken.includes(name)) throw new Error('no such image\nand more of it');
    running.add(name);
    return `container:${name}`;
  };
  return { docker: { start, close: async () => running.clear() }, running };
};

describe('finding the engines', () => {
  it('takes what the environment names, and then asks no Docker engine', async () => {
    const found = await findEngines(ALL, () => Promise.reject(new Error('asked')));
    expect(found).toMatchObject({ urls: { kafka: 'broker:9092', redis: 'redis://cache:6379' }, missing: {} });
    expect(tellMissing(found)).toBe('');
  });

  it('starts only what the environment leaves out, and stops it', async () => {
    const { docker, running } = makeDocker();
    const found = await findEngines({ ...ALL, TURNSTONE_REDIS_URL: '' }, async () => docker);
    expect(found.urls).toMatchObject({ kafka: 'broker:9092', redis: 'container:redis' });
    expect([...running]).toEqual(['redis']);
    await found.stop();
    expect([...running]).toEqual([]);
  });

  it('names every engine and every variable when no Docker engine answers', async () => {
    const { urls, missing } = await findEngines({}, async () => undefined);
    expect(urls).toEqual({});
    const told = tellMissing({ missing });
    for (const word of [...ENGINES, ...Object.keys(ALL), 'no Docker engine answers'])
      expect(told).toContain(word);
    expect(told.split('\n')).toHaveLength(1);
  });

  it('names the engine whose container did not start, and stops the others', async () => {
    const { docker, running } = makeDocker('clickhouse');
    const found = await findEngines({}, async () => docker);
    expect(tellMissing(found)).toBe('no clickhouse: its container did not start (no such image)');
    await found.stop();
    expect([...running]).toEqual([]);
  });

  it('starts the images that infra/compose.yaml names', () => {
    const compose = readFileSync(new URL('../../../infra/compose.yaml', import.meta.url), 'utf8');
    const named = [...compose.matchAll(/^ {4}image: (\S+)$/gm)].map(([, image]) => image);
    expect(named).toEqual(expect.arrayContaining(Object.values(IMAGES)));
  });
});
