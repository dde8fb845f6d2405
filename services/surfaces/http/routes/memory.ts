import type { CallContext, MemoryLists, Principal } from '../../../../core/use-cases.ts';
import { turnOperations } from '../../../../schemas/http/items.ts';
import { type ListName, lists } from '../../../../schemas/http/lists.ts';
import type { GuardedOperation } from '../../../../schemas/http/operation.ts';
import { type Endpoint, route } from '../endpoint.ts';

const listing = <Query, Page>(
  operation: GuardedOperation<Query, undefined, Page>,
  list: (principal: Principal, query: Query, context: CallContext) => Promise<Page>,
): Endpoint =>
  route(operation as GuardedOperation, ({ principal, query, context }) =>
    list(principal, query() as Query, context),
  );

export const memoryEndpoints = (memory: MemoryLists): Endpoint[] => [
  ...Object.entries(lists).map(([name, operation]) =>
    listing<never, unknown>(operation as GuardedOperation<never, undefined>, memory[name as ListName]),
  ),
  route(turnOperations.readTurn, ({ principal, params }) => memory.turn(principal, params.id!)),
];
