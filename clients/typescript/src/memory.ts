/** Lists of what is stored, item by item; pages are fetched as needed. Also the calls that say, correct or hide one item, and those that correct names. */
import { listOf } from './answer.ts';
import type { Caller } from './caller.ts';
import type {
  AddFactOptions,
  CallOptions,
  Correction,
  CorrectionOptions,
  EntitiesOptions,
  EntityCorrection,
  FactsOptions,
  ListOptions,
  ObservationsOptions,
  ReadOptions,
  ScopeOptions,
  SessionsOptions,
  TurnsOptions,
} from './options.ts';
import { member, type Query, query } from './query.ts';
import { correctOf, filterText, maybeInstant, optionsOf, readScope, sayOf } from './requests.ts';
import type {
  Entity,
  Fact,
  Observation,
  Session,
  StatedObservation,
  Turn,
  TurnDetails,
  User,
} from './types.ts';

type Items<T> = AsyncGenerator<T, void, undefined>;

/**
 * Lists are of the client's own `user` unless the call names another or says `allUsers`; `users` are all that the key may see.
 * The client's own `session` applies to `addFact` alone.
 */
export interface Memory {
  users(options?: ListOptions): Items<User>;
  sessions(options?: SessionsOptions): Items<Session>;
  /** Ordered by user, session and time: with a user and a session, the conversation as it was spoken. */
  turns(options?: TurnsOptions): Items<Turn>;
  observations(options?: ObservationsOptions): Items<Observation>;
  entities(options?: EntitiesOptions): Items<Entity>;
  /** What holds of one user and of the people and things they speak of. A key that may name any user must name one. */
  facts(options?: FactsOptions): Items<Fact>;
  /** One turn with its observations, its entities and its position in the log. */
  turn(id: string, options?: CallOptions): Promise<TurnDetails>;
  /** Says a fact that no turn says. It is found at once; saying the same again in the session stores nothing. */
  addFact(fact: AddFactOptions): Promise<StatedObservation>;
  /**
   * Corrects an observation or fact by any of its ids, and resolves to the observation that supersedes it. The old value never
   * held, wherever it was said by now; what began later still holds.
   */
  correct(id: string, correction: Correction, options?: CallOptions): Promise<StatedObservation>;
  /**
   * Hides a turn, with its observations and mentions, from every answer for good. Its words are destroyed only when its
   * session is erased, by `forget`.
   */
  deleteTurn(id: string, options?: CallOptions): Promise<void>;
  /** Hides one observation or fact; the older value holds again. Its turn stays, as does what other turns say. */
  deleteObservation(id: string, options?: CallOptions): Promise<void>;
  /**
   * Renames an entity, merges it with another one, or sets names of it apart; a later correction undoes it. Resolves with the
   * entity as the list has it.
   */
  correctEntity(id: string, correction: EntityCorrection, options?: CorrectionOptions): Promise<Entity>;
  /** Gives a session a title, which lists show; null removes it. */
  titleSession(id: string, title: string | null, options?: CorrectionOptions): Promise<Session>;
}

/** The operation of each list. */
interface Operations {
  users: 'listUsers';
  sessions: 'listSessions';
  turns: 'listTurns';
  observations: 'listObservations';
  entities: 'listEntities';
  facts: 'listFacts';
}
type Filters<Name extends keyof Operations> = Omit<Query<Operations[Name]>, 'filter' | 'limit' | 'cursor'>;

type Page = { next_cursor?: string | null };

export const makeMemory = ({ call }: Caller, own: ScopeOptions): Memory => {
  async function* list<Name extends keyof Operations, T>(
    name: Name,
    { pageSize, filter: asked, signal, timeoutMs }: ListOptions,
    filters: Filters<Name>,
  ): Items<T> {
    const filter = filterText(asked);
    let cursor: string | undefined;
    do {
      const path = `/memory/${name}${query<Operations[Name]>({ ...filters, filter, limit: pageSize, cursor } as Query<Operations[Name]>)}`;
      const page = (await call({ method: 'GET', path }, { signal, timeoutMs })) as Page;
      yield* listOf(page, name) as T[];
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** A session names no user, so the client's own is no default. */
  const scopeOf = (options: ReadOptions): { user_id: string | undefined; session_id: string | undefined } => {
    const { user, session } = readScope(options, { user: own.user });
    return { user_id: user, session_id: session };
  };

  const hide = async (path: string, options: CallOptions | undefined): Promise<void> => {
    await call({ method: 'DELETE', path, isDoneWhenGone: true }, options);
  };

  return {
    users: (options = {}) => list('users', optionsOf(options), {}),
    sessions: (options = {}) => list('sessions', optionsOf(options), { user_id: scopeOf(options).user_id }),
    turns: (options = {}) =>
      list('turns', optionsOf(options), {
        ...scopeOf(options),
        role: options.role,
        since: maybeInstant(options.since),
        until: maybeInstant(options.until),
        order: options.order,
      }),
    observations: (options = {}) =>
      list('observations', optionsOf(options), {
        ...scopeOf(options),
        turn_id: options.turnId,
        source: options.source,
        since: maybeInstant(options.since),
        until: maybeInstant(options.until),
      }),
    entities: (options = {}) =>
      list('entities', optionsOf(options), {
        ...scopeOf(options),
        turn_id: options.turnId,
        kind: options.kind,
      }),
    facts: (options = {}) =>
      list('facts', optionsOf(options), {
        ...scopeOf(options),
        subject: options.subject,
        value: options.value,
        attribute: options.attribute,
        holds: options.holds,
        as_of: maybeInstant(options.asOf),
      }),
    turn: async (id, options) =>
      (await call({ method: 'GET', path: `/memory/turns/${member(id)}` }, options)) as TurnDetails,
    addFact: async fact => {
      const said = optionsOf(fact, 'A fact must be an object.');
      const { user = own.user, session = own.session } = said;
      const body = sayOf({ ...said, user, session });
      return (await call({ method: 'POST', path: '/memory/observations', body }, said)) as StatedObservation;
    },
    correct: async (id, correction, options) => {
      const path = `/memory/observations/${member(id)}`;
      const body = correctOf(optionsOf(correction, 'A correction must be an object.'));
      return (await call({ method: 'PATCH', path, body }, options)) as StatedObservation;
    },
    deleteTurn: async (id, options) => hide(`/memory/turns/${member(id)}`, options),
    deleteObservation: async (id, options) => hide(`/memory/observations/${member(id)}`, options),
    correctEntity: async (id, { label, mergeInto, split }, { user, ...options } = {}) => {
      const path = `/memory/entities/${member(id)}${query<'correctEntity'>({ user_id: user })}`;
      const body = { label, merge_into: mergeInto, split };
      return (await call({ method: 'PATCH', path, body }, options)) as Entity;
    },
    titleSession: async (id, title, { user, ...options } = {}) => {
      const path = `/memory/sessions/${member(id)}${query<'titleSession'>({ user_id: user })}`;
      return (await call({ method: 'PATCH', path, body: { title } }, options)) as Session;
    },
  };
};
