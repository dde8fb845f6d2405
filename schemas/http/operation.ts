import type { Role } from './requests.ts';

/** One endpoint, as the OpenAPI document describes it. */
export interface Operation {
  method: 'get' | 'post' | 'delete';
  /** `/me/api-keys/{id}`. */
  path: string;
  id: string;
  summary: string;
  description?: string;
  tag: 'Tokens' | 'Memory' | 'Usage' | 'Accounts' | 'Operations';
  /** Any one of these roles is required; empty: any token; undefined: no token. */
  access?: readonly Role[];
  request?: { schema: string; example: unknown; optional?: true };
  query?: Record<string, object>;
  answer: { status: number; description: string; schema?: object; contentType?: string };
  /** Error statuses in addition to those implied by its access and its body. */
  statuses: readonly number[];
}

/** A JSON answer with the named component schema. */
export const json = (status: number, description: string, name: string): Operation['answer'] => ({
  status,
  description,
  schema: { $ref: `#/components/schemas/${name}` },
});
