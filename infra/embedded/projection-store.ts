import type { DatabaseSync } from 'node:sqlite';
import { foldAccount } from '../../projections/accounts/projection.ts';
import type { RecallWrite } from '../../projections/recall/projection.ts';
import type { ProjectionStore } from '../../services/ports.ts';
import { type AccountDocuments, openAccountDocuments } from './account-documents.ts';
import { bytesOfId } from './projections-database.ts';
import { openScopeWriter } from './scope-writer.ts';

const REMEMBERED_ENTITIES = 20_000;

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
  const insertFragment = database.prepare(
    `INSERT INTO fragments (id, kind, partition, session, timestamp, passive, turn, source, role, document, text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  // The same words of a turn are one observation. That a client said them weighs more than that an extractor found
  // them, whichever of the two topics is projected first.
  const upsertObservation = database.prepare(
    `INSERT INTO fragments (id, kind, partition, session, timestamp, passive, turn, source, role, document, text)
     VALUES (?, 1, ?, ?, ?, 0, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET source = excluded.source, document = excluded.document
     WHERE source <> 'client' AND excluded.source = 'client' RETURNING no`,
  );
  const insertEnrichment = database.prepare('INSERT OR IGNORE INTO enrichments VALUES (?, ?, ?)');
  // Spelled in two ways it keeps one that doesn't depend on which came first.
  const insertEntity = database.prepare(
    `INSERT INTO entities (partition, normalised, id, label, kind) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET label = min(label, excluded.label), kind = min(kind, excluded.kind)
     WHERE excluded.label < label OR excluded.kind < kind`,
  );
  const findEntity = database.prepare('SELECT no FROM entities WHERE partition = ? AND normalised = ?');
  const insertMention = database.prepare('INSERT OR IGNORE INTO mentions VALUES (?, ?)');
  const insertJob = database.prepare('INSERT OR IGNORE INTO jobs VALUES (?, ?, ?, ?, ?)');
  const insertUsage = database.prepare('INSERT OR IGNORE INTO usage_rows VALUES (?)');
  const addUsage = database.prepare(
    `INSERT INTO usage_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out`,
  );
  const insertAccountEvent = database.prepare('INSERT OR IGNORE INTO account_events VALUES (?)');
  const accounts: AccountDocuments = openAccountDocuments(database);
  const scopes = openScopeWriter(database, decodeDocument);

  /** Turns of the running step that the file did not have: what `fragments` tells, `usage_rows` need not repeat. */
  const freshTurns = new Set<string>();
  const isFirst = (eventId: string): boolean =>
    eventId.startsWith('trn_') ? freshTurns.delete(eventId) : insertUsage.run(eventId).changes === 1;

  const writeTurn = (turn: Write<'turn'>): void => {
    const place = scopes.place(turn.org, turn.user, turn.session);
    const { changes, lastInsertRowid } = insertFragment.run(
      bytesOfId(turn.id)!,
      turn.active ? 0 : 2,
      place.partition,
      place.session,
      turn.timestamp,
      turn.passive ? 1 : 0,
      null,
      null,
      turn.role,
      turn.document,
      Buffer.from(turn.text),
    );
    if (changes === 0) return;
    freshTurns.add(turn.id);
    if (turn.active) {
      scopes.add(place, {
        number: Number(lastInsertRowid),
        kind: 0,
        timestamp: turn.timestamp,
        role: turn.role,
        document: turn.document,
      });
    }
  };

  const writeObservation = (observation: Write<'observation'>): void => {
    const place = scopes.place(observation.org, observation.user, observation.session);
    const row = upsertObservation.get(
      bytesOfId(observation.id)!,
      place.partition,
      place.session,
      observation.timestamp,
      bytesOfId(observation.turnId)!,
      observation.source,
      observation.role,
      observation.document ?? new Uint8Array(),
      Buffer.from(observation.text),
    );
    if (row && observation.document) {
      const { timestamp, role, document } = observation;
      scopes.add(place, { number: Number(row.no), kind: 1, timestamp, role, document });
    }
  };

  const entityNumbers = new Map<string, number>();
  const writeEntity = (entity: Write<'entity'>): void => {
    const partition = scopes.partition(entity.org, entity.user);
    const name = `${partition}\n${entity.kind}\n${entity.label}`;
    let number = entityNumbers.get(name);
    if (number === undefined) {
      insertEntity.run(partition, entity.normalised, entity.id, entity.label, entity.kind);
      number = Number(findEntity.get(partition, entity.normalised)!.no);
      if (entityNumbers.size >= REMEMBERED_ENTITIES) entityNumbers.clear();
      entityNumbers.set(name, number);
    }
    insertMention.run(number, bytesOfId(entity.turnId)!);
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
        insertEnrichment.run(bytesOfId(one.turnId)!, one.outcome, one.reason);
        break;
      case 'job':
        insertJob.run(
          one.id,
          one.org,
          one.user,
          one.passive ? 1 : 0,
          Buffer.concat(one.turnIds.map(id => bytesOfId(id)!)),
        );
        break;
    }
  };

  return {
    positions: async () =>
      Object.fromEntries(positions.all().map(row => [String(row.place), Number(row.offset)])),
    apply: async batch => {
      freshTurns.clear();
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const one of batch.recall) write(one);
        scopes.flush();
        for (const row of batch.usage) {
          if (isFirst(row.eventId)) addUsage.run(row.org, row.day, row.tokensIn, row.tokensOut);
        }
        for (const event of batch.accounts) {
          if (insertAccountEvent.run(event.id).changes === 1) {
            for (const state of foldAccount(accounts.get, event)) accounts.put(state);
          }
        }
        for (const [place, offset] of Object.entries(batch.positions)) setPosition.run(place, offset);
        database.exec('COMMIT');
      } catch (error) {
        scopes.forget();
        entityNumbers.clear();
        try {
          database.exec('ROLLBACK');
        } catch {}
        throw error;
      }
    },
    close: async () => database.close(),
  };
};

export type DecodeDocument = (bytes: Uint8Array) => import('../../projections/recall/document.ts').Document;
