import { randomBytes } from 'node:crypto';
import type { Engines } from '../../core/ports/engines.ts';
import { eraseScope } from '../../core/scope.ts';
import { makeTokenCounter } from '../../core/tokens/counter.ts';
import { traced } from '../../core/tracing/spans.ts';
import type { UseCases } from '../../core/use-cases.ts';
import type { Log } from '../../core/watch/logger.ts';
import { makeReadiness } from '../../core/watch/readiness.ts';
import { conditionInQuery } from '../../domain/filter/condition.ts';
import type { Config } from '../../schemas/config.ts';
import type { Accounts } from '../use-cases/accounts/accounts.ts';
import { makeReadAudit } from '../use-cases/audit/read-audit.ts';
import { makeCorrect } from '../use-cases/curation/correct.ts';
import { makeCorrectEntity } from '../use-cases/curation/names/correct-entity.ts';
import { makeNameUser } from '../use-cases/curation/names/name-user.ts';
import { makeTitleSession } from '../use-cases/curation/names/title-session.ts';
import { makeRetract } from '../use-cases/curation/retract.ts';
import { makeSay, makeState } from '../use-cases/curation/say.ts';
import { makeBegunHere } from '../use-cases/erasure/begun-here.ts';
import { makeErase } from '../use-cases/erasure/erase.ts';
import { makeFeed } from '../use-cases/feed/feed.ts';
import { makeOpenFeed } from '../use-cases/feed/open-feed.ts';
import { makeIngest } from '../use-cases/ingest/ingest.ts';
import { makeJob } from '../use-cases/ingest/job.ts';
import { makeKeep } from '../use-cases/ingest/keep.ts';
import { makePaidKey } from '../use-cases/ingest/paid-key.ts';
import { makeUntitled } from '../use-cases/ingest/untitled.ts';
import { makeLists } from '../use-cases/lists/lists.ts';
import { withLivingTail } from '../use-cases/lists/living-tail.ts';
import { makeEmbedQuery } from '../use-cases/recall/models/embed-query.ts';
import { makeRecall } from '../use-cases/recall/recall.ts';
import { makeJudge } from '../use-cases/recall/receipt/judge.ts';
import { makeReadReceipt } from '../use-cases/recall/receipt/read-receipt.ts';
import { makeExport } from '../use-cases/transfer/export.ts';
import { makeMemoryStats } from '../use-cases/usage/memory-stats.ts';
import { makeUsageStatement } from '../use-cases/usage/statement.ts';
import { makeUsageReport } from '../use-cases/usage/usage-report.ts';
import { makeWebhooks } from '../use-cases/webhooks/webhooks.ts';
import { tracedCounter, tracedEngines } from './telemetry/traced-engines.ts';
import { tracedUseCases } from './telemetry/traced-use-cases.ts';
import { webhookStore } from './webhooks.ts';
import { makeWhenReady } from './when-ready.ts';

const newErasureId = (): string => `ers_${randomBytes(16).toString('hex')}`;

/** Makes the use cases over these engines, each guarded until the service has caught up. */
export const makeUseCases = (
  opened: Engines,
  {
    horizonOf,
    receipts,
    statements,
    beganAt,
    keepInUse,
  }: Pick<Accounts, 'horizonOf' | 'receipts' | 'statements' | 'beganAt' | 'keepInUse'>,
  clock: () => number,
  logger: Log,
  config: Pick<Config, 'feedStreams' | 'accounts' | 'webhooksPrivate'>,
  isStopping: () => boolean = () => false,
): UseCases => {
  const engines = tracedEngines(opened);
  const { log, decode, keys, memory, usage, transfer, watch } = engines;
  const { search, find, embeddings, details, listing, settled, settledUntil, begunErasures } = memory;
  const admission = withLivingTail(engines.admission, horizonOf);
  const countTokens = tracedCounter(makeTokenCounter());
  const embedQuery = embeddings && traced('embed question', makeEmbedQuery({ embeddings }));
  const whenReady = makeWhenReady(watch.isCaughtUp);
  const feed = makeFeed({ ...memory.feed, mostStreams: config.feedStreams });
  const webhooks = makeWebhooks({
    store: webhookStore(engines, { keepInUse, caps: config.accounts }),
    keys,
    feed,
    deliveries: engines.webhooks.deliveries,
    clock,
    random: randomBytes,
    isPrivateAllowed: config.webhooksPrivate === 'yes',
  });
  const erase = makeErase({
    log,
    keys,
    admission,
    details,
    settled,
    begun: begunErasures ?? makeBegunHere(),
    receipts,
    clock,
    newId: newErasureId,
    told: webhooks.erased,
    logger,
  });
  const keep = makeKeep({ log, admission, clock });
  const paidKey = makePaidKey({ keys, admission, clock });
  const state = makeState({ paidKey, keep, countTokens, admission, listing });
  const retract = makeRetract({ log, keys, admission, listing, details, settled, clock });
  const exported = makeExport({
    log,
    exportChunks: transfer.exportChunks,
    beganAt,
    horizonOf,
    listing,
    clock,
  });
  const useCases: UseCases = {
    ...whenReady({
      ingest: makeIngest({
        paidKey,
        keep,
        admission,
        details,
        listing,
        horizonOf,
        untitled: makeUntitled({ listing }),
        countTokens,
      }),
      job: makeJob({ admission, details, waitsFor: watch.enrichmentWaitsFor }),
      recall: makeRecall({
        log,
        keys,
        admission,
        search,
        embedQuery,
        models: embeddings?.models,
        settledUntil,
        countTokens,
        clock,
      }),
      recallReceipt: makeReadReceipt({ ...engines, ...memory, admission, clock }),
      giveFeedback: makeJudge({ ...engines, ...memory, admission, clock }),
      feed: makeOpenFeed(feed),
      exported: async ({ orgId }, { filter }, signal) => exported(orgId, signal, conditionInQuery(filter)),
      erase: async (principal, scope, context) => erase(eraseScope(principal, scope), context),
      say: makeSay(state),
      correct: makeCorrect({ log, decode, admission, listing, details, state, hide: retract.hide }),
      retractTurn: retract.turn,
      retractObservation: retract.observation,
      correctEntity: makeCorrectEntity({ log, keys, listing, details, settled, clock }),
      nameUser: makeNameUser({ log, keys, listing, details, admission, settled, clock }),
      titleSession: makeTitleSession({ log, keys, listing, admission, settled, clock }),
      audit: makeReadAudit({ audit: engines.audit, clock }),
      stats: makeMemoryStats({ activity: engines.activity, keys, clock }),
      ...makeUsageReport({ usage: usage.reader, split: usage.split, clock }),
      ...makeUsageStatement({ ledger: usage.ledger, statements, clock }),
      listWebhooks: webhooks.list,
      createWebhook: webhooks.create,
      deleteWebhook: webhooks.remove,
      webhookDeliveries: webhooks.deliveries,
      resumeWebhook: webhooks.resume,
    } satisfies Omit<UseCases, 'lists' | 'ready'>),
    lists: whenReady(makeLists({ find, listing, details, admission, settledUntil, clock })),
    ready: makeReadiness({ ...watch, isStopping }),
  };
  return tracedUseCases(useCases, engines.cursors);
};
