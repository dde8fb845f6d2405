import type { DatabaseSync } from 'node:sqlite';
import type { Column } from '../../../../../projections/recall/column.ts';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import type { Origin } from '../../../../../projections/recall/recall-writes.ts';
import { FINDINGS, OF_EVENT } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { turnBytes } from '../turn-bytes.ts';
import { addressColumns, type Write } from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';
import type { openSpellings } from './spellings.ts';

/** Mentions expire, an outcome doesn't. */
const ofMentions = ({ isNullable, of, ...column }: Column<Finding>): Column<Finding> =>
  isNullable
    ? { ...column, isNullable, of: finding => (finding.named.size > 0 ? of(finding) : null) }
    : { ...column, of };

const OUTCOME = COLUMNS.enriched.filter(({ name }) => name === 'outcome' || name === 'reason');
// A finding has what these columns read of a mention and of an outcome.
const valuesOf = FINDINGS.valuesOf([
  ...(OF_EVENT as readonly unknown[] as readonly Column<Finding>[]).map(ofMentions),
  ...(OUTCOME as readonly unknown[] as readonly Column<Finding>[]),
]);

/** One event's findings in its turn, as far as its writes have come. */
interface Finding {
  origin: Origin;
  org: string;
  user: string;
  session: string;
  turnId: string;
  /** Entities by spelling. */
  named: Map<number, number>;
  metadata: readonly string[] | undefined;
  outcome: string | null;
  reason: string | null;
}

export interface FindingWriter {
  name(entity: Write<'entity'>): void;
  enriched(enriched: Write<'enriched'>): void;
  /** Writes what is left of the last event. Call it before anything reads or removes findings. */
  flush(): void;
  /** Called after a rollback or an erasure. */
  forget(): void;
}

/**
 * Writes whom a turn names and how its enrichment ended: one row an event, whose writes are consecutive. The
 * first mention and the first outcome of a turn count; a later event has a row of its own for what is new in
 * it.
 */
export const openFindingWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'partition' | 'rowIds'>,
  metadata: MetadataWriter,
  spellings: ReturnType<typeof openSpellings>,
): FindingWriter => {
  const isKnown = database.prepare('SELECT 1 FROM findings WHERE turn = ?');
  const insert = database.prepare(`INSERT INTO ${FINDINGS.into}`);
  const insertNamed = database.prepare('INSERT INTO named (entity, spelling, finding) VALUES (?, ?, ?)');
  const earlier = database.prepare('SELECT outcome, named FROM findings WHERE turn = ? AND session = ?');
  let pending: Finding | undefined;

  /** Returns the row's number. */
  const write = (finding: Finding): number => {
    const { named, origin } = finding;
    const ids = scopes.rowIds(finding.org, finding.user, finding.session);
    const names = named.size > 0;
    const row = valuesOf(finding, {
      session: ids.session,
      metadata: names ? metadata.numberOf(ids, finding.metadata) : null,
      named: names ? JSON.stringify([...named.keys()]) : null,
      ...addressColumns(origin),
    });
    return Number(insert.run(...row).lastInsertRowid);
  };

  /** Returns what no earlier row of the turn says. */
  const rest = (finding: Finding): Finding => {
    const { session } = scopes.rowIds(finding.org, finding.user, finding.session);
    const named = new Map(finding.named);
    let { outcome, reason } = finding;
    for (const row of earlier.all(turnBytes(finding.turnId), session)) {
      for (const spelling of JSON.parse(String(row.named ?? '[]')) as number[]) named.delete(spelling);
      if (row.outcome !== null) outcome = reason = null;
    }
    return { ...finding, named, outcome, reason };
  };

  const flush = (): void => {
    if (!pending) return;
    const finding = isKnown.get(turnBytes(pending.turnId)) ? rest(pending) : pending;
    pending = undefined;
    if (finding.named.size === 0 && finding.outcome === null) return;
    const number = write(finding);
    for (const [spelling, entity] of finding.named) insertNamed.run(entity, spelling, number);
  };

  const isOf = (finding: Finding, write: Write<'entity'> | Write<'enriched'>): boolean =>
    finding.turnId === write.turnId &&
    isSame(finding.origin, write.origin) &&
    finding.session === write.session &&
    finding.user === write.user &&
    finding.org === write.org;

  /** Returns the pending finding of an event. */
  const findingOf = (write: Write<'entity'> | Write<'enriched'>): Finding => {
    if (pending && isOf(pending, write)) return pending;
    flush();
    const { origin, org, user, session, turnId } = write;
    const nothing = { named: new Map(), metadata: undefined, outcome: null, reason: null };
    pending = { origin, org, user, session, turnId, ...nothing };
    return pending;
  };

  return {
    name: entity => {
      const finding = findingOf(entity);
      // One row has one metadata, and how its enrichment ended comes last.
      finding.metadata = entity.metadata;
      const spelled = spellings.of(entity);
      finding.named.set(spelled.spelling, spelled.entity);
    },
    enriched: enriched => {
      const finding = findingOf(enriched);
      finding.outcome ??= enriched.outcome;
      finding.reason ??= enriched.reason;
    },
    flush,
    forget: () => {
      pending = undefined;
    },
  };
};

const isSame = (one: Origin, other: Origin): boolean =>
  one === other ||
  (one.offset === other.offset && one.partition === other.partition && one.readAt === other.readAt);
