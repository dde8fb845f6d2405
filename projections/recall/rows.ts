import type { StoredFact } from '../facts/stored-fact.ts';
import { NO_TERMS } from '../filter/terms.ts';
import type { LogRows, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row, unitOf } from '../verify/row.ts';
import { scopeDigest } from './identity.ts';
import {
  type Erase,
  hiddenIn,
  keptFromOf,
  type RecallWrite,
  type Retract,
  type SaidOfNames,
  type SaidOfSession,
  type StoredWrite,
} from './projection.ts';

type Kind =
  | 'turn'
  | 'identity'
  | 'observation'
  | 'mention'
  | 'enriched'
  | 'vectors'
  | 'job'
  | 'retraction'
  | 'correction';

/** A row with its user and session, by which an erasure names it. */
interface OwnedRow extends Row {
  user: string;
  session: string;
}

/** The kinds of rows that a store removes when they have expired. */
const EXPIRING = new Set<Kind>(['turn', 'identity', 'observation', 'mention', 'vectors']);

/** In a fixed order: a store may give the members back in another. */
const fieldsOf = (fact: StoredFact | undefined): readonly unknown[] =>
  fact ? [fact.subjectId, fact.subject, fact.attribute, fact.value, fact.validFrom, fact.ended] : [];

/** In a fixed order, too. */
const saidFields = (said: SaidOfNames | SaidOfSession): readonly unknown[] =>
  'title' in said
    ? [said.title]
    : [said.entity, said.label, said.merge_into, said.split, said.names, said.into_names];

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** The row of a write, either from the fold or read back from a store. Hashes every field that a store keeps. */
export const recallRow = (write: StoredWrite | Retract): Row => {
  const { topic, partition, offset, recordedAt, expiresAt } = write.origin;
  const keptFrom = keptFromOf(write.origin);
  const expiry = [expiresAt ?? null, keptFrom ?? null];
  const place = { topic, partition, offset };
  const row = (kind: Kind, id: string, unit: string, fields: readonly unknown[]): Row => ({
    projection: 'recall',
    kind,
    org: write.org,
    id,
    unit: unitOf(unit),
    hash: digestOf([kind, write.org, id, topic, partition, offset, recordedAt, ...fields]),
    place,
    ...(EXPIRING.has(kind) && { end: expiresAt, keptFrom }),
  });
  switch (write.op) {
    case 'turn': {
      const { id, user, session, role, text, timestamp, passive, document } = write;
      const identity = [user, session, passive, ...expiry];
      if (!write.active) return row('identity', id, id, identity);
      return row('turn', id, id, [
        ...identity,
        role,
        text,
        timestamp,
        base64(document),
        write.metadata ?? NO_TERMS,
      ]);
    }
    case 'observation': {
      const { id, user, session, turnId, role, text, timestamp, source, document, fact, corrects } = write;
      const bytes = document ? base64(document) : '';
      return {
        ...row('observation', id, turnId, [
          user,
          session,
          turnId,
          role,
          text,
          timestamp,
          source,
          bytes,
          fieldsOf(fact),
          corrects ? [corrects.id, corrects.key ?? ''] : [],
          write.metadata ?? NO_TERMS,
          ...expiry,
        ]),
        extracted: source !== 'client',
      };
    }
    case 'entity': {
      const { id, user, session, label, normalised, kind, turnId } = write;
      // A label consists of a person's words, so the row's id contains only its hash.
      const name = `${id}/${turnId}/${digestOf([label, kind]).slice(0, 16)}`;
      return row('mention', name, turnId, [
        user,
        session,
        label,
        normalised,
        kind,
        write.metadata ?? NO_TERMS,
        ...expiry,
      ]);
    }
    case 'enriched':
      return row('enriched', write.turnId, write.turnId, [
        write.user,
        write.session,
        write.outcome,
        write.reason,
      ]);
    case 'vectors': {
      const { user, session, turnId, model, vectors } = write;
      return row('vectors', `${turnId}/${model}`, turnId, [user, session, model, base64(vectors), ...expiry]);
    }
    case 'retract':
      return row('retraction', hiddenIn(write), write.turnId, [write.user, write.session, write.turnId]);
    case 'correction':
      return row('correction', write.id, write.id, [write.user, write.session, saidFields(write.said)]);
    case 'job':
      return row('job', write.id, write.id, [write.user, write.session, write.turnIds, write.passive]);
  }
};

const isOwned = (row: Row): row is OwnedRow => 'user' in row;

/** What was erased: for each scope and partition, everything below an offset. */
const makeErasures = () => {
  const below = new Map<string, number>();
  const nameOf = ({ topic, partition }: { topic: string; partition: number }, ...scope: (string | null)[]) =>
    JSON.stringify([topic, partition, ...scope]);
  return {
    add: ({ origin, owner, session }: Erase): void => {
      const name = nameOf(origin, owner, session);
      below.set(name, Math.max(below.get(name) ?? 0, origin.offset));
    },
    has: (row: Row): boolean => {
      const { org, place } = row;
      if (below.size === 0 || !isOwned(row) || !place) return false;
      const { user, session } = row;
      const owner = scopeDigest([org, user]);
      const ends = [null, scopeDigest([org, user, session])].map(of => below.get(nameOf(place, owner, of)));
      return ends.some(end => end !== undefined && place.offset < end);
    },
  };
};

/** Of a retracted turn nothing is left but that it was retracted, and how its enrichment ended. */
const OF_A_TURN = new Set<string>(['turn', 'identity', 'observation', 'mention', 'vectors'] satisfies Kind[]);

const makeRetractions = () => {
  /** The units of turns, and the ids of observations. */
  const hidden = new Set<string>();
  return {
    add: ({ turnId, observationId }: Retract): void => void hidden.add(observationId ?? unitOf(turnId)),
    has: ({ kind, id, unit }: Row): boolean =>
      hidden.size > 0 &&
      ((OF_A_TURN.has(kind) && hidden.has(unit)) || (kind === 'observation' && hidden.has(id))),
  };
};

export const RECALL_ROWS: VerifiedRows<RecallWrite> = {
  hasSampled: true,
  hasWhole: false,
  fromLog: (): LogRows<RecallWrite> => {
    const erasures = makeErasures();
    const retractions = makeRetractions();
    return {
      take: write => {
        if (write.op === 'erase') {
          erasures.add(write);
          return [];
        }
        if (write.op === 'retract') retractions.add(write);
        const { user, session } = write;
        return [{ ...recallRow(write), user, session } satisfies OwnedRow];
      },
      isErased: row => erasures.has(row) || retractions.has(row),
    };
  },
};
