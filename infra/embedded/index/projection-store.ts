import type { DatabaseSync } from 'node:sqlite';
import { foldAccount } from '../../../projections/accounts/projection.ts';
import type { Origin, RecallWrite } from '../../../projections/recall/projection.ts';
import type { ProjectedBatch, ProjectionStore } from '../../../services/core/ports.ts';
import { type AccountDocuments, openAccountDocuments } from '../accounts/account-documents.ts';
import { bytesOfId, placeNumber } from './projections-database.ts';
import { makePurge } from './purge.ts';
import { openScopeEraser } from './scope-eraser.ts';
import { openScopeWriter } from './scope-writer.ts';

const REMEMBERED_ENTITIES = 20_000;
const NO_DOCUMENT = new Uint8Array();
const INSERT_FRAGMENT = `
  INSERT INTO fragments (id, kind, organization, partition, session, timestamp, passive, turn, source, role, document, text,
    tokens,
    told, place, offset, recorded)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id)`;

const originColumns = (origin: Origin): [number, number, number] => [
  placeNumber(origin),
  origin.offset,
  origin.recordedAt,
];

type Tokens = Pick<ProjectedBatch['usage'][number], 'tokensIn' | 'tokensOut'>;

/** Where the feed tells it. */
const toldAt = ({ offset, readAt = offset }: Origin): number => readAt;

type Write<Op extends RecallWrite['op']> = Extract<RecallWrite, { op: Op }>;

/** Writes what the projector folded: one transaction a batch, with the positions after it. */
export const openProjectionStore = (
  database: DatabaseSync,
  decodeDocument: DecodeDocument,
): ProjectionStore => {
  const positions = database.prepare('SELECT place, offset FROM positions');
  const setPosition = database.prepare(
    'INSERT INTO positions VALUES (?, ?) ON CONFLICT DO UPDATE SET offset = excluded.offset',
  );
  const insertFragment = database.prepare(`${INSERT_FRAGMENT} DO NOTHING`);
  // The same words of a turn are one observation. That a client said them weighs more than that an extractor found
  // them, whichever of the two topics is projected first.
  const upsertSaid = database.prepare(
    `${INSERT_FRAGMENT} DO UPDATE SET source = excluded.source, document = excluded.document, place = excluded.place,
       offset = excluded.offset, told = excluded.told, recorded = excluded.recorded
     WHERE source <> 'client' RETURNING no`,
  );
  const hasFragment = database.prepare('SELECT 1 FROM fragments WHERE id = ?');
  const insertEnrichment = database.prepare('INSERT OR IGNORE INTO enrichments VALUES (?, ?, ?, ?, ?, ?, ?)');
  const insertEntity = database.prepare(
    `INSERT INTO entities (partition, normalised, id, label, kind) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  // Spelled in two ways it keeps one that doesn't depend on which came first.
  const respellEntity = database.prepare(
    `UPDATE entities SET label = min(label, ?), kind = min(kind, ?) WHERE partition = ? AND normalised = ?
     RETURNING no`,
  );
  const insertMention = database.prepare('INSERT OR IGNORE INTO mentions VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insertJob = database.prepare(
    `INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET offset = excluded.offset, recorded = excluded.recorded WHERE offset > excluded.offset`,
  );
  const insertUsage = database.prepare('INSERT OR IGNORE INTO usage_rows VALUES (?)');
  const addUsage = database.prepare(
    `INSERT INTO usage_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out`,
  );
  const insertAccountEvent = database.prepare('INSERT OR IGNORE INTO account_events VALUES (?)');
  const accounts: AccountDocuments = openAccountDocuments(database);
  const putAccount = database.prepare(
    'INSERT INTO account_documents VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET document = excluded.document',
  );
  const scopes = openScopeWriter(database, decodeDocument);
  const eraseScope = openScopeEraser(database, scopes);
  const purge = makePurge(database);

  const findTurn = database.prepare('SELECT recorded FROM fragments WHERE id = ? AND offset > ?');
  /** A copy that was requeued is told where it is, also when its first writing could be read after all: see docs/adr/0017. */
  const tellTurn = database.prepare(
    'UPDATE fragments SET told = max(told, ?) WHERE id = ? AND place = ? AND offset = ?',
  );
  const moveSaid = database.prepare(
    `UPDATE fragments SET offset = ?, recorded = ?
     WHERE id = ? AND kind = 1 AND source = 'client' AND place = ? AND offset > ?`,
  );
  const moveTurn = database.prepare('UPDATE fragments SET place = ?, offset = ?, recorded = ? WHERE id = ?');

  /** Turns of the running step that the file did not have: what `fragments` tells, `usage_rows` need not repeat. */
  const freshTurns = new Set<string>();
  /** Turns of the running step that the file had by a later copy, with the day that this one was billed to. */
  const movedTurns = new Map<string, string>();
  /** Of a turn without a fragment the words are gone: it bills what it did, once. */
  const isFirst = (eventId: string): boolean => {
    if (freshTurns.delete(eventId)) return true;
    if (eventId.startsWith('trn_') && hasFragment.get(bytesOfId(eventId)!)) return false;
    return insertUsage.run(eventId).changes === 1;
  };

  /** What a step adds to each organization's days. */
  const usageOf = (rows: ProjectedBatch['usage']): Map<string, Map<string, Tokens>> => {
    const added = new Map<string, Map<string, Tokens>>();
    const add = (org: string, day: string, tokensIn: number, tokensOut: number): void => {
      const days = added.get(org) ?? new Map<string, Tokens>();
      added.set(org, days);
      const sum = days.get(day) ?? { tokensIn: 0, tokensOut: 0 };
      days.set(day, { tokensIn: sum.tokensIn + tokensIn, tokensOut: sum.tokensOut + tokensOut });
    };
    for (const { eventId, org, day, tokensIn, tokensOut } of rows) {
      const movedFrom = movedTurns.get(eventId);
      if (movedFrom !== undefined) add(org, movedFrom, -tokensIn, -tokensOut);
      if (movedFrom !== undefined || isFirst(eventId)) add(org, day, tokensIn, tokensOut);
    }
    return added;
  };

  const writeTurn = (turn: Write<'turn'>): void => {
    const place = scopes.place(turn.org, turn.user, turn.session);
    const { changes, lastInsertRowid } = insertFragment.run(
      bytesOfId(turn.id)!,
      turn.active ? 0 : 2,
      place.organization,
      place.partition,
      place.session,
      turn.timestamp,
      turn.passive ? 1 : 0,
      null,
      null,
      turn.role,
      turn.document,
      Buffer.from(turn.text),
      turn.sealedTokens,
      toldAt(turn.origin),
      ...originColumns(turn.origin),
    );
    if (changes === 0) {
      takePlace(turn);
      return;
    }
    freshTurns.add(turn.id);
    if (turn.active) {
      scopes.add(place, {
        number: Number(lastInsertRowid),
        timestamp: turn.timestamp,
        recorded: turn.origin.recordedAt,
        kind: 0,
        role: turn.role,
        document: turn.document,
      });
    }
  };

  const tell = (id: Uint8Array, { readAt, ...origin }: Origin): void => {
    if (readAt !== undefined) tellTurn.run(readAt, id, placeNumber(origin), origin.offset);
  };

  /** A partition is read in its order: only what comes back from the dead letters is before what is here. */
  const takePlace = (turn: Write<'turn'>): void => {
    const id = bytesOfId(turn.id)!;
    tell(id, turn.origin);
    const later = findTurn.get(id, turn.origin.offset);
    if (!later) return;
    moveTurn.run(...originColumns(turn.origin), id);
    scopes.forgetFragments();
    movedTurns.set(turn.id, new Date(Number(later.recorded)).toISOString().slice(0, 10));
  };

  const writeObservation = (observation: Write<'observation'>): void => {
    const { source, timestamp, role, document } = observation;
    const place = scopes.place(observation.org, observation.user, observation.session);
    const row = [
      bytesOfId(observation.id)!,
      1,
      place.organization,
      place.partition,
      place.session,
      timestamp,
      0,
      turnBytes(observation.turnId),
      source,
      role,
      document ?? NO_DOCUMENT,
      Buffer.from(observation.text),
      null,
      toldAt(observation.origin),
      ...originColumns(observation.origin),
    ];
    // What was extracted never replaces anything: without RETURNING it is written for half the price.
    if (source !== 'client') {
      insertFragment.run(...row);
      return;
    }
    const written = upsertSaid.get(...row);
    if (written && document) {
      const recorded = observation.origin.recordedAt;
      scopes.add(place, { number: Number(written.no), timestamp, recorded, kind: 1, role, document });
    }
    if (written || observation.origin.readAt === undefined) return;
    const { origin } = observation;
    moveSaid.run(origin.offset, origin.recordedAt, row[0]!, placeNumber(origin), origin.offset);
    scopes.forgetFragments();
    tell(row[0] as Uint8Array, origin);
  };

  // The writes of a turn come one after the other: its bytes and its partition are looked for once.
  let lastTurn: { id: string; bytes: Uint8Array } = { id: '', bytes: NO_DOCUMENT };
  const turnBytes = (id: string): Uint8Array => {
    if (lastTurn.id !== id) lastTurn = { id, bytes: bytesOfId(id)! };
    return lastTurn.bytes;
  };

  let lastPartition: { org: string; user: string; number: number } | undefined;
  const partitionOf = ({ org, user }: { org: string; user: string }): number => {
    if (lastPartition?.org !== org || lastPartition.user !== user)
      lastPartition = { org, user, number: scopes.partition(org, user) };
    return lastPartition.number;
  };

  const entityNumbers = new Map<string, number>();
  const writeEntity = (entity: Write<'entity'>): void => {
    const partition = partitionOf(entity);
    const name = `${partition}\n${entity.kind}\n${entity.label}`;
    let number = entityNumbers.get(name);
    if (number === undefined) {
      const { normalised, id, label, kind } = entity;
      const { changes, lastInsertRowid } = insertEntity.run(partition, normalised, id, label, kind);
      number = Number(
        changes === 1 ? lastInsertRowid : respellEntity.get(label, kind, partition, normalised)!.no,
      );
      if (entityNumbers.size >= REMEMBERED_ENTITIES) entityNumbers.clear();
      entityNumbers.set(name, number);
    }
    insertMention.run(
      number,
      turnBytes(entity.turnId),
      entity.label,
      entity.kind,
      ...originColumns(entity.origin),
      scopes.place(entity.org, entity.user, entity.session).session,
    );
  };

  const write = (one: RecallWrite): void => {
    switch (one.op) {
      case 'turn':
        writeTurn(one);
        break;
      case 'observation':
        writeObservation(one);
        break;
      case 'entity':
        writeEntity(one);
        break;
      case 'enriched':
        insertEnrichment.run(
          scopes.place(one.org, one.user, one.session).session,
          turnBytes(one.turnId),
          one.outcome,
          one.reason,
          ...originColumns(one.origin),
        );
        break;
      case 'job':
        insertJob.run(
          one.id,
          one.org,
          one.user,
          scopes.place(one.org, one.user, one.session).session,
          one.passive ? 1 : 0,
          Buffer.concat(one.turnIds.map(id => bytesOfId(id)!)),
          ...originColumns(one.origin),
        );
        break;
      case 'erase':
        eraseScope(one);
        purge.due();
        forget();
        break;
    }
  };

  const forget = (): void => {
    scopes.forget();
    entityNumbers.clear();
    lastPartition = undefined;
  };

  return {
    positions: async () =>
      Object.fromEntries(positions.all().map(row => [String(row.place), Number(row.offset)])),
    apply: async batch => {
      freshTurns.clear();
      movedTurns.clear();
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const one of batch.recall) write(one);
        scopes.flush();
        for (const [org, days] of usageOf(batch.usage))
          for (const [day, { tokensIn, tokensOut }] of days) addUsage.run(org, day, tokensIn, tokensOut);
        for (const event of batch.accounts) {
          if (insertAccountEvent.run(event.id).changes === 1) {
            for (const { kind, id, org, document } of foldAccount(accounts.get, event))
              putAccount.run(kind, id, org, JSON.stringify(document));
          }
        }
        for (const [place, offset] of Object.entries(batch.positions)) setPosition.run(place, offset);
        database.exec('COMMIT');
      } catch (error) {
        forget();
        try {
          database.exec('ROLLBACK');
        } catch {}
        throw error;
      }
      if (batch.recall.some(({ op }) => op === 'erase')) await purge.now();
    },
    close: async () => {
      purge.stop();
      database.close();
    },
  };
};

export type DecodeDocument = (
  bytes: Uint8Array,
) => import('../../../projections/recall/document.ts').Document;
