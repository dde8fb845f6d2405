/** The endpoints of all areas and the bodies they exchange, in the order in which the OpenAPI document shows them. */
import * as accounts from './accounts.ts';
import * as curation from './curation.ts';
import * as erasure from './erasure.ts';
import { filter } from './filter.ts';
import * as hits from './hits.ts';
import * as ingestion from './ingestion.ts';
import * as lists from './lists.ts';
import * as names from './names.ts';
import type { Operation } from './operation.ts';
import { type Component, freshness, usage } from './parts.ts';
import * as recall from './recall.ts';
import * as receipts from './receipts.ts';
import * as service from './service.ts';
import { exportOperations, feedOperations } from './streams.ts';
import * as tokens from './tokens.ts';
import * as billed from './usage.ts';

export const operations: readonly Operation[] = [
  ...tokens.tokenOperations,
  ...ingestion.ingestionOperations,
  ...recall.recallOperations,
  ...receipts.receiptOperations,
  ...curation.curationOperations,
  ...names.nameOperations,
  ...erasure.erasureOperations,
  ...feedOperations,
  ...lists.listOperations,
  ...exportOperations,
  ...billed.usageOperations,
  ...accounts.accountOperations,
  ...service.serviceOperations,
];

const requests: readonly Component[] = [
  tokens.exchange,
  tokens.refresh,
  accounts.signUp,
  accounts.createKey,
  accounts.setRetention,
  ingestion.ingest,
  curation.say,
  curation.correct,
  recall.recall,
  names.correctEntity,
  names.titleSession,
  filter,
  erasure.erase,
];

const answers: readonly Component[] = [
  usage,
  freshness,
  tokens.tokens,
  accounts.signedUp,
  accounts.me,
  accounts.limits,
  accounts.retention,
  accounts.apiKey,
  accounts.apiKeys,
  accounts.newApiKey,
  ingestion.ingested,
  ingestion.job,
  hits.explanation,
  hits.textPart,
  hits.turnHit,
  hits.observationHit,
  hits.turnEvent,
  hits.observationEvent,
  hits.entityHit,
  recall.recalled,
  receipts.receiptHit,
  receipts.receipt,
  lists.userItem,
  lists.users,
  lists.sessionItem,
  lists.sessions,
  lists.turnItem,
  lists.turns,
  lists.observationItem,
  lists.observations,
  curation.statedObservation,
  lists.factItem,
  lists.facts,
  lists.entityAlias,
  lists.entityItem,
  lists.entities,
  lists.turnEntity,
  lists.turnDetails,
  erasure.erased,
  billed.usageToday,
  billed.usageMonth,
  billed.usageDaily,
  billed.usageStatement,
  tokens.jwks,
  service.health,
  service.readiness,
];

export const components = [...requests, ...answers];
