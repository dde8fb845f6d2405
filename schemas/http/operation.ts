import type { Role } from './requests.ts';

/** One endpoint, as the document tells of it. */
export interface Operation {
  method: 'get' | 'post' | 'delete';
  /** `/me/api-keys/{id}`. */
  path: string;
  id: string;
  summary: string;
  description?: string;
  tag: 'Tokens' | 'Memory' | 'Usage' | 'Accounts' | 'Operations';
  /** Roles of which one is needed; empty: any token; undefined: open. */
  access?: readonly Role[];
  request?: { schema: string; example: unknown; optional?: true };
  query?: Record<string, object>;
  answer: { status: number; description: string; schema?: object; contentType?: string };
  /** Refusals beside those of its access and its body. */
  statuses: readonly number[];
}

/** An answer in JSON, by the name of its schema. */
export const json = (status: number, description: string, name: string): Operation['answer'] => ({
  status,
  description,
  schema: { $ref: `#/components/schemas/${name}` },
});
