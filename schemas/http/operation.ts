import type { FromSchema } from '../from-schema.ts';
import { type Component, reference } from './parts.ts';
import type { Role } from './roles.ts';

/** What an endpoint covers: the caller's scope, or the organization, which no strict key may reach. */
export type Reach = 'scope' | 'organization';

/** One endpoint in the form that the OpenAPI document describes. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `/me/api-keys/{id}`. */
  path: string;
  id: string;
  summary: string;
  description?: string;
  tag: 'Tokens' | 'Memory' | 'Usage' | 'Accounts' | 'Operations';
  /** Any one of these roles is required; empty: any token; undefined: no token. */
  access?: readonly Role[];
  /** Needed where `access` is. */
  reach?: Reach;
  request?: { body: Component; example: unknown; optional?: true };
  query?: Record<string, object>;
  /** Those of its query that must be given. */
  requiredQuery?: readonly string[];
  answer: { status: number; description: string; schema?: object; contentType?: string; example?: unknown };
  /** Polled by machines: without a rate limit. */
  polled?: true;
  /** Error statuses in addition to those implied by its access and its body. */
  statuses: readonly number[];
}

/** The JSON body of a request. */
export const body = <S extends object>(
  component: Component<S>,
  example: FromSchema<S>,
): NonNullable<Operation['request']> => ({ body: component, example });

/** An answer with a JSON body. */
export const json = <S extends object>(
  status: number,
  description: string,
  component: Component<S>,
  example: FromSchema<S>,
): Operation['answer'] => ({ status, description, schema: reference(component), example });
