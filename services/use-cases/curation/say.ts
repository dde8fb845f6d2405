import { ServiceError } from '../../../core/errors.ts';
import { lineOf } from '../../../core/log/keys/key-wrapping.ts';
import { mayRead, writeScope } from '../../../core/scope.ts';
import type { CountTokens } from '../../../core/tokens/counter.ts';
import type { CappedContext, Principal } from '../../../core/use-cases.ts';
import { statementId, statementObservationId, writeId } from '../../../domain/identity/identity.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import { tailObservations } from '../../../projections/recall/tail/tail-turn.ts';
import type { Stated } from '../../../schemas/events/turns.ts';
import { factsOf, type SaidObservation } from '../../../schemas/facts.ts';
import type { SayBody, StatedObservation } from '../../../schemas/http/curation.ts';
import type { OnlyId } from '../../../schemas/http/parts/parts.ts';
import { parseInstant, utcOffsetOf } from '../../../schemas/http/queries/instant.ts';
import { observationOf, withTokens } from '../ingest/identify.ts';
import type { makeKeep } from '../ingest/keep.ts';
import type { makePaidKey, Price } from '../ingest/paid-key.ts';
import { observationOf as itemOf } from '../lists/items.ts';
import { type FindPorts, findObservation } from './find-observation.ts';

export interface SayPorts extends FindPorts {
  paidKey: ReturnType<typeof makePaidKey>;
  keep: ReturnType<typeof makeKeep>;
  countTokens: CountTokens;
}

/** Something that is said without a turn. */
export interface Statement extends SaidObservation {
  scope: { org: string; user: string; session: string };
  /** The id of the caller's API key. */
  apiKey: string;
  role: string;
  /** Unix milliseconds; undefined: it is said now. */
  timestamp: number | undefined;
  /** The offset from UTC that its timestamp was written with. */
  utcOffset?: number | undefined;
  corrects?: Stated['corrects'];
  /** When it expires: Unix milliseconds. */
  expiresAt?: number | undefined;
  /** From when a retention counts, where that isn't when it is said: Unix milliseconds. */
  keptFrom?: number | undefined;
  /**
   * It is stored only while its session has this key or one that took its place, and while it has not
   * expired.
   */
  within?: { keyId: string | null; gone: () => ServiceError } | undefined;
  metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

const isOfLine = (keyId: string | null, other: string): boolean =>
  keyId !== null && lineOf(keyId) === lineOf(other);

/** The speaker of an observation without a turn. */
const ROLE = 'user';
/** There is no turn to find or to enrich; an observation that a client says is found all the same. */
const OPTIONS = { write_active: false, write_passive: false };

/**
 * identify → keep → the observation. It is a write like any other, so it is billed, known, sealed, erased and
 * exported like one; its turn has no words.
 */
export const makeState = (ports: SayPorts) => {
  const { paidKey, keep, countTokens } = ports;
  return async (said: Statement, context: CappedContext): Promise<Said> => {
    const {
      scope,
      apiKey,
      role,
      text,
      fact,
      timestamp,
      utcOffset,
      corrects,
      expiresAt,
      keptFrom,
      within,
      metadata = null,
    } = said;
    const { org, user, session } = scope;
    const count = (texts: readonly string[]) => countTokens(org, texts, context.deadline?.signal);
    const metadataTokens = metadata ? sum(await count([JSON.stringify(metadata)])) : 0;
    const unidentified = {
      role,
      text: '',
      timestamp: timestamp ?? 0,
      observations: [text],
      facts: factsOf([{ text, fact }]),
      utc_offset: utcOffset,
      keptFrom,
    };
    const turnsOf = (id: string, stated?: Stated) =>
      withTokens([{ id, ...unidentified, ...(stated && { stated }) }], count);
    const price: Price = {
      most: () => Buffer.byteLength(JSON.stringify([unidentified, metadata])),
      count: async () => metadataTokens + sum([...(await turnsOf('')).values()].map(({ tokens }) => tokens)),
    };
    const key = await paidKey(scope, price, context);
    // The session was erased meanwhile: with a key of another line, erased data would be stored anew.
    if (within && !isOfLine(within.keyId, key.keyId)) throw within.gone();
    const identity = { ...scope, role, text, fact, corrects: corrects?.observation_id, timestamp };
    const id = statementId(key.identity, identity);
    const stated: Stated = {
      ...(timestamp === undefined && { undated: true }),
      ...(corrects && { corrects }),
    };
    const turns = await turnsOf(id, stated);
    const write = { id: writeId(key.identity, org, user, session, [id]), turnIds: [id], turns };
    const expiry = expiresAt === undefined ? undefined : { expires_at: new Date(expiresAt).toISOString() };
    const wanted = {
      scope,
      apiKey,
      key,
      write,
      options: OPTIONS,
      expiry,
      metadata,
      metadataTokens,
      gone: within?.gone,
    };
    const kept = await keep(wanted, context);
    const observation: NewFragment | undefined =
      kept.turns.flatMap(tailObservations)[0] ??
      (await findObservation(ports, { org, user }, statementObservationId(id)));
    const usage = { tokens_in: kept.billed, tokens_out: 0 };
    return {
      id: statementObservationId(id),
      observation: observation && { ...itemOf(observation), usage },
    };
  };
};

/** A statement that was made; without the observation if it was hidden or expired before. */
interface Said {
  id: string;
  observation: StatedObservation | undefined;
}

export const hiddenForGood = (): ServiceError =>
  new ServiceError(
    'conflict',
    'It was hidden, or it has expired; say it with another timestamp or other words.',
  );

export const makeSay =
  (state: ReturnType<typeof makeState>) =>
  async (
    principal: Principal,
    body: SayBody,
    context: CappedContext,
  ): Promise<StatedObservation | OnlyId> => {
    const { scope, timestamp, metadata, ...sent } = body;
    const { id, observation } = await state(
      {
        scope: writeScope(principal, scope),
        apiKey: principal.keyId,
        role: ROLE,
        timestamp: timestamp === undefined ? undefined : parseInstant(timestamp),
        utcOffset: timestamp === undefined ? undefined : utcOffsetOf(timestamp),
        metadata,
        ...observationOf(sent, ROLE),
      },
      context,
    );
    if (observation) return observation;
    // To say that it is hidden would say that it was said.
    if (!mayRead(principal)) return { id };
    throw hiddenForGood();
  };
