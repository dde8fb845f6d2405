import type { AuditAsked, AuditLog } from '../../../../core/ports/audit/audit-log.ts';
import type { GenerationEngine } from '../../../../core/ports/projection/generation-engine.ts';
import {
  ALL_WRITTEN,
  type LogRange,
  type Sweeping,
  type Written,
} from '../../../../core/ports/projection/projection-store.ts';
import { utcDay } from '../../../../core/time.ts';
import {
  AUDIT_COLUMN_NAMES,
  AUDIT_KEPT_MS,
  type AuditRow,
  auditColumnsOf,
} from '../../../../projections/audit/audit-projection.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { type GenerationWriters, writeToGenerations } from '../../generations/writes.ts';
import { type Clickhouse, connectClickhouse } from '../clickhouse-client.ts';
import { makeGroupWrites } from '../group-writes.ts';
import { lackingBefore, positionsAfter, readPositions, storePositions } from '../held-positions.ts';
import { bytesOfTable, serveTable } from '../schema.ts';
import { AUDIT_SERVING, auditTableOf, makeAuditTable } from './audit-tables.ts';

/** For queries that a caller waits for. */
const TIMEOUT_MS = 10_000;
/** For what runs in the background. */
const LONG_TIMEOUT_MS = 300_000;
const MOST_ROWS = 20_000;
const PACE_MS = 50;

export interface AuditStore extends AuditLog, Sweeping {
  /** As `UsageStore.append`: rows may come again, and from two projectors at once. */
  append(rows: readonly AuditRow[], range?: LogRange): Promise<Written>;
  targets: GenerationWriters['targets'];
  engine: GenerationEngine<AuditRow, readonly AuditRow[]>;
  close(): Promise<void>;
}

const insertRows = async (
  clickhouse: Clickhouse,
  generation: number,
  rows: readonly AuditRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  await clickhouse.insert(
    auditTableOf(generation),
    rows.map(({ eventId, entry, ...row }) => ({
      ...row,
      ...entry,
      event_id: eventId,
      day: entry.at.slice(0, 10),
    })),
  );
};

const pageQuery = ({ until, action, actor, after }: AuditAsked): string => `
  SELECT event_id AS id, ${AUDIT_COLUMN_NAMES.join(', ')} FROM ${AUDIT_SERVING}
  WHERE org = {org:String} AND day >= {day:Date} AND at >= {since:String}
    ${until === undefined ? '' : 'AND at < {until:String}'}
    ${after === undefined ? '' : 'AND (at, event_id) < ({at:String}, {id:String})'}
    ${action === undefined ? '' : 'AND action = {action:String}'}
    ${
      actor === undefined
        ? ''
        : `AND {actor:String} IN (ifNull(actor_key, ''), ifNull(actor_user, ''), actor_kind)`
    }
  ORDER BY at DESC, event_id DESC LIMIT {limit:UInt32} SETTINGS final = 1`;

/** The generations of the audit log, which are tables. Rows may come in any order. */
const generationsOf = (clickhouse: Clickhouse): AuditStore['engine'] => ({
  inFlight: 2,
  make: generation => makeAuditTable(clickhouse, generation),
  requests: rows => (rows.length === 0 ? [] : [rows]),
  send: async (generation, rows) => {
    await insertRows(clickhouse, generation, rows);
    return 0;
  },
  // A row is visible and has its replicas once it is written.
  finish: async () => {},
  serve: generation => serveTable(clickhouse, 'audit', generation),
  positions: generation => readPositions(clickhouse, auditTableOf(generation)),
  mark: (generation, positions) => storePositions(clickhouse, auditTableOf(generation), positions),
  remove: generation => clickhouse.command(`DROP TABLE IF EXISTS ${auditTableOf(generation)} SYNC`),
  bytes: generation => bytesOfTable(clickhouse, auditTableOf(generation)),
});

/** Opens the audit log in ClickHouse. `migrateAudit` creates its tables. Methods throw `unavailable`. */
export const openAuditStore = (config: ClusterConfig, generations: GenerationWriters): AuditStore => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  const atLeisure = connectClickhouse(config, { timeoutMs: LONG_TIMEOUT_MS });
  const tables = { projection: 'audit', tableOf: auditTableOf, generations };

  const write = async (items: readonly (AuditRow | LogRange)[]): Promise<Written> => {
    const targets = await generations.targets();
    if ('kind' in targets) return targets;
    const rows = items.filter(item => 'eventId' in item);
    const positions = positionsAfter(items.filter(item => 'next' in item));
    await writeToGenerations(generations, targets, async one => {
      await insertRows(clickhouse, one, rows);
      await storePositions(clickhouse, auditTableOf(one), positions);
    });
    return ALL_WRITTEN;
  };
  const writes = makeGroupWrites<AuditRow | LogRange, Written>(write, {
    paceMs: PACE_MS,
    most: MOST_ROWS,
  });

  return {
    append: async (rows, range) => {
      const lacking = range && (await lackingBefore(clickhouse, tables, range));
      return lacking ?? (await writes.append(range ? [...rows, range] : rows)) ?? ALL_WRITTEN;
    },
    page: async (org, asked) => {
      const { since, until, action, actor, after, limit } = asked;
      const rows = await clickhouse.rows<Record<string, unknown>>(pageQuery(asked), {
        org,
        day: since.slice(0, 10),
        since,
        until,
        action,
        actor,
        ...after,
        limit,
      });
      return rows.map(row => ({ id: String(row.id), ...auditColumnsOf(row) }));
    },
    // Whole days, so that no day is left in part. Positions have no organization.
    sweep: async now => {
      const day = utcDay(now - AUDIT_KEPT_MS);
      const targets = await generations.targets();
      if ('kind' in targets) return false;
      for (const generation of targets.marked) {
        const table = auditTableOf(generation);
        const due = await atLeisure.rows(
          `SELECT 1 FROM ${table} WHERE org <> '' AND day < {day:Date} LIMIT 1`,
          { day },
        );
        if (due.length > 0)
          await atLeisure.command(`DELETE FROM ${table} WHERE org <> '' AND day < '${day}'`);
      }
      return false;
    },
    targets: generations.targets,
    engine: generationsOf(atLeisure),
    close: async () => {
      await writes.close();
      await Promise.all([clickhouse.close(), atLeisure.close()]);
    },
  };
};
