/**
 * Lists of what is stored, item by item; pages are fetched as needed. Also the calls that say, correct or
 * hide one item, and those that correct names.
 */

import type { Correction, EntityCorrection, SessionSplit } from './inputs.ts';
import type {
  EntitiesOptions,
  FactsOptions,
  ListOptions,
  ObservationsOptions,
  SessionsOptions,
  StatsOptions,
  TurnsOptions,
  UsersOptions,
} from './list-options.ts';
import * as operations from './operations.ts';
import type { AddFactOptions, CallOptions, CorrectionOptions, ReadOptions, ScopeOptions } from './options.ts';
import { listOf } from './transport/answer.ts';
import type { Caller } from './transport/caller.ts';
import type { WholeQuery } from './transport/query.ts';
import { correctOf, filterText, maybeInstant, optionsOf, readScope, sayOf } from './transport/requests.ts';
import type { Request } from './transport/transport.ts';
import type {
  Entity,
  Fact,
  MemoryStats,
  Observation,
  Session,
  StatedObservation,
  Turn,
  TurnDetails,
  User,
  UserDetails,
} from './types.ts';

type Items<T> = AsyncGenerator<T, void, undefined>;

/**
 * Lists are of the client's own `user` unless the call names another or says `allUsers`; `users` are all that
 * the key may see. The client's own `session` applies to `addFact` alone.
 */
export interface Memory {
  users(options?: UsersOptions): Items<User>;
  sessions(options?: SessionsOptions): Items<Session>;
  /** Ordered by user, session and time: with a user and a session, the conversation as it was spoken. */
  turns(options?: TurnsOptions): Items<Turn>;
  observations(options?: ObservationsOptions): Items<Observation>;
  entities(options?: EntitiesOptions): Items<Entity>;
  /**
   * Facts that hold about one user and the people and things they speak of. A key that may name any user must
   * name one.
   */
  facts(options?: FactsOptions): Items<Fact>;
  /** What was stored and asked on each of the last UTC days, and the recalls of these days in bins. */
  stats(options?: StatsOptions): Promise<MemoryStats>;
  /** One turn with its observations, its entities and its position in the log. */
  turn(id: string, options?: CallOptions): Promise<TurnDetails>;
  /**
   * Says a fact that no turn says. It is found at once; saying the same again in the session stores nothing.
   */
  addFact(fact: AddFactOptions): Promise<StatedObservation>;
  /**
   * Corrects an observation or fact by any of its ids, and resolves to the observation that supersedes it.
   * The old value never held, wherever it was said by now; what began later still holds.
   */
  correct(id: string, correction: Correction, options?: CallOptions): Promise<StatedObservation>;
  /**
   * Hides a turn, with its observations and mentions, from every answer for good. Its words are destroyed
   * only when its session is erased, by `forget`.
   */
  deleteTurn(id: string, options?: CallOptions): Promise<void>;
  /**
   * Hides one observation or fact; the older value holds again. Its turn stays, as does what other turns say.
   */
  deleteObservation(id: string, options?: CallOptions): Promise<void>;
  /**
   * Renames an entity, merges it with another one, or sets names of it apart; a later correction undoes it.
   * Resolves with the entity as the list has it.
   */
  correctEntity(id: string, correction: EntityCorrection, options?: CorrectionOptions): Promise<Entity>;
  /** Resolves to a user with its counts, its own names and those that its words suggest. */
  user(id: string, options?: CallOptions): Promise<UserDetails>;
  /**
   * Sets the names that are the user's own, in place of those set before: they and the role user are one
   * subject, labelled by the first. None removes them.
   */
  nameUser(id: string, names: readonly string[], options?: CallOptions): Promise<UserDetails>;
  /** Gives a session a title, which lists show; null removes it. */
  titleSession(id: string, title: string | null, options?: CorrectionOptions): Promise<Session>;
}

type Page<Name extends string, Item> = { [Member in Name]: Item[] } & { next_cursor: string | null };

/** The query parameters that all lists share. */
interface Paging {
  q: string | undefined;
  filter: string | undefined;
  limit: number | undefined;
  cursor: string | undefined;
}

const splitOf = (one: string | SessionSplit) =>
  typeof one === 'string' ? one : { session_id: one.session, label: one.label };

export const makeMemory = ({ call }: Caller, own: ScopeOptions): Memory => {
  async function* list<Name extends string, Item>(
    name: Name,
    { q, pageSize: limit, filter: asked, signal, timeoutMs }: ListOptions,
    pageOf: (paging: Paging) => Request<Page<Name, Item>>,
  ): Items<Item> {
    const filter = filterText(asked);
    let cursor: string | undefined;
    do {
      const page = await call(pageOf({ q, filter, limit, cursor }), { signal, timeoutMs });
      yield* listOf<Name, Item>(page, name);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** A session names no user, so the client's own is no default. */
  const scopeOf = (options: ReadOptions): { user_id: string | undefined; session_id: string | undefined } => {
    const { user, session } = readScope(options, { user: own.user });
    return { user_id: user, session_id: session };
  };

  return {
    users: (options = {}) => {
      const { sort } = optionsOf(options);
      return list('users', options, paging =>
        operations.listUsers({ sort, ...paging } satisfies WholeQuery<'listUsers'>),
      );
    },
    sessions: (options = {}) => {
      const { user_id } = scopeOf(optionsOf(options));
      const { sort } = options;
      return list('sessions', options, paging =>
        operations.listSessions({ user_id, sort, ...paging } satisfies WholeQuery<'listSessions'>),
      );
    },
    turns: (options = {}) => {
      const { role, since, until, order } = optionsOf(options);
      const filters = {
        ...scopeOf(options),
        role,
        since: maybeInstant(since),
        until: maybeInstant(until),
        order,
      };
      return list('turns', options, paging =>
        operations.listTurns({ ...filters, ...paging } satisfies WholeQuery<'listTurns'>),
      );
    },
    observations: (options = {}) => {
      const { turnId, source, since, until } = optionsOf(options);
      const filters = {
        ...scopeOf(options),
        turn_id: turnId,
        source,
        since: maybeInstant(since),
        until: maybeInstant(until),
      };
      return list('observations', options, paging =>
        operations.listObservations({ ...filters, ...paging } satisfies WholeQuery<'listObservations'>),
      );
    },
    entities: (options = {}) => {
      const { turnId, kind } = optionsOf(options);
      const filters = { ...scopeOf(options), turn_id: turnId, kind };
      return list('entities', options, paging =>
        operations.listEntities({ ...filters, ...paging } satisfies WholeQuery<'listEntities'>),
      );
    },
    facts: (options = {}) => {
      const { subject, value, attribute, holds, asOf } = optionsOf(options);
      const filters = { ...scopeOf(options), subject, value, attribute, holds, as_of: maybeInstant(asOf) };
      return list('facts', options, paging =>
        operations.listFacts({ ...filters, ...paging } satisfies WholeQuery<'listFacts'>),
      );
    },
    stats: async (options = {}) => {
      const { days } = optionsOf(options);
      return call(operations.readStats({ user_id: scopeOf(options).user_id, days }), options);
    },
    turn: async (id, options) => call(operations.readTurn(id), options),
    addFact: async fact => {
      const said = optionsOf(fact, 'A fact must be an object.');
      const { user = own.user, session = own.session } = said;
      return call(operations.say(sayOf({ ...said, user, session })), said);
    },
    correct: async (id, correction, options) =>
      call(
        operations.correct(id, correctOf(optionsOf(correction, 'A correction must be an object.'))),
        options,
      ),
    deleteTurn: async (id, options) => call(operations.retractTurn(id), options),
    deleteObservation: async (id, options) => call(operations.retractObservation(id), options),
    correctEntity: async (id, { label, mergeInto, split }, { user, ...options } = {}) =>
      call(
        operations.correctEntity(
          id,
          { user_id: user },
          { label, merge_into: mergeInto, split: split?.map(splitOf) },
        ),
        options,
      ),
    user: async (id, options) => call(operations.readUser(id), options),
    nameUser: async (id, names, options) => call(operations.nameUser(id, { names: [...names] }), options),
    titleSession: async (id, title, { user, ...options } = {}) =>
      call(operations.titleSession(id, { user_id: user }, { title }), options),
  };
};
