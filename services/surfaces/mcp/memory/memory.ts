import * as operations from '../../../../clients/typescript/src/operations.ts';
import type { Request } from '../../../../clients/typescript/src/transport/transport.ts';
import type { CorrectBody, SayBody, StatedObservation } from '../../../../schemas/http/curation.ts';
import type { ErasureAnswer } from '../../../../schemas/http/erasure.ts';
import type { IngestAnswer } from '../../../../schemas/http/ingestion.ts';
import type { TurnDetails } from '../../../../schemas/http/items.ts';
import type { Facts, Sessions, Turns, Users } from '../../../../schemas/http/lists.ts';
import type { OnlyId } from '../../../../schemas/http/parts/parts.ts';
import type { Filter } from '../../../../schemas/http/queries/filter.ts';
import type { HIT_KINDS, RecallAnswer } from '../../../../schemas/http/recall.ts';
import type { Client } from '../../client/client.ts';
import type { NamedFragment } from '../../client/fragment-id.ts';
import { localOffset } from '../../client/local-time.ts';
import { type Named, scopeOf } from '../../client/named-scope.ts';

export type { Named };

export interface SaidTurn {
  role: string;
  text: string;
  /** RFC 3339. */
  timestamp: string;
}

export interface Question extends Named {
  question: string;
  mode?: 'active' | 'deep';
  kinds?: (typeof HIT_KINDS)[number][];
  /** RFC 3339, inclusive; so is `until`. */
  since?: string;
  until?: string;
  /** A filter on the metadata. */
  filter?: Record<string, unknown>;
  limit?: number;
  withTimeline?: boolean;
  /** Maximum tokens of a context, which replaces the hits. */
  context?: number;
}

/** The key's user and session: the defaults of a call without them, and the bounds of a strict key. */
export interface Bounds extends Named {
  /** Whether the key may name any user, and must name one to erase. */
  anyUser: boolean;
  mayRead: boolean;
}

interface PageOf {
  limit?: number;
  cursor?: string;
}

/** The running service, over HTTP. Calls reject with a `Failure` for people, or with the signal's reason. */
export interface Memory {
  bounds(): Promise<Bounds>;
  remember(turns: SaidTurn[], named: Named, signal: AbortSignal): Promise<IngestAnswer>;
  recall(question: Question, signal: AbortSignal): Promise<RecallAnswer>;
  erase(named: Named, signal: AbortSignal): Promise<ErasureAnswer>;
  say(fact: Omit<SayBody, 'scope'>, named: Named, signal: AbortSignal): Promise<StatedObservation | OnlyId>;
  correct(
    fact: NamedFragment,
    correction: CorrectBody,
    signal: AbortSignal,
  ): Promise<StatedObservation | OnlyId>;
  hide(fragment: NamedFragment, signal: AbortSignal): Promise<void>;
  turn(id: string, signal: AbortSignal): Promise<TurnDetails>;
  users(page: PageOf, signal: AbortSignal): Promise<Users>;
  facts(
    query: PageOf & { user: string; subject?: string; attribute?: string; holds?: 'now' | 'ever' },
    signal: AbortSignal,
  ): Promise<Facts>;
  sessions(query: PageOf & { user?: string }, signal: AbortSignal): Promise<Sessions>;
  turns(
    query: PageOf & Named & { since?: string; until?: string; order?: 'asc' | 'desc' },
    signal: AbortSignal,
  ): Promise<Turns>;
}

const contextMembers = (context: number | undefined) =>
  context === undefined ? {} : { include_context: true, context_max_tokens: context, include_hits: false };

/** `client` is called for each request, because its configuration may appear only after the start. */
export const makeMemory = (client: () => Client): Memory => {
  const call = <Answer>(request: Request<Answer>, signal: AbortSignal): Promise<Answer> =>
    client().call(request, signal);

  return {
    bounds: async () => {
      const { user_id, session_id, strict, roles } = await client().me();
      const hasAll = roles.includes('*');
      return {
        user: user_id,
        session: session_id ?? undefined,
        anyUser: hasAll && !strict,
        mayRead: hasAll || roles.includes('memory:read'),
      };
    },
    // The timestamps identify the turns: turns that are sent again are stored and billed once.
    remember: (turns, named, signal) => call(operations.ingest({ scope: scopeOf(named), turns }), signal),
    recall: ({ question, user, session, limit, withTimeline, context, filter, ...rest }, signal) => {
      const scope = scopeOf({ user, session });
      const body = {
        scope,
        q: question,
        utc_offset: localOffset(Date.now()),
        top_k: limit,
        include_timeline: withTimeline,
        // Passages spare the model's context; a session's resource has the whole turn.
        passages: true,
        ...contextMembers(context),
        // The service says what is wrong with a filter.
        filter: filter as Filter | undefined,
        ...rest,
      };
      return call(operations.recall(body), signal);
    },
    erase: ({ user, session }, signal) =>
      call(operations.erase({ user_id: user, session_id: session }), signal),
    // The service dates a fact without a timestamp; the same fact said again stores nothing.
    say: (fact, named, signal) => call(operations.say({ scope: scopeOf(named), ...fact }), signal),
    correct: ({ id }, correction, signal) => call(operations.correct(id, correction), signal),
    hide: ({ id, what }, signal) =>
      call(what === 'turn' ? operations.retractTurn(id) : operations.retractObservation(id), signal),
    turn: (id, signal) => call(operations.readTurn(id), signal),
    users: (page, signal) => call(operations.listUsers(page), signal),
    facts: ({ user, ...rest }, signal) => call(operations.listFacts({ user_id: user, ...rest }), signal),
    sessions: ({ user, ...page }, signal) =>
      call(operations.listSessions({ user_id: user, ...page }), signal),
    turns: ({ user, session, ...rest }, signal) =>
      call(operations.listTurns({ user_id: user, session_id: session, ...rest }), signal),
  };
};
