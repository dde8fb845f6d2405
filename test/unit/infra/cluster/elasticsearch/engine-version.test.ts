import { expect, it } from 'vitest';
import type { Elasticsearch } from '../../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { makeEngineVersion } from '../../../../../infra/cluster/elasticsearch/engine-version.ts';

const asked = (answers: (() => unknown)[]) => {
  const paths: string[] = [];
  const ask = (async (_method: string, path: string) => {
    paths.push(path);
    return answers[paths.length - 1]!();
  }) as Elasticsearch['ask'];
  return { paths, version: makeEngineVersion({ ask }) };
};

const refuses = (): never => {
  throw new Error('403, security_exception');
};

it('the version is asked for once', async () => {
  const { paths, version } = asked([() => ({ version: { number: '8.19.3' } })]);
  expect([await version(), await version(), paths]).toEqual(['8.19.3', '8.19.3', ['/']]);
});

it('is unknown to a user who may not ask, and is asked for again', async () => {
  const { version } = asked([refuses, () => ({ version: { number: '8.19.3' } })]);
  expect([await version(), await version()]).toEqual([undefined, '8.19.3']);
});
