/** The address of a call. */
import type { operations } from './api-types.ts';
import { unusable } from './requests.ts';

/** All that an operation's query may have: none is forgotten, and none is made up. */
export type Query<Name extends keyof operations> = {
  [Member in keyof Required<NonNullable<operations[Name]['parameters']['query']>>]:
    | NonNullable<operations[Name]['parameters']['query']>[Member]
    | undefined;
};

/** `?a=1&b=2` of the members that are given; nothing of none. */
export const query = <Name extends keyof operations>(members: Query<Name>): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(members))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};

/** An id in a path. With a dot or two it would lead to another one, and half a letter has no bytes. */
export const member = (id: string): string => {
  if (typeof id !== 'string' || ['', '.', '..'].includes(id))
    throw unusable('An id is a text that names something.');
  try {
    return encodeURIComponent(id);
  } catch {
    throw unusable('An id is not whole Unicode.');
  }
};
