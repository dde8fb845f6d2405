import type { UseCases } from '../../../../core/use-cases.ts';
import { recallOperations } from '../../../../schemas/http/recall.ts';
import { receiptOperations } from '../../../../schemas/http/receipts.ts';
import { type Endpoint, route } from '../endpoint.ts';

export const recallEndpoints = (useCases: UseCases): Endpoint[] => [
  route(recallOperations.recall, async ({ principal, body, context }) =>
    useCases.recall(principal, await body(), context),
  ),
  route(receiptOperations.readReceipt, ({ principal, params }) =>
    useCases.recallReceipt(principal, params.id!),
  ),
  route(receiptOperations.giveFeedback, async ({ principal, params, body, context }) =>
    useCases.giveFeedback(principal, params.id!, await body(), context),
  ),
];
