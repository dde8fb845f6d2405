/**
 * The operations of all areas, in the order in which the OpenAPI document shows them, and the bodies that
 * they exchange.
 */
import { accountOperations } from './accounts.ts';
import { apiKeyOperations } from './api-keys.ts';
import { curationOperations } from './curation.ts';
import { erasureOperations } from './erasure.ts';
import { ingestionOperations } from './ingestion.ts';
import { turnOperations } from './items.ts';
import { listOperations } from './lists.ts';
import { nameOperations } from './names.ts';
import type { Operations } from './operation.ts';
import { componentsOf, reference } from './parts/parts.ts';
import { recallOperations } from './recall.ts';
import { receiptOperations } from './receipts.ts';
import { serviceOperations } from './service.ts';
import { exportOperations, feedOperations } from './streams.ts';
import { tokenOperations } from './tokens.ts';
import { usageOperations } from './usage.ts';

export const operations: Operations = {
  ...tokenOperations,
  ...ingestionOperations,
  ...recallOperations,
  ...receiptOperations,
  ...curationOperations,
  ...nameOperations,
  ...erasureOperations,
  ...feedOperations,
  ...listOperations,
  ...turnOperations,
  ...exportOperations,
  ...usageOperations,
  ...accountOperations,
  ...apiKeyOperations,
  ...serviceOperations,
};

export const components = componentsOf(
  Object.values(operations).flatMap(({ request, answer }) => [
    request && reference(request.component),
    answer.schema,
    ...(answer.pieces ?? []).map(reference),
  ]),
);
