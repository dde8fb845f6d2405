import type { operations } from './api-types.ts';

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
    if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
};
