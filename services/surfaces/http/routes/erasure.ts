import { checkErase, checkEraseQuery, type NamedScope } from '../../../../schemas/http/erasure.ts';
import { malformed } from '../../../core/errors.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { type Call, type Endpoint, ok } from '../endpoint.ts';

/** The scope is in the body or in the query: with both it would be ambiguous. */
const scopeOf = async ({ query, hasQuery, hasBody, body }: Call): Promise<NamedScope> => {
  if (!hasBody) return { form: 'query', ...query(checkEraseQuery) };
  if (hasQuery)
    throw malformed('The scope must be in the body or in the query, not in both.', {
      loc: ['query'],
      type: 'contradiction',
      message: 'must have no members when there is a body',
    });
  const { user_id, session_id } = (await body(checkErase)).scope;
  return { form: 'body', user_id, session_id };
};

export const erasureEndpoints = (useCases: UseCases): Endpoint[] => [
  {
    method: 'delete',
    path: '/memory',
    access: 'token',
    roles: ['memory:write'],
    reach: 'scope',
    takesBody: true,
    handle: async call => ok(await useCases.erase(call.principal, await scopeOf(call), call.context)),
  },
];
