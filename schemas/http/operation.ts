/**
 * An endpoint, said once: the router serves it, and the OpenAPI document, the docs and the clients are made
 * from it. Each area's operations are in an object whose keys are their ids.
 */
import type { Check } from '../ajv.ts';
import type { FromSchema } from '../from-schema.ts';
import { type Component, reference } from './parts/parts.ts';
import type { Query } from './queries/query-schema.ts';
import type { Right } from './rights.ts';

interface Described<Asked, Sent, Answered> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `/me/api-keys/{id}`. */
  path: string;
  summary: string;
  description?: string;
  tag: 'Tokens' | 'Memory' | 'Usage' | 'Accounts' | 'Operations';
  query?: Query<Asked>;
  request?: RequestBody<Sent>;
  answer: Answer<Answered>;
  /** Polled by machines: without a rate limit, and logged at debug level. */
  polled?: true;
  /** Error statuses in addition to those implied by its access and its body. */
  statuses: readonly number[];
}

/** Needs no credential. */
export interface OpenOperation<Asked = unknown, Sent = unknown, Answered = unknown>
  extends Described<Asked, Sent, Answered> {
  access?: undefined;
  reach?: undefined;
  untold?: undefined;
}

export interface GuardedOperation<Asked = unknown, Sent = unknown, Answered = unknown>
  extends Described<Asked, Sent, Answered>,
    Right {}

export type Operation<Asked = unknown, Sent = unknown, Answered = unknown> =
  | OpenOperation<Asked, Sent, Answered>
  | GuardedOperation<Asked, Sent, Answered>;

export type Operations = Record<string, Operation>;

export interface RequestBody<Sent> {
  component: Component;
  example: unknown;
  check: Check<Sent>;
  optional?: true;
}

export interface Answer<Answered> {
  status: number;
  description: string;
  schema?: object;
  contentType?: string;
  example?: Answered;
  /** The components of a stream. */
  pieces?: readonly Component[];
}

/** The types of an operation's query, request body and answer. */
export type AskedOf<O> = O extends { query?: Query<infer Asked> } ? Asked : undefined;
export type SentTo<O> = O extends { request?: RequestBody<infer Sent> } ? Sent : undefined;
export type AnsweredBy<O> = O extends { answer: Answer<infer Answered> } ? Answered : undefined;

/** Declares an operation that needs no credential, with the types of its query, body and answer. */
export const open = <Asked = undefined, Sent = undefined, Answered = void>(
  operation: OpenOperation<Asked, Sent, Answered>,
): OpenOperation<Asked, Sent, Answered> => operation;

/** Declares an operation that needs a credential. */
export const guarded = <Asked = undefined, Sent = undefined, Answered = void>(
  operation: GuardedOperation<Asked, Sent, Answered>,
): GuardedOperation<Asked, Sent, Answered> => operation;

/** A JSON body, which `check` validates by the component's schema. */
export const body = <S extends object, Sent>(
  component: Component<S>,
  check: Check<Sent>,
  example: FromSchema<S>,
): RequestBody<Sent> => ({ component, check, example });

/** An answer with a JSON body. */
export const json = <S extends object>(
  status: number,
  description: string,
  component: Component<S>,
  example: FromSchema<S>,
): Answer<FromSchema<S>> => ({ status, description, schema: reference(component), example });
