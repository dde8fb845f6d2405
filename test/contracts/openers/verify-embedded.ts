import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { openSegment } from '../../../domain/search/segments/segment.ts';
import { createProjectionsDatabase } from '../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../infra/embedded/index/file/projection-store.ts';
import { bytesOfId } from '../../../infra/embedded/index/file/projections-database.ts';
import { openVerifiableRows } from '../../../infra/embedded/index/read/verify/verifiable-rows.ts';
import { temporaryFolder } from '../../support/processes/server.ts';
import type { VerifyBench } from './verify.ts';

export const openEmbeddedVerify = async (): Promise<VerifyBench & { path: string }> => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const run = async (sql: string, ...values: SQLInputValue[]): Promise<void> => {
    const database = new DatabaseSync(path, { timeout: 5_000 });
    if (database.prepare(sql).run(...values).changes !== 1) throw new Error('nothing was damaged');
    database.close();
  };
  return {
    path,
    store,
    rows: openVerifiableRows(path, decodeDocument),
    sweep: async now => {
      while (await store.sweep(now));
    },
    damage: {
      change: id => run('UPDATE fragments SET text = ? WHERE id = ?', Buffer.from('x'), bytesOfId(id)!),
      remove: id => run('DELETE FROM fragments WHERE id = ?', bytesOfId(id)!),
      copy: (id, as) =>
        run(
          `INSERT INTO fragments (id, kind, organization, partition, session, timestamp, passive, role, log_partition, offset,
             read_offset, recorded, document, text)
           SELECT ?, kind, organization, partition, session, timestamp, passive, role, log_partition, offset, read_offset, recorded,
             document, text FROM fragments WHERE id = ?`,
          bytesOfId(as)!,
          bytesOfId(id)!,
        ),
      bill: async (org, day) => {
        await run('UPDATE usage_days SET tokens_in = tokens_in + 1 WHERE org = ? AND day = ?', org, day);
        // Else the split of the day is another difference.
        await run(
          `UPDATE usage_splits SET tokens_in = tokens_in + 1 WHERE org = ?1 AND day = ?2
           AND (source, api_key) = (SELECT source, api_key FROM usage_splits WHERE org = ?1 AND day = ?2 LIMIT 1)`,
          org,
          day,
        );
        await run(
          `UPDATE usage_events SET tokens_in = tokens_in + 1 WHERE org = ?1 AND day = ?2
           AND id = (SELECT min(id) FROM usage_events WHERE org = ?1 AND day = ?2)`,
          org,
          day,
        );
      },
      count: async id => {
        await run('UPDATE activity_events SET recalls = 2 WHERE id = ?', id);
        await run("UPDATE activity_days SET recalls = recalls + 1 WHERE org = 'acme' AND owner = ''");
      },
      note: id => run("UPDATE audit_entries SET action = 'keys.read' WHERE id = ?", id),
      rename: org =>
        run(
          `UPDATE account_documents SET document = json_set(document, '$.name', 'other')
           WHERE kind = 'organization' AND id = ?`,
          org,
        ),
      refile: id =>
        run(
          'UPDATE metadata SET terms = ? WHERE no = (SELECT metadata FROM fragments WHERE id = ?)',
          Buffer.from('["other"]'),
          bytesOfId(id)!,
        ),
      lose: id =>
        run(
          `DELETE FROM metadata_terms WHERE (scope, term, metadata) IN (SELECT t.scope, t.term, t.metadata
             FROM fragments f JOIN metadata_terms t ON t.scope = f.partition AND t.metadata = f.metadata
             WHERE f.id = ? LIMIT 1)`,
          bytesOfId(id)!,
        ),
      unfollow: id =>
        run(
          'DELETE FROM followed WHERE (id, fragment) IN (SELECT w.id, w.fragment FROM followed w JOIN fragments f ON f.no = w.fragment WHERE f.id = ? LIMIT 1)',
          bytesOfId(id)!,
        ),
      derive: async id => {
        const database = new DatabaseSync(path, { timeout: 5_000 });
        const { no } = database.prepare('SELECT no FROM fragments WHERE id = ?').get(bytesOfId(id)!)!;
        const segments = database.prepare('SELECT scope, level, first, bytes FROM segments').all();
        const found = segments.find(({ bytes }) =>
          openSegment(bytes as Uint8Array).numbers.includes(Number(no)),
        )!;
        const bytes = (found.bytes as Uint8Array).slice();
        const segment = openSegment(bytes);
        segment.lengths[segment.numbers.indexOf(Number(no))]!++;
        database
          .prepare('UPDATE segments SET bytes = ? WHERE scope = ? AND level = ? AND first = ?')
          .run(bytes, found.scope!, found.level!, found.first!);
        database.close();
      },
    },
    close: async () => store.close(),
  };
};
