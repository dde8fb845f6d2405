import type { DatabaseSync } from 'node:sqlite';
import { scopeDigest } from '../../../../../domain/identity/identity.ts';
import type { RowKind } from '../../../../../projections/recall/column.ts';
import type { Erase, Origin } from '../../../../../projections/recall/recall-writes.ts';
import { partitionNumber } from '../../file/projections-database.ts';
import type { MetadataWriter } from '../recall/metadata.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import type { MentionRemover } from './remove-mentions.ts';
import { CORRECTS, openUnfollower } from './remove-words.ts';

/**
 * How an erasure deletes each kind of row, so that none can be left out: from its table, or by a statement of
 * its own below.
 */
const DELETED: Readonly<Record<RowKind, { topic: Origin['topic']; table: string } | 'apart'>> = {
  turn: 'apart',
  identity: 'apart',
  observation: 'apart',
  mention: 'apart',
  // With the mentions of its event.
  enriched: 'apart',
  vectors: { topic: 'observations', table: 'vectors' },
  job: { topic: 'turns', table: 'jobs' },
  retraction: { topic: 'turns', table: 'retracted' },
  correction: 'apart',
};
/** Matches rows of the erased sessions whose event precedes the erasure in its partition. */
const BEFORE = 'session IN (SELECT value FROM json_each(?1)) AND log_partition = ?2 AND offset < ?3';

/**
 * Deletes the data that an erasure names from the file, whatever the positions of other partitions. Billed
 * tokens stay and are never billed twice: the ids of erased turns move to `usage_rows`.
 */
export const openScopeEraser = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'flush' | 'remove' | 'forget'>,
  mentions: Pick<MentionRemover, 'ofSessions'>,
  metadata: Pick<MetadataWriter, 'clean'>,
): ((erase: Erase) => void) => {
  const findScope = database.prepare('SELECT no, user FROM scopes WHERE owner = ? AND org = ?');
  const findOrganization = database.prepare('SELECT no FROM scopes WHERE key = ?');
  const readSessions = database.prepare('SELECT no, name FROM sessions WHERE partition = ?');
  const keepBilled = database.prepare(
    `INSERT OR IGNORE INTO usage_rows SELECT 'trn_' || lower(hex(id)) FROM fragments WHERE ${BEFORE} AND kind <> 1`,
  );
  const deleteFragments = database.prepare(
    `DELETE FROM fragments WHERE ${BEFORE} RETURNING no, kind <> 2 AND length(document) > 0 AS listed, ${CORRECTS}`,
  );
  const unfollow = openUnfollower(database);
  const deletions = Object.values(DELETED)
    .filter(one => one !== 'apart')
    .map(({ topic, table }) => ({ topic, rows: database.prepare(`DELETE FROM ${table} WHERE ${BEFORE}`) }));
  const deleteFindings = database.prepare(`DELETE FROM findings WHERE ${BEFORE}`);
  const metadataOfSessions = database.prepare(
    'SELECT no FROM metadata WHERE session IN (SELECT value FROM json_each(?))',
  );
  const BEFORE_OF_PARTITION = 'partition = ?1 AND log_partition = ?2 AND offset < ?3';
  const deleteCorrections = database.prepare(`DELETE FROM corrections WHERE ${BEFORE_OF_PARTITION}`);
  const titledSessions = database.prepare(
    `SELECT DISTINCT session AS name FROM corrections WHERE ${BEFORE_OF_PARTITION} AND session <> ''`,
  );
  const deleteTitles = database.prepare(
    `DELETE FROM corrections WHERE ${BEFORE_OF_PARTITION} AND session IN (SELECT value FROM json_each(?4))`,
  );
  const deleteSpeakers = database.prepare('DELETE FROM speakers WHERE scope = ?');
  const speakersOfUser = database.prepare(
    `INSERT INTO speakers SELECT DISTINCT ?1, role FROM fragments
     WHERE session IN (SELECT no FROM sessions WHERE partition = ?1) AND kind = 0`,
  );
  const speakersOfOrganization = database.prepare(
    `INSERT INTO speakers SELECT DISTINCT ?1, s.role FROM scopes p JOIN speakers s ON s.scope = p.no
     WHERE p.org = ?2 AND p.no <> ?1`,
  );
  const forgetSwept = database.prepare(
    'DELETE FROM swept_sessions WHERE org = ? AND user = ? AND session IN (SELECT value FROM json_each(?))',
  );
  const deleteSessions = database.prepare(
    `DELETE FROM sessions WHERE no IN (SELECT value FROM json_each(?1))
       AND NOT EXISTS (SELECT 1 FROM fragments WHERE session = sessions.no)
       AND NOT EXISTS (SELECT 1 FROM findings WHERE session = sessions.no)
       AND NOT EXISTS (SELECT 1 FROM vectors WHERE session = sessions.no)
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE session = sessions.no)
       AND no NOT IN (SELECT session FROM retracted WHERE session IN (SELECT value FROM json_each(?1)))`,
  );
  const deleteScope = database.prepare(
    `DELETE FROM scopes WHERE no = ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE partition = ?1)
       AND NOT EXISTS (SELECT 1 FROM corrections WHERE partition = ?1)`,
  );

  return ({ org, owner, session, origin, known }) => {
    scopes.flush();
    const scope = findScope.get(owner, org);
    if (!scope) return;
    const partition = Number(scope.no);
    const user = String(scope.user);
    const isErased = ({ name }: Record<string, unknown>): boolean =>
      session === null || scopeDigest([org, user, String(name)]) === session;
    const sessions = readSessions.all(partition).filter(isErased);
    const erased = sessions.map(({ no }) => Number(no));
    const before: [string, number, number] = [JSON.stringify(erased), partitionNumber(origin), origin.offset];

    // A log_partition also identifies a topic.
    for (const { topic, rows } of deletions) if (topic === origin.topic) rows.run(...before);
    if (origin.topic === 'turns') {
      keepBilled.run(...before);
      const [, ...below] = before;
      if (session === null) deleteCorrections.run(partition, ...below);
      else {
        const titled = titledSessions.all(partition, ...below).filter(isErased);
        deleteTitles.run(partition, ...below, JSON.stringify(titled.map(({ name }) => name)));
      }
    } else {
      mentions.ofSessions(...before);
      deleteFindings.run(...before);
    }
    const fragments = deleteFragments.all(...before);
    unfollow(fragments);
    // A session that expired may have lost more meanwhile, sealed under its next key.
    if (known === undefined)
      forgetSwept.run(org, user, JSON.stringify(sessions.map(({ name }) => String(name))));
    metadata.clean(metadataOfSessions.all(before[0]).map(({ no }) => Number(no)));
    const listed = new Set(fragments.filter(row => Number(row.listed) === 1).map(row => Number(row.no)));

    const organization = Number(findOrganization.get(JSON.stringify([org]))!.no);
    if (listed.size > 0) {
      for (const each of [partition, organization]) {
        scopes.remove(each, listed);
        deleteSpeakers.run(each);
      }
      speakersOfUser.run(partition);
      speakersOfOrganization.run(organization, org);
    }
    deleteSessions.run(before[0]);
    deleteScope.run(partition);
    scopes.forget();
  };
};
