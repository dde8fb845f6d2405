/** Everything that the product runs on threads, in the thread of the simulator. */

import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../../../core/errors.ts';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { makeDecode } from '../../../core/log/events.ts';
import type { ProjectionStore } from '../../../core/ports.ts';
import { sharedTable } from '../../../core/threads/shared-table.ts';
import { makeRulesExtractor, RULES_EXTRACTOR_VERSION } from '../../../domain/extraction/extract.ts';
import { makeLanguage } from '../../../domain/language/language.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { openAccountDocuments } from '../../../infra/embedded/accounts/account-documents.ts';
import { openExpiriesFile } from '../../../infra/embedded/admission/expiries-file.ts';
import { createProjectionsDatabase } from '../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../infra/embedded/index/file/projection-store.ts';
import { openListing } from '../../../infra/embedded/index/read/lists/listing.ts';
import { openRecallDetails } from '../../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../../infra/embedded/index/read/search/answers-reader.ts';
import { openVerifiableRows } from '../../../infra/embedded/index/read/verify/verifiable-rows.ts';
import { openRetrieval } from '../../../infra/embedded/index/retrieval.ts';
import { openKeyStore } from '../../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../../infra/embedded/log/event-log.ts';
import type { WriterConnection } from '../../../infra/embedded/log/writer-connection.ts';
import { openStepFile } from '../../../infra/embedded/step-file.ts';
import { followInstallationKeys } from '../../../infra/secrets/installation-keys.ts';
import { makeProjections, PROJECTED_TOPICS } from '../../../projections/all.ts';
import { projectFile } from '../../../services/embedded/threads/project-file.ts';
import { makeSharedLoad } from '../../../services/embedded/threads/replay/shared-load.ts';
import type { Starts } from '../../../services/embedded/threads/starts.ts';
import { makeVerify } from '../../../services/operations/verify/verify.ts';
import { makeFindWords } from '../../../services/use-cases/recall/find-words.ts';
import { makeSearch } from '../../../services/use-cases/recall/search.ts';
import { makeExportChunks } from '../../../services/use-cases/transfer/chunk.ts';
import { startConsumer } from '../../../services/workers/consumer.ts';
import { consumersOf } from '../../../services/workers/consumers.ts';
import { enrichStep } from '../../../services/workers/enricher/enricher.ts';
import type { Extractor } from '../../../services/workers/enricher/extractor.ts';
import { makeExpiryShare } from '../../../services/workers/expiry-share.ts';
import { startProjector } from '../../../services/workers/projector/projector.ts';
import { type Report, troubleOf } from '../../../services/workers/report.ts';
import { type Fate, fated } from '../machine/fate.ts';
import type { Plant } from './plant.ts';
import { makeWriter, type OneThreadWriter } from './writer.ts';

/** Small, so that short histories have checkpoints. */
const WAL_BYTES = 4 * 1024 * 1024;

/** Read once: no history changes it. */
let loaded: { table: SharedArrayBuffer; language: ReturnType<typeof makeLanguage> } | undefined;
const language = () => {
  if (loaded) return loaded;
  const table = sharedTable();
  loaded = { table, language: makeLanguage(new Uint8Array(table)) };
  return loaded;
};

let extractor: Extractor | undefined;
const rulesExtractor = (): Extractor => {
  extractor ??= {
    version: RULES_EXTRACTOR_VERSION,
    source: 'rules',
    extract: makeRulesExtractor(),
  };
  return extractor;
};

interface Searches {
  search: ReturnType<typeof makeSearch>;
  find: ReturnType<typeof makeFindWords>;
}

/** Reports of a thread, which arrive in their order and late. */
const reportsTo = (fate: Fate, onReport: (report: Report) => void) => {
  let last: Promise<unknown> = Promise.resolve();
  return (report: Report): Promise<unknown> => {
    last = last.then(() => fate.point()).then(() => onReport(report));
    return last;
  };
};

/** A store whose disk may fail, and which may be held up. */
const fatedStore = <Store extends ProjectionStore>(fate: Fate, store: Store, ready: () => Promise<void>) => {
  const whole = fated(fate, store, 'positions');
  return {
    ...whole,
    apply: async (batch: Parameters<ProjectionStore['apply']>[0]) => {
      await fate.point();
      await ready();
      if (fate.fails('store')) throw unavailable('a simulated fault of the disk');
      const written = await store.apply(batch);
      await fate.point();
      return written;
    },
  };
};

export interface OneThread extends Starts {
  /** The projectors and the enricher stand still until they are let go. */
  hold(): void;
  letGo(): void;
}

export const startsInOneThread = (fate: Fate, plant: Plant): OneThread => {
  let writer: OneThreadWriter;
  let held: PromiseWithResolvers<void> | undefined;
  const ready = async (): Promise<void> => held?.promise;
  const connect = (): WriterConnection => plant.connection(writer.connect());

  const openLog = (paths: { log: string; keys: string; installationKeys: string }) => {
    const connection = connect();
    const log = fated(fate, openEventLog(paths.log, connection), 'read', 'ends', 'committed');
    const keys = plant.keys(
      fated(
        fate,
        openKeyStore(paths.keys, followInstallationKeys(paths.installationKeys), connection),
        'byId',
      ),
    );
    return { log: plant.log(log), keys, decode: plant.decode(makeDecode(keys)) };
  };

  return {
    hold: () => {
      held ??= Promise.withResolvers();
    },
    letGo: () => {
      held?.resolve();
      held = undefined;
    },
    startWriter: async paths => {
      writer = makeWriter(paths, fate);
      return { port: writer.port, close: writer.close };
    },
    connectWriter: connect,
    prepareThreads: ({ config, clockOffset, paths, sureClock }) => {
      const { table } = language();
      const openStore = (database: DatabaseSync) =>
        plant.store(
          fatedStore(
            fate,
            openProjectionStore(database, decodeDocument, {
              mostWalBytes: WAL_BYTES,
            }),
            ready,
          ),
        );
      const folds = () => makeProjections(language().language);
      return {
        table,
        load: makeSharedLoad(),
        startProjector: async (projections, onReport) => {
          const report = reportsTo(fate, onReport);
          const database = createProjectionsDatabase(projections);
          const store = openStore(database);
          const accounts = openAccountDocuments(database);
          const counts = openExpiriesFile(paths.budgets);
          const share = makeExpiryShare({
            counts,
            sessions: store.swept.sessions,
            organization: async org => accounts.get('organization', org),
            percent: config.expiriesPerDay,
          });
          const steps = openStepFile(`${projections}-step`);
          const { take, close } = await projectFile({
            ...openLog(paths),
            projections,
            table,
            clockOffset,
            sureClock,
            threadDied: false,
            config,
            store,
            steps,
            share,
            report,
          });
          await report({ kind: 'ready', positions: await store.positions() });
          return {
            send: order => (order === 'close' ? undefined : take(order)),
            close: async () => {
              await close();
              counts.close();
              await store.close();
              steps.close();
            },
          };
        },
        startConsumer: async (name, onReport) => {
          const report = reportsTo(fate, onReport);
          const definition = consumersOf(config).find(one => one.name === name)!;
          // The only one without a model. Its lexicon takes longer to load than most histories last.
          const open: typeof definition.open = async ports =>
            enrichStep({ ...ports, extractor: rulesExtractor() });
          const { close } = await startConsumer(
            { ...definition, open },
            {
              ...openLog(paths),
              openChat: () => {
                throw new Error('there is no model in here');
              },
              openEmbeddings: () => {
                throw new Error('there is no model in here');
              },
              clock: Date.now,
              pace: ready,
              report,
            },
          );
          return { send: () => {}, close };
        },
        startBuild: async ({ projections }, onReport) => {
          const report = reportsTo(fate, onReport);
          const store = openStore(createProjectionsDatabase(projections));
          const projector = startProjector({
            ...openLog(paths),
            store,
            projections: folds(),
            topics: PROJECTED_TOPICS,
            limits: config.poisonLimits,
            onApplied: applied => report({ ...applied, kind: 'progress' }),
            onStopped: report,
            onTrouble: error => report(troubleOf(error)),
          });
          await report({ kind: 'ready', positions: await store.positions() });
          return {
            close: async () => {
              await projector.close();
              await store.close();
            },
          };
        },
        exporter: { chunks: makeExportChunks(openLog(paths)), close: async () => {} },
        verify: (projections, options, signal) =>
          makeVerify({ ...openLog(paths), projections: folds(), clock: Date.now })(
            openVerifiableRows(projections, decodeDocument),
            options,
            signal,
          ),
      };
    },
    startSearcher: ({ serving: first }) => {
      let serving = first;
      const opened = new Map<string, Searches>();
      const searchIn = (path: string): Searches => {
        const known = opened.get(path);
        if (known) return known;
        const reader = openAnswersReader(path, Date.now);
        const { analyse } = language().language;
        const ports = {
          retrieval: openRetrieval({ reader, decodeDocument, analyse, makeYieldWhenDue }),
          details: openRecallDetails(reader),
          listing: openListing(reader, makeYieldWhenDue),
          language: language().language,
        };
        const searches = { search: makeSearch(ports), find: makeFindWords(ports) };
        opened.set(path, searches);
        return searches;
      };
      return {
        search: async (request, deadline) => {
          await fate.point();
          if (fate.fails('reads')) throw unavailable("The recall index can't be read right now.");
          return searchIn(serving).search(request, deadline);
        },
        find: async (request, deadline) => {
          await fate.point();
          if (fate.fails('reads')) throw unavailable("The recall index can't be read right now.");
          return searchIn(serving).find(request, deadline);
        },
        started: Promise.resolve(),
        open: async path => void searchIn(path),
        switchTo: path => {
          opened.delete(serving);
          serving = path;
        },
        probe: async () => 'runs',
        eventLoopUtilization: () => performance.eventLoopUtilization(),
        close: async () => {},
      };
    },
  };
};
