import { hash } from 'node:crypto';
import { factKey } from '../../../projections/facts/stored-fact.ts';
import type { Document } from '../../../projections/recall/document.ts';
import { observationFragment, turnFragment } from '../../../projections/recall/fragment.ts';
import { embeddingId } from '../../../projections/recall/identity.ts';
import type { Erase, RecallWrite, Retract, StoredWrite } from '../../../projections/recall/projection.ts';
import { NO_SESSION } from '../../../schemas/events/correction.ts';
import { indexOfPlace, offsetOfPlace } from '../../../schemas/events/place.ts';
import { packFragment } from './fragment.ts';
import type { DocumentKind } from './index.ts';
import { organizationRouting, ownerOf, sessionKeyOf, sessionKeyOfDigest } from './scope.ts';

/** A document to be created. Its id is derived from its content, so copies of an event share it. */
export interface NewDocument {
  id: string;
  routing: string;
  source: { kind: DocumentKind; org: string } & Record<string, unknown>;
}

type Write<Op extends RecallWrite['op']> = Extract<RecallWrite, { op: Op }>;
const NO_DOCUMENT = new Uint8Array();

/** Suffix of an extracted observation's id: a client's observation with the same words is another document. */
const EXTRACTED = '.extracted';
const enrichedId = (turnId: string): string => `enr_${turnId.slice(4)}`;

/** What a turn's identity keeps when it is retracted. */
export interface KeptOfTurn {
  passive: boolean;
  /** When its turn expires by itself, or from when a retention counts for that one: Unix milliseconds. */
  expires_at: number | undefined;
  kept_from: number | undefined;
}

/** Says in a turn's identity that the turn was retracted. */
export const RETRACTED = 'retracted';

/** Says in a turn's identity that an event in the log lists it, so that no later one has to. */
export const LISTED = 'listed';

export const newDocument = (
  write: StoredWrite,
  decodeDocument: (bytes: Uint8Array) => Document,
): NewDocument => placed(write, contentOf(write, decodeDocument));

/** What takes the place of a turn, or of an observation's documents. */
export const retractionDocuments = (
  write: Retract,
  { passive = false, expires_at, kept_from }: Partial<KeptOfTurn> = {},
): NewDocument[] => {
  const { org, user, session, turnId, observationId } = write;
  const names = scopeOf(write);
  const scope = { org, user, ...names, session };
  const made = (id: string, source: NewDocument['source']): NewDocument =>
    placed(write, { id, routing: names.owner, source });
  if (observationId === undefined) {
    // It had a fragment, and is answered for as before.
    const identity = { id: turnId, ...scope, active: true, passive };
    const { source, ...document } = made(turnId, { kind: 'identity', ...identity, outcome: RETRACTED });
    return [{ ...document, source: { ...source, expires_at, kept_from } }];
  }
  return [
    made(observationId, { kind: 'retraction', id: observationId, ...scope, turn: turnId }),
    made(observationId + EXTRACTED, { kind: 'hidden', ...scope }),
  ];
};

/** What the identity of a turn that has expired keeps of its document. */
export const KEPT_OF_EXPIRED = [
  ...['id', 'org', 'user', 'owner', 'session', 'session_key', 'active', 'passive'],
  ...['partition', 'offset', 'index', 'told', 'recorded_at', 'expires_at', 'kept_from'],
] as const;

/** What takes the place of a turn that has expired. */
export const expiredDocument = (turn: { id: string; org: string; owner: string }): NewDocument => ({
  id: turn.id,
  routing: turn.owner,
  source: { ...turn, kind: 'expired' },
});

/** What stays of the turns of a session of which all has expired. They have no fragment, wherever the session is. */
export const knownDocuments = ({ org, owner, session, known = [], origin }: Erase): NewDocument[] =>
  known.map(id => ({
    id,
    routing: owner,
    source: {
      kind: 'expired',
      id,
      org,
      owner,
      session_key: sessionKeyOfDigest(session!),
      active: false,
      outcome: LISTED,
      partition: origin.partition,
      // A later erasure of its session deletes it.
      offset: Math.max(0, origin.offset - 1),
    },
  }));

/** With the place of its event in the log. */
const placed = (write: StoredWrite | Retract, { id, routing, source }: NewDocument): NewDocument => {
  const { partition, offset: place, readAt = place, recordedAt: recorded_at } = write.origin;
  const { expiresAt: expires_at, keptFrom: kept_from } = write.origin;
  const offset = offsetOfPlace(place);
  const at = { partition, offset, index: indexOfPlace(place) || undefined, told: offsetOfPlace(readAt) };
  return { id, routing, source: { ...source, ...at, recorded_at, expires_at, kept_from } };
};

const contentOf = (write: StoredWrite, decodeDocument: (bytes: Uint8Array) => Document): NewDocument => {
  switch (write.op) {
    case 'turn':
      return turnDocument(write, decodeDocument);
    case 'observation':
      return observationDocument(write, decodeDocument);
    case 'entity':
      return mentionDocument(write);
    case 'enriched': {
      const { org, user, session, turnId: turn, outcome, reason } = write;
      return {
        id: enrichedId(turn),
        routing: organizationRouting(org),
        source: { kind: 'enriched', org, user, session, ...scopeOf(write), turn, outcome, reason },
      };
    }
    case 'vectors': {
      const { org, user, session, turnId: turn, model, vectors } = write;
      const names = scopeOf(write);
      const fragment = Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength).toString('base64');
      return {
        id: embeddingId(turn, model),
        routing: names.owner,
        source: { kind: 'vectors', org, user, session, ...names, turn, source: model, fragment },
      };
    }
    case 'job': {
      const { id, org, user, session, turnIds: turns, passive } = write;
      // Routed by organization, since a job is read by its id without its user.
      return {
        id,
        routing: organizationRouting(org),
        source: { kind: 'job', org, user, session, ...scopeOf(write), turns, passive },
      };
    }
    case 'correction': {
      const { id, org, user, session, said } = write;
      const { owner, session_key } = scopeOf(write);
      const fragment = Buffer.from(JSON.stringify(said)).toString('base64');
      const names = session === NO_SESSION ? { owner } : { owner, session_key };
      return {
        id,
        routing: owner,
        source: { kind: 'correction', id, org, user, ...names, session, fragment },
      };
    }
  }
};

interface Session {
  org: string;
  user: string;
  session: string;
}

/** The names by which an erasure finds a document. */
interface ScopeNames {
  owner: string;
  session_key: number;
}

const namesOf = ({ org, user, session }: Session): ScopeNames => ({
  owner: ownerOf(org, user),
  session_key: sessionKeyOf(org, user, session),
});

/** Caches the digests of the last session, since writes come session by session. */
let last: { of: Session; names: ScopeNames } | undefined;
const scopeOf = (of: Session): ScopeNames => {
  const { org, user, session } = of;
  if (last?.of.session !== session || last.of.user !== user || last.of.org !== org)
    last = { of: { org, user, session }, names: namesOf(of) };
  return last.names;
};

const turnDocument = (turn: Write<'turn'>, decodeDocument: (bytes: Uint8Array) => Document): NewDocument => {
  const { id, org, user, session, role, text, timestamp, active, passive, place, document } = turn;
  const names = scopeOf(turn);
  const routing = names.owner;
  const identity = { id, org, user, ...names, session, active, passive };
  if (!active) return { id, routing, source: { kind: 'identity', ...identity } };
  return {
    id,
    routing,
    source: {
      kind: 'turn',
      ...identity,
      role,
      text,
      timestamp,
      fragment: packFragment(turnFragment(turn, turn), place, names.session_key, document),
      ...termsOf(turn),
      ...searched(decodeDocument(document)),
    },
  };
};

const observationDocument = (
  observation: Write<'observation'>,
  decodeDocument: (bytes: Uint8Array) => Document,
): NewDocument => {
  const { id, org, user, session, role, text, timestamp, turnId, source, fact, corrects, place, document } =
    observation;
  const { owner, session_key: sessionKey } = scopeOf(observation);
  const fragment = observationFragment(observation, {
    id,
    text,
    sourceTurnId: turnId,
    source,
    fact,
    corrects,
  });
  const said = document !== undefined;
  return {
    id: said ? id : id + EXTRACTED,
    routing: owner,
    source: {
      kind: said ? 'said' : 'extracted',
      id,
      org,
      user,
      owner,
      session,
      session_key: sessionKey,
      role,
      text,
      timestamp,
      turn: turnId,
      source,
      ...(fact && { fact_key: factKey(fact), fact_from: fact.validFrom }),
      ...(corrects && { corrects: [corrects.id, ...(corrects.key === undefined ? [] : [corrects.key])] }),
      fragment: packFragment(fragment, place, sessionKey, document ?? NO_DOCUMENT),
      ...termsOf(observation),
      ...(document && searched(decodeDocument(document))),
    },
  };
};

/** A metadata without terms has no field. */
const termsOf = ({ metadata }: { metadata?: readonly string[] | undefined }) => metadata && { metadata };

/** One document per spelling: the spelling that an entity shows must not depend on the order of arrival. */
const mentionDocument = (entity: Write<'entity'>): NewDocument => {
  const { id, org, user, session, label, normalised, kind, turnId } = entity;
  const digest = hash('sha256', JSON.stringify([id, turnId, label, kind])).slice(0, 32);
  return {
    id: `mtn_${digest}`,
    routing: scopeOf(entity).owner,
    source: {
      kind: 'mention',
      org,
      user,
      session,
      ...scopeOf(entity),
      turn: turnId,
      entity: id,
      label,
      normalised,
      entity_kind: kind,
      ...termsOf(entity),
    },
  };
};

/** A byte vector in Elasticsearch's hexadecimal form; undefined for zeros, which have no direction. */
export const vectorOf = (vector: Int8Array): string | undefined =>
  vector.some(component => component !== 0)
    ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex')
    : undefined;

const searched = ({ stems, length, vector }: Document) => {
  const words = [...stems];
  return { stems: words.map(String), words, length, vector: vectorOf(vector) };
};
