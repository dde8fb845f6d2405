import { expect, it } from 'vitest';
import { makeDatedAhead } from '../../../../../../infra/cluster/elasticsearch/search/dated-ahead.ts';

const DAY_MS = 86_400_000;
const ORGANIZATIONS = 40;
const LAST_DAY = 399;

const idAt = (ms: number): string => `trn_${(ms / 60_000).toString(16).padStart(8, '0')}`;

interface Body {
  body: { aggs?: object; query: { bool: { filter: { range?: { id: { gte: string } } }[] } } };
}

/** Each organization has a turn on each day after the first one, up to the last. */
const world = () => {
  let searches = 0;
  const organizations = Array.from({ length: ORGANIZATIONS }, (_, i) => ({
    key: { org: `org${i}` },
    latest: { buckets: [{ key: idAt(LAST_DAY * DAY_MS) }] },
  }));
  const ask = async (_method: string, _path: string, { body }: Body): Promise<unknown> => {
    if (body.aggs) return { aggregations: { organizations: { buckets: organizations } } };
    searches++;
    const from = Number.parseInt(body.query.bool.filter.find(one => one.range)!.range!.id.gte.slice(4), 16);
    const day = Math.ceil((from * 60_000) / DAY_MS);
    return { hits: { hits: day > LAST_DAY ? [] : [{ _source: { id: idAt(day * DAY_MS) } }] } };
  };
  return { datedAhead: makeDatedAhead({ ask: ask as never }, 'turns'), searches: () => searches };
};

it('asks for the days of all organizations together no more than some thousand times', async () => {
  const { datedAhead, searches } = world();
  const found = [];
  for await (const each of datedAhead(0)) found.push(each);
  expect(found).toHaveLength(ORGANIZATIONS);
  expect(searches()).toBe(5_000);
  // Each day up to the last one is a day ahead to those that were not asked for.
  expect(found[0]).toEqual({ org: 'org0', days: Array.from({ length: LAST_DAY + 1 }, (_, i) => i) });
  expect(found.at(-1)).toEqual({ org: 'org39', days: [], to: LAST_DAY });
});
