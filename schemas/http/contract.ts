/**
 * The operations of all areas, in the order in which the OpenAPI document shows them, and the bodies that
 * they exchange.
 */
import { accountOperations } from './accounts.ts';
import { apiKeyOperations } from './api-keys.ts';
import { auditOperations } from './audit.ts';
import { curationOperations } from './curation.ts';
import { deletionOperations } from './deletion.ts';
import { erasureOperations } from './erasure.ts';
import { identityOperations } from './identities.ts';
import { ingestionOperations } from './ingestion.ts';
import { turnOperations } from './items.ts';
import { listOperations } from './lists.ts';
import { nameOperations } from './names.ts';
import type { Operation, Operations } from './operation.ts';
import { componentsOf, onlyId, reference } from './parts/parts.ts';
import { recallOperations } from './recall.ts';
import { receiptOperations } from './receipts.ts';
import { serviceOperations } from './service.ts';
import { statsOperations } from './stats.ts';
import { exportOperations, feedOperations } from './streams.ts';
import { tokenOperations } from './tokens.ts';
import { usageOperations } from './usage.ts';
import { webhookOperations } from './webhooks.ts';

export const operations: Operations = {
  ...tokenOperations,
  ...identityOperations,
  ...ingestionOperations,
  ...recallOperations,
  ...receiptOperations,
  ...curationOperations,
  ...nameOperations,
  ...erasureOperations,
  ...feedOperations,
  ...listOperations,
  ...turnOperations,
  ...statsOperations,
  ...exportOperations,
  ...usageOperations,
  ...accountOperations,
  ...deletionOperations,
  ...apiKeyOperations,
  ...webhookOperations,
  ...auditOperations,
  ...serviceOperations,
};

/** The schema of an answer, with that of a caller who may not read. */
export const answerSchemaOf = ({ answer: { schema }, untold }: Operation): object | undefined =>
  schema && untold ? { anyOf: [schema, reference(onlyId)] } : schema;

export const components = componentsOf(
  Object.values(operations).flatMap(operation => [
    operation.request && reference(operation.request.component),
    answerSchemaOf(operation),
    ...(operation.answer.pieces ?? []).map(reference),
  ]),
);
