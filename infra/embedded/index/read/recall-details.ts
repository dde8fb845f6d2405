import { makeYieldWhenDue } from '../../../../core/fairness/yield-when-due.ts';
import type { Scope, StoredEntity, TurnDetails } from '../../../../core/ports.ts';
import { bytesOfId, idOfBytes, scopeKey } from '../file/projections-database.ts';
import { openRecallFacts } from './facts/recall-facts.ts';
import { openJudgements } from './judgements.ts';
import { openNameCorrections } from './name-corrections.ts';
import type { ProjectionsReader, ReadStatement } from './projections-reader.ts';
import { fragmentOf, selectFragments } from './read-fragment.ts';
import { fromSpellings } from './search/answers-reader.ts';

const hex = (ids: readonly string[]): string =>
  JSON.stringify(
    ids
      .map(id => bytesOfId(id))
      .filter(bytes => bytes !== undefined)
      .map(bytes => Buffer.from(bytes).toString('hex')),
  );

const IN_IDS = 'IN (SELECT unhex(value) FROM json_each(?1))';

/** Begins with the turns: with a plain JOIN SQLite begins with all users of the organization. */
const NAMED_BY_IDS = `json_each(?1) j CROSS JOIN turn_mentions m ON m.turn = unhex(j.value)
     CROSS JOIN entities e ON e.no = m.entity CROSS JOIN scopes p ON p.no = e.partition`;

const IN_SCOPE = 'p.org = ?2 AND (?3 IS NULL OR p.key = ?3)';

/** Returns the parameters of `IN_SCOPE`, and the latest recording time of rows that count. */
const inScope = ({ org, user, asOf }: Scope): [string, string | null, number] => [
  org,
  user === undefined ? null : scopeKey(org, user),
  asOf ?? Number.MAX_SAFE_INTEGER,
];

/**
 * Opens the reads of a turn's observations, entities, enrichment and jobs. Every statement takes the tenant
 * first.
 */
export const openRecallDetails = (reader: ProjectionsReader): TurnDetails => ({
  holdings: holdingsIn(reader),
  sessionsOf: sessionsIn(reader),
  observationsOf: observationsIn(reader),
  ...openRecallFacts(reader),
  entitiesOf: entitiesIn(reader),
  nameCorrections: openNameCorrections(reader, makeYieldWhenDue),
  judgements: openJudgements(reader),
  enrichment: enrichmentIn(reader),
  isQueued: isQueuedIn(reader),
  job: jobIn(reader),
  jobOfTurn: jobOfTurnIn(reader),
});

/** Sessions or entities per statement: some milliseconds. */
const AT_ONCE = 500;

const sessionsAfter = `SELECT s.no, s.name FROM sessions s
  WHERE s.partition = (SELECT no FROM scopes WHERE key = ?1) AND s.name > ?2
  ORDER BY s.name LIMIT ${AT_ONCE}`;

/** Yields the rows of a user, in pages in the order of their names. */
async function* pagesOf(statement: ReadStatement, key: string) {
  const yieldWhenDue = makeYieldWhenDue();
  for (let after = ''; ; ) {
    const rows = statement.all(key, after);
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    after = String(rows.at(-1)!.name);
    await yieldWhenDue();
  }
}

const sessionsIn = (reader: ProjectionsReader): TurnDetails['sessionsOf'] => {
  const sessions = reader.prepare(sessionsAfter);
  return async function* (org, user) {
    for await (const rows of pagesOf(sessions, scopeKey(org, user)))
      yield rows.map(({ name }) => String(name));
  };
};

/**
 * Counts holdings page by page, since a user may have a million sessions, and by names, which are the same in
 * every file. Rows projected between two pages may be counted or not, like writes during the call.
 */
const holdingsIn = (reader: ProjectionsReader): TurnDetails['holdings'] => {
  const sessions = reader.prepare(sessionsAfter);
  const oneSession = reader.prepare(
    'SELECT s.no, s.name FROM sessions s WHERE s.partition = (SELECT no FROM scopes WHERE key = ?1) AND s.name = ?2',
  );
  const IN_SESSIONS = 'session IN (SELECT value FROM json_each(?1))';
  const countFragments = reader.prepare(
    `SELECT count(*) FILTER (WHERE kind <> 1) AS turns, count(*) FILTER (WHERE kind = 1) AS observations
     FROM main.fragments WHERE ${IN_SESSIONS}`,
  );
  const countNamed = reader.prepare(
    `SELECT count(DISTINCT m.entity) AS n FROM main.turn_mentions m WHERE m.${IN_SESSIONS}`,
  );
  const entitiesAfter = reader.prepare(
    `SELECT normalised AS name, EXISTS (SELECT 1 FROM main.mentions WHERE entity = e.no) AS named FROM main.entities e
     WHERE partition = (SELECT no FROM scopes WHERE key = ?1) AND normalised > ?2
     ORDER BY normalised LIMIT ${AT_ONCE}`,
  );

  const countEntities = async (key: string): Promise<number> => {
    let count = 0;
    for await (const rows of pagesOf(entitiesAfter, key))
      count += rows.filter(({ named }) => named === 1).length;
    return count;
  };

  return async (org, user, session) => {
    const key = scopeKey(org, user);
    const counts = { turns: 0, observations: 0, entities: 0, sessions: 0 };
    for await (const rows of session === undefined
      ? pagesOf(sessions, key)
      : [oneSession.all(key, session)]) {
      const numbers = JSON.stringify(rows.map(({ no }) => Number(no)));
      const { turns, observations } = countFragments.get(numbers)!;
      counts.turns += Number(turns);
      counts.observations += Number(observations);
      counts.sessions += rows.length;
      // An entity may be named in several sessions.
      if (session !== undefined) counts.entities = Number(countNamed.get(numbers)!.n);
    }
    if (session === undefined) counts.entities = await countEntities(key);
    return counts;
  };
};

const observationsIn = (reader: ProjectionsReader): TurnDetails['observationsOf'] => {
  const observations = reader.prepare(
    `${selectFragments()} WHERE f.kind = 1 AND f.turn ${IN_IDS} AND ${IN_SCOPE} AND f.recorded <= ?4
     ORDER BY f.timestamp, f.id`,
  );
  return async (scope, turnIds) => observations.all(hex(turnIds), ...inScope(scope)).map(fragmentOf);
};

const entitiesIn = (reader: ProjectionsReader): TurnDetails['entitiesOf'] => {
  // A turn may name an entity in two spellings. Order by id, which is the same in every file, since scores
  // are summed in this order.
  const entitiesOf = reader.prepare(
    `SELECT DISTINCT e.no, e.id, e.label, e.kind, m.turn FROM ${NAMED_BY_IDS}
     WHERE ${IN_SCOPE} AND m.recorded <= ?4 ORDER BY e.id, m.turn`,
  );
  const describedAsOf = reader.prepare(
    `SELECT min(w.label) AS label, min(w.kind) AS kind ${fromSpellings('?1', 'm.recorded <= ?2')}`,
  );

  /** Returns the smallest spelling and the smallest kind recorded up to `asOf`. */
  const described = (row: Record<string, unknown>, { asOf }: Scope): { label: string; kind: string } => {
    const { label, kind } = asOf === undefined ? row : describedAsOf.get(Number(row.no), asOf)!;
    return { label: String(label), kind: String(kind) };
  };

  return async (scope, turnIds) => {
    const found = new Map<string, StoredEntity>();
    for (const row of entitiesOf.all(hex(turnIds), ...inScope(scope))) {
      const id = String(row.id);
      const entity = found.get(id) ?? { id, ...described(row, scope), turnIds: [] };
      entity.turnIds.push(idOfBytes('trn_', row.turn as Uint8Array));
      found.set(id, entity);
    }
    return [...found.values()];
  };
};

/** Reports how the enrichment of turns ended, including expired turns. */
const enrichmentIn = (reader: ProjectionsReader): TurnDetails['enrichment'] => {
  const enrichment = reader.prepare(
    `SELECT e.outcome, e.reason FROM main.fragments f JOIN scopes p ON p.no = f.partition
     LEFT JOIN enrichments e ON e.session = f.session AND e.turn = f.id WHERE f.passive = 1 AND f.id ${IN_IDS} AND p.org = ?2`,
  );
  const countObservations = reader.prepare(
    `SELECT count(*) AS n FROM fragments f JOIN scopes p ON p.no = f.partition
     WHERE f.kind = 1 AND f.turn ${IN_IDS} AND p.org = ?2`,
  );
  const countEntities = reader.prepare(
    `SELECT count(DISTINCT m.entity) AS n FROM ${NAMED_BY_IDS} WHERE p.org = ?2`,
  );
  return async (org, turnIds) => {
    const ids = hex(turnIds);
    const rows = enrichment.all(ids, org);
    const failed = rows.filter(row => row.outcome === 'failed');
    const queued = rows.filter(row => row.outcome === null).length;
    return {
      queued,
      done: rows.length - failed.length - queued,
      failed: failed.length,
      reason: failed[0] ? String(failed[0].reason) : null,
      observations: Number(countObservations.get(ids, org)!.n),
      entities: Number(countEntities.get(ids, org)!.n),
    };
  };
};

const isQueuedIn = (reader: ProjectionsReader): TurnDetails['isQueued'] => {
  const queued = reader.prepare(
    `SELECT 1 FROM json_each(?1) j CROSS JOIN main.fragments f ON f.id = unhex(j.value) JOIN scopes p ON p.no = f.partition
     WHERE f.passive = 1 AND p.org = ?2
       AND NOT EXISTS (SELECT 1 FROM enrichments e WHERE e.session = f.session AND e.turn = f.id) LIMIT 1`,
  );
  return async (org, turnIds) => queued.get(hex(turnIds), org) !== undefined;
};

const jobIn = (reader: ProjectionsReader): TurnDetails['job'] => {
  const job = reader.prepare(
    `SELECT j.user, j.passive, j.turns, s.name AS session FROM jobs j LEFT JOIN sessions s ON s.no = j.session
     WHERE j.id = ? AND j.org = ?`,
  );
  return async (org, id) => {
    const row = job.get(id, org);
    if (!row) return undefined;
    const ids = row.turns as Uint8Array;
    const turnIds = Array.from({ length: ids.length / 16 }, (_, i) =>
      idOfBytes('trn_', ids.subarray(i * 16, i * 16 + 16)),
    );
    const session = row.session === null ? undefined : String(row.session);
    return { id, org, user: String(row.user), session, turnIds, passive: Number(row.passive) === 1 };
  };
};

/**
 * Finds a turn's job. A write's event precedes its turns in their partition: the job is the last one before
 * the turn that names it.
 */
const jobOfTurnIn = (reader: ProjectionsReader): TurnDetails['jobOfTurn'] => {
  const last = reader.prepare(
    `SELECT j.id FROM main.fragments f JOIN scopes p ON p.no = f.partition
     JOIN jobs j ON j.session = f.session AND j.offset < f.offset
     WHERE f.id = ?1 AND p.org = ?2 AND p.user = ?3 AND j.log_partition = f.log_partition AND instr(j.turns, f.id) % 16 = 1
     ORDER BY j.offset DESC LIMIT 1`,
  );
  return async (org, user, turnId) => {
    const row = last.get(bytesOfId(turnId)!, org, user);
    return row && String(row.id);
  };
};
