import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { segmentIdsOf } from '../../infra/embedded/index/file/projections-database.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { sentence, turnRecorded } from '../support/worlds/builders.ts';
import { answersOf } from './openers/answers.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { fold, openProjections } from './openers/embedded.ts';
import { describeProjections } from './projections.contract.ts';

describeInBothModes('projections', {
  embedded: () => {
    describeProjections('embedded', () => openProjections());

    // Over the network a batch can't be taken back: there it holds that repeating it changes nothing.
    it('applies a batch whole or not at all', async () => {
      const { store, index, close } = await openProjections();
      const turns = Array.from({ length: 12 }, (_, n) => turnRecorded(n));
      const ids = turns.map(({ id }) => id);
      const answers = () => answersOf(index, { org: 'acme' }, sentence(4), ids);
      await store.apply({ ...fold(turns.slice(0, 4)), positions: { 'turns/0': 4 } });
      const before = await answers();
      const bad = { ...turnRecorded(50), id: 'no such id' };
      const batch = { ...fold([...turns.slice(4), bad]), positions: { 'turns/0': 13 } };
      await expect(store.apply(batch)).rejects.toThrow();
      expect(await answers()).toEqual(before);
      expect(await store.positions()).toEqual({ 'turns/0': 4 });
      await close();
    });

    it('keeps no segment that was merged into a larger one', async () => {
      const folder = temporaryFolder();
      const { store, close } = await openProjections(folder);
      for (let at = 0; at < 1_100; at += 100) {
        const events = Array.from({ length: 100 }, (_, i) => turnRecorded(at + i));
        await store.apply({ ...fold(events), positions: {} });
      }
      const file = new DatabaseSync(join(folder, 'projections.db'), { readOnly: true });
      const scopes = file.prepare('SELECT no, segments FROM scopes').all();
      expect(scopes).toHaveLength(2);
      for (const { no, segments } of scopes) {
        const ids = segmentIdsOf(segments as Uint8Array);
        // 1,100 turns: two of 512, one of 64, twelve loose.
        expect(ids.map(({ level }) => level)).toEqual([1, 1, 0]);
        const stored = file
          .prepare('SELECT level, first FROM segments WHERE scope = ? ORDER BY first')
          .all(Number(no));
        expect(stored.map(({ level, first }) => ({ level, first }))).toEqual(ids);
      }
      file.close();
      await close();
    });
  },
  cluster: () => {
    describeProjections('cluster', () => openElasticsearchProjections());
  },
});
