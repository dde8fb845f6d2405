import type { UseCases } from '../../../../core/use-cases.ts';
import { nameOperations } from '../../../../schemas/http/names.ts';
import { type Endpoint, route } from '../endpoint.ts';

export const nameEndpoints = ({ lists, nameUser, correctEntity, titleSession }: UseCases): Endpoint[] => [
  route(nameOperations.readUser, ({ principal, params }) => lists.user(principal, params.id!)),
  route(nameOperations.nameUser, async ({ principal, params, body, context }) =>
    nameUser(principal, params.id!, await body(), context),
  ),
  route(nameOperations.correctEntity, async ({ principal, params, query, body, context }) =>
    correctEntity(principal, { id: params.id!, ...query() }, await body(), context),
  ),
  route(nameOperations.titleSession, async ({ principal, params, query, body, context }) =>
    titleSession(principal, { id: params.id!, ...query() }, await body(), context),
  ),
];
