/** Paths and queries of calls. */
import type { operations } from '../api-types.ts';
import { unusable } from './requests.ts';

type Members<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** The query parameters of an operation. */
export type Query<Name extends keyof operations> = {
  [Member in keyof Members<Name>]: Members<Name>[Member] | undefined;
};

/** All of them: the type allows neither missing nor unknown ones. */
export type WholeQuery<Name extends keyof operations> = {
  [Member in keyof Required<Members<Name>>]: Members<Name>[Member] | undefined;
};

/** Returns `?a=1&b=2` from the members that are set; empty without any. */
export const query = <Name extends keyof operations>(members: Query<Name>): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

/** An id for use in a path. An id of dots would change the path, and a lone surrogate can't be encoded. */
export const member = (id: string): string => {
  if (typeof id !== 'string' || ['', '.', '..'].includes(id))
    throw unusable('An id must be a string, and neither empty nor dots.');
  try {
    return encodeURIComponent(id);
  } catch {
    throw unusable('An id must be Unicode without lone surrogates.');
  }
};
