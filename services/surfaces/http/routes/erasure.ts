import { malformed } from '../../../../core/errors.ts';
import type { UseCases } from '../../../../core/use-cases.ts';
import { erasureOperations } from '../../../../schemas/http/erasure.ts';
import { type Endpoint, route } from '../endpoint.ts';

export const erasureEndpoints = (useCases: UseCases): Endpoint[] => [
  route(erasureOperations.erase, async ({ principal, context, query, hasQuery, hasBody, body }) => {
    // The scope is in the body or in the query: with both it would be ambiguous.
    if (hasBody && hasQuery)
      throw malformed('The scope must be in the body or in the query, not in both.', {
        loc: ['query'],
        type: 'contradiction',
        message: 'must have no members when there is a body',
      });
    const { user_id, session_id } = hasBody ? (await body()).scope : query();
    return useCases.erase(principal, { form: hasBody ? 'body' : 'query', user_id, session_id }, context);
  }),
];
