import { expect, it } from 'vitest';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias } from '../../infra/cluster/elasticsearch/index/index.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { sentence, turnRecorded } from '../support/worlds/builders.ts';
import { describeNeighbours } from './neighbours.contract.ts';
import { answersOf } from './openers/answers.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { fold, openProjections } from './openers/embedded.ts';

describeInBothModes('neighbours', {
  embedded: () => {
    describeNeighbours('embedded', () => openProjections());
  },
  cluster: () => {
    describeNeighbours('cluster', () => openElasticsearchProjections());

    it('are found by a handful of searches, however many turns of long sessions are among the best', async () => {
      const { config, store, index, close } = await openElasticsearchProjections();
      const elasticsearch = connectElasticsearch(config);
      const searches = async (): Promise<number> => {
        type Stats = { _all: { total: { search: { query_total: number } } } };
        const stats = await elasticsearch.ask<Stats>('GET', `/${recallAlias(config)}/_stats/search`);
        return stats._all.total.search.query_total;
      };
      const turns = Array.from({ length: 1_500 }, (_, n) => turnRecorded(n, { session: `s${n % 3}` }));
      await store.apply({ ...fold(turns), positions: {} });
      const before = await searches();
      const { candidates } = await answersOf(index, { org: 'acme', user: 'ada' }, sentence(777), []);
      expect(candidates.length).toBeGreaterThan(200);
      expect((await searches()) - before).toBeLessThan(20);
      await elasticsearch.close();
      await close();
    });
  },
});
