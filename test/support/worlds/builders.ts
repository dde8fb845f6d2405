/**
 * The smallest true thing of each kind, changed by what a test cares about. The same numbers make the same
 * things.
 */
import { createSecretKey } from 'node:crypto';
import type { Event } from '../../../core/log/events.ts';
import type { SessionKey, TailTurn, Topic } from '../../../core/ports.ts';
import { embeddingId, scopeDigest, statementId, turnId } from '../../../domain/identity/identity.ts';
import { joinedVectors } from '../../../domain/search/vectors.ts';
import { tailTurnOf } from '../../../projections/recall/tail/tail-turn.ts';
import type { AuditNoted } from '../../../schemas/events/audit.ts';
import type { EntityCorrected, SessionTitled } from '../../../schemas/events/curation/correction.ts';
import type { MemoryErased } from '../../../schemas/events/curation/erasure.ts';
import type { RecallJudged } from '../../../schemas/events/curation/judgement.ts';
import { type MemoryRetracted, retractionId } from '../../../schemas/events/curation/retraction.ts';
import type { TurnEmbedded } from '../../../schemas/events/embeddings.ts';
import { eventOffsetOf } from '../../../schemas/events/event-offset.ts';
import type { ObservationsExtracted } from '../../../schemas/events/observations.ts';
import type { Stated, TurnRecorded, WriteAccepted } from '../../../schemas/events/turns.ts';
import type { RecallMetered } from '../../../schemas/events/usage.ts';
import type { SaidFact } from '../../../schemas/facts.ts';
import type { Turn } from '../../../schemas/http/ingestion.ts';

const bytes = (seed: number): Buffer => Buffer.alloc(32, seed);

/** Keys that are no secret to anybody. */
export const sessionKey = (seed = 1): SessionKey => ({
  keyId: `key-${seed}`,
  userKeyId: `user-${seed}`,
  sealing: createSecretKey(bytes(seed)),
  identity: createSecretKey(bytes(seed + 100)),
});

const THINGS = [
  'kettle',
  'violin',
  'lantern',
  'tractor',
  'umbrella',
  'guitar',
  'helmet',
  'carpet',
  'telescope',
  'barrel',
  'canoe',
];
const VERBS = [
  'painted',
  'borrowed',
  'repaired',
  'sold',
  'dropped',
  'measured',
  'photographed',
  'hid',
  'wrapped',
  'polished',
];
const PLACES = [
  'Lisbon',
  'the harbour',
  'our cellar',
  'Kyoto',
  'the library',
  'a monastery',
  'Nairobi',
  'the orchard',
  'Oslo',
];
const PEOPLE = [
  'my aunt',
  'the dentist',
  'Marta',
  'a neighbour',
  'the conductor',
  'Igor',
  'my twin',
  'the plumber',
];
const REASONS = [
  'before breakfast',
  'during the storm',
  'for a wedding',
  'after the exam',
  'on a dare',
  'by mistake',
  'every winter',
];

const pick = (list: readonly string[], n: number): string => list[n % list.length]!;

/** 55,440 sentences of different words, each with a word that no other has. */
export const sentence = (n: number): string =>
  `${pick(PEOPLE, n)} ${pick(VERBS, n)} the ${pick(THINGS, n)} in ${pick(PLACES, n)} ${pick(REASONS, n)} ref${n}`;

/** 2026-03-01T00:00Z and `n` minutes. */
export const minute = (n: number): number => Date.UTC(2026, 2, 1) + n * 60_000;

/** A turn as a client sends it. */
export const turn = (n: number, changes: Partial<Turn> = {}): Turn => ({
  role: 'user',
  text: sentence(n),
  timestamp: new Date(minute(n)).toISOString(),
  ...changes,
});

export interface WrittenScope {
  org: string;
  user: string;
  session: string;
}

export type Logged<T> = Event<T> & { topic: Topic };

const scopeOf = (changes: Partial<WrittenScope>): WrittenScope => ({
  org: 'acme',
  user: 'ada',
  session: 's1',
  ...changes,
});

type TurnChanges = Partial<WrittenScope> &
  Partial<Omit<TurnRecorded, 'timestamp'>> & { timestamp?: number; tokens?: number };

/** The event of a turn as projections see it, at offset `n` of partition 0. */
export const turnRecorded = (n: number, changes: TurnChanges = {}): Logged<TurnRecorded> => {
  const { org, user, session } = scopeOf(changes);
  const { role = 'user', text = sentence(n), timestamp = minute(n), active = true, passive = true } = changes;
  const id = turnId(sessionKey().identity, { org, user, session, role, text, timestamp });
  return {
    ...envelope(n, 'turn.recorded', org, 'turns'),
    id,
    tokens: changes.tokens ?? 7,
    data: {
      user_id: user,
      session_id: session,
      job_id: id.replace('trn_', 'job_'),
      role,
      text,
      timestamp: new Date(timestamp).toISOString(),
      active,
      passive,
      observations: changes.observations ?? [],
      ...(changes.utc_offset !== undefined && { utc_offset: changes.utc_offset }),
      ...(changes.metadata && { metadata: changes.metadata }),
    },
  };
};

type Corrects = NonNullable<Stated['corrects']>;

interface Said extends Partial<WrittenScope> {
  text: string;
  fact?: SaidFact;
  /** Default of `follows`: what it corrects alone. */
  corrects?: Omit<Corrects, 'follows'> & Partial<Corrects>;
  timestamp?: number;
  recordedAt?: number;
}

/** Returns what was said without a turn, at offset `n`. */
export const statement = (
  n: number,
  { text, fact, corrects, recordedAt, ...changes }: Said,
): Logged<TurnRecorded> => {
  const { timestamp = minute(n) } = changes;
  const identity = {
    ...scopeOf(changes),
    role: 'user',
    text,
    fact,
    corrects: corrects?.observation_id,
    timestamp,
  };
  const { data, ...event } = turnRecorded(n, { ...changes, text: '', active: false, passive: false });
  return {
    ...event,
    ...(recordedAt !== undefined && { recorded_at: new Date(recordedAt).toISOString() }),
    id: statementId(sessionKey().identity, identity),
    ...(fact && { facts: 1 }),
    stated: true,
    data: {
      ...data,
      observations: [text],
      ...(fact && { facts: { 0: fact } }),
      stated: corrects ? { corrects: { follows: [corrects.observation_id], ...corrects } } : {},
    },
  };
};

/** As the head of a record names them. */
const countedFacts = (observations: ObservationsExtracted['observations']): { facts?: number } => {
  const facts = observations.filter(({ fact }) => fact !== undefined).length;
  return facts > 0 ? { facts } : {};
};

type Found = Partial<Pick<ObservationsExtracted, 'source' | 'observations' | 'entities' | 'extractor'>>;

/** Returns what an extractor made of a turn. */
export const extracted = (
  n: number,
  of: Logged<TurnRecorded>,
  found: Found = {},
): Logged<ObservationsExtracted> => {
  const { user_id, session_id, role, timestamp, utc_offset, metadata } = of.data;
  const { extractor = 'rules-1', source = 'rules', observations = [], entities = [] } = found;
  const about = { user_id, session_id, turn_id: of.id, role, timestamp, extractor, source };
  return {
    ...envelope(n, 'observations.extracted', of.org_id, 'observations'),
    id: `ext_${of.id.slice(4)}_${extractor}`,
    ...countedFacts(observations),
    data: {
      ...about,
      ...(utc_offset !== undefined && { utc_offset }),
      observations,
      entities,
      ...(metadata && { metadata }),
    },
  };
};

/** A model's vectors of a turn, at offset `n`. */
export const embedded = (
  n: number,
  of: Logged<TurnRecorded>,
  { model = 'e5', vectors = [[1, n, 0]] }: { model?: string; vectors?: number[][] } = {},
): Logged<TurnEmbedded> => {
  const { user_id, session_id } = of.data;
  const bytes = Buffer.from(joinedVectors(vectors.map(vector => Int8Array.from(vector))));
  return {
    ...envelope(n, 'turn.embedded', of.org_id, 'observations'),
    id: embeddingId(of.id, model),
    data: {
      user_id,
      session_id,
      turn_id: of.id,
      model,
      dimensions: vectors[0]!.length,
      vectors: bytes.toString('base64'),
    },
  };
};

/** Returns what hides a turn, or an observation of it, at offset `n`. */
export const retracted = (
  n: number,
  of: Logged<TurnRecorded>,
  observation: string | null = null,
): Logged<MemoryRetracted> => ({
  ...envelope(n, 'memory.retracted', of.org_id, 'turns'),
  id: retractionId(observation ?? of.id),
  data: {
    user_id: of.data.user_id,
    session_id: of.data.session_id,
    turn_id: of.id,
    observation_id: observation,
  },
});

/** Returns what somebody says of a user's names, at offset `n`; recorded `n` minutes later than the turns. */
export const entityCorrected = (
  n: number,
  {
    user = 'ada',
    org = 'acme',
    ...said
  }: Partial<EntityCorrected> & { entity: string; user?: string; org?: string },
): Logged<EntityCorrected> => ({
  ...envelope(n, 'entity.corrected', org, 'turns'),
  id: `cor_${String(n).padStart(32, '0')}`,
  recorded_at: new Date(Date.parse('2026-03-10T08:00:00.000Z') + n * 60_000).toISOString(),
  data: {
    label: null,
    merge_into: null,
    split: [],
    names: [said.entity],
    into_names: [],
    user_id: user,
    ...said,
  },
});

/** The title of a session, at offset `n`. */
export const sessionTitled = (
  n: number,
  title: string | null,
  changes: Partial<WrittenScope> = {},
): Logged<SessionTitled> => {
  const { org, user, session } = scopeOf(changes);
  return {
    ...envelope(n, 'session.titled', org, 'turns'),
    id: `cor_${String(n).padStart(32, '1')}`,
    recorded_at: new Date(Date.parse('2026-03-10T08:00:00.000Z') + n * 60_000).toISOString(),
    data: { user_id: user, session_id: session, title },
  };
};

/** Returns what was said of a hit of a recall, at offset `n`. */
export const recallJudged = (n: number, data: Partial<RecallJudged> = {}): Logged<RecallJudged> => ({
  ...envelope(n, 'recall.judged', 'acme', 'turns'),
  id: `cor_${String(n).padStart(32, '2')}`,
  recorded_at: new Date(Date.parse('2026-03-10T08:00:00.000Z') + n * 60_000).toISOString(),
  data: {
    user_id: 'ada',
    session_id: 's1',
    recall_id: 'rcl_1',
    hit_id: `trn_${'a'.repeat(32)}`,
    turn_id: null,
    verdict: 'helpful',
    ...data,
  },
});

const envelope = (offset: number, type: string, org_id: string, topic: Topic) => ({
  type,
  version: 1,
  org_id,
  recorded_at: '2026-03-10T08:00:00.000Z',
  correlation_id: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11',
  keyId: topic === 'usage' || topic === 'audit' ? null : sessionKey().keyId,
  topic,
  partition: 0,
  offset,
});

/** The event of a write that named these turns, whose job has the number `n`. */
export const writeAccepted = (
  n: number,
  turns: readonly { id: string }[],
  changes: Partial<WrittenScope> = {},
): Logged<WriteAccepted> => {
  const { org, user, session } = scopeOf(changes);
  const id = `job_${String(n).padStart(32, '0')}`;
  return {
    ...envelope(n, 'write.accepted', org, 'turns'),
    id,
    data: {
      user_id: user,
      session_id: session,
      job_id: id,
      turn_ids: turns.map(each => each.id),
      options: { write_active: true, write_passive: true },
      metadata: null,
    },
  };
};

/** An answered recall. */
export const recallMetered = (n: number, data: Partial<RecallMetered> = {}): Logged<RecallMetered> => ({
  ...envelope(n, 'recall.metered', 'acme', 'usage'),
  id: `rcl_${n}`,
  data: { user_id: 'ada', tokens_in: 2, tokens_out: 30, ...data },
});

/** Asks for all entries of an audit log, a page of 100. */
export const EVERY_ENTRY = {
  since: '0000-01-01T00:00:00.000Z',
  until: undefined,
  action: undefined,
  actor: undefined,
  after: undefined,
  limit: 100,
};

/** The entry of a sign-in of one of two keys. */
export const auditNoted = (n: number, changes: Partial<AuditNoted> = {}): Logged<AuditNoted> => ({
  ...envelope(n, 'audit.noted', n % 3 === 2 ? 'globex' : 'acme', 'audit'),
  id: `aud_${String(n).padStart(32, '0')}`,
  recorded_at: new Date(Date.parse('2026-03-10T08:00:00.000Z') + n * 60_000).toISOString(),
  data: {
    action: 'sign_in',
    outcome: n % 4 === 3 ? 'refused' : 'done',
    actor_kind: 'key',
    actor_key: `key_${n % 2}`,
    actor_user: 'ada',
    actor_address: n % 2 ? '203.0.113.0/24' : null,
    target_kind: 'key',
    target_id: `key_${n % 2}`,
    target_user: null,
    ...changes,
  },
});

/** The same turn as the tail holds it. */
export const tailTurn = (event: Logged<TurnRecorded>): TailTurn =>
  tailTurnOf({ ...event, keyId: event.keyId!, offset: eventOffsetOf(event) });

/** Returns the erasure of a user, or of one session, at offset `n` of a partition of the topic. */
export const memoryErased = (
  n: number,
  { user = 'ada', session, topic = 'turns', partition = 0, ...changes }: ErasureChanges = {},
): Logged<MemoryErased> => ({
  ...envelope(n, 'memory.erased', 'acme', topic),
  id: `ers_${'0'.repeat(24)}${String(n).padStart(8, '0')}`,
  keyId: null,
  partition,
  data: {
    erasure_id: `ers_${'0'.repeat(32)}`,
    owner: scopeDigest(['acme', user]),
    session: session === undefined ? null : scopeDigest(['acme', user, session]),
    key_ids: [],
    counts: { turns: 0, observations: 0, entities: 0, sessions: 0 },
    ...changes,
  },
});

type ErasureChanges = Partial<Pick<MemoryErased, 'key_ids' | 'counts'>> & {
  user?: string;
  session?: string;
  topic?: 'turns' | 'observations';
  partition?: number;
};
