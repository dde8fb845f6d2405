import type { DatabaseSync } from 'node:sqlite';
import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import {
  digestsOf,
  type UsageForget,
  type UsageRow,
} from '../../../../projections/usage/usage-projection.ts';

export const NAME_TABLES = `
  -- What the sources of usage are called, apart from what they billed: an erasure removes these rows alone.
  -- log_partition: -1 for a recall's. offset: of the first turn. at: of the last recall.
  CREATE TABLE IF NOT EXISTS usage_names (org TEXT NOT NULL, source TEXT NOT NULL, user TEXT NOT NULL, session TEXT,
    owner TEXT NOT NULL, place TEXT, log_partition INTEGER NOT NULL, offset INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (org, source)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS usage_names_of ON usage_names (org, owner);
  -- When users were last erased: names of recalls from before are not taken again, in whatever order topics are read.
  CREATE TABLE IF NOT EXISTS usage_forgotten (org TEXT NOT NULL, owner TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (org, owner)) WITHOUT ROWID;
`;

/** Stands for the partition of a recall's name, which an erasure reaches by time. */
const OF_RECALLS = -1;
/** Sessions whose name is known to be written: most turns are of one that had a turn before. */
const REMEMBERED = 10_000;

/** Opens the writer of names. `take` and `forget` are called in the order of the log. */
export const openUsageNames = (database: DatabaseSync) => {
  const insert = database.prepare(
    `INSERT INTO usage_names VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET at = max(at, excluded.at), offset = min(offset, excluded.offset)`,
  );
  const forgottenAt = database.prepare('SELECT at FROM usage_forgotten WHERE org = ? AND owner = ?');
  const noteForgotten = database.prepare(
    'INSERT INTO usage_forgotten VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
  );
  const forgetTurns = database.prepare(
    `DELETE FROM usage_names WHERE org = ?1 AND owner = ?2 AND (?3 IS NULL OR place = ?3)
       AND log_partition = ?4 AND offset < ?5`,
  );
  const forgetRecalls = database.prepare(
    `DELETE FROM usage_names WHERE org = ? AND owner = ? AND log_partition = ${OF_RECALLS} AND at <= ?`,
  );
  const written = boundedMap<true>(REMEMBERED);

  const takeTurn = ({ org, source, named, partition, offset }: UsageRow): void => {
    const name = JSON.stringify([org, source]);
    if (!named || written.get(name)) return;
    written.set(name, true);
    const { owner, place } = digestsOf(org, named);
    insert.run(org, source, named.user, named.session, owner, place, partition, offset, named.at);
  };

  const takeRecall = ({ org, source, named }: UsageRow): void => {
    // Its source is its owner.
    if (!named || Number(forgottenAt.get(org, source)?.at ?? -1) >= named.at) return;
    insert.run(org, source, named.user, null, source, null, OF_RECALLS, 0, named.at);
  };

  return {
    take: (row: UsageRow): void => (row.topic === 'turns' ? takeTurn(row) : takeRecall(row)),
    forget: ({ org, owner, place, partition, offset, at }: UsageForget): void => {
      forgetTurns.run(org, owner, place, partition, offset);
      if (place !== null) return;
      noteForgotten.run(org, owner, at);
      forgetRecalls.run(org, owner, at);
    },
    /** After a rollback what is remembered may not be written. */
    reset: (): void => written.clear(),
  };
};
