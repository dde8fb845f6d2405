/**
 * The embedded adapters on a temporary folder, for the contract suites: real SQLite files and the real writer
 * thread.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { type Event, makeDecode } from '../../../core/log/events.ts';
import { loggedOf, rememberLogged } from '../../../core/log/logged.ts';
import type { Find, LogRecord, ProjectedBatch } from '../../../core/ports.ts';
import { type Language, makeLanguage } from '../../../domain/language/language.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import type { Limits } from '../../../domain/search/candidates.ts';
import { openAdmission } from '../../../infra/embedded/admission/admission.ts';
import { openKnownTurns } from '../../../infra/embedded/admission/known-turns.ts';
import { makeUnsettled } from '../../../infra/embedded/admission/unsettled.ts';
import { createProjectionsDatabase } from '../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../infra/embedded/index/file/projection-store.ts';
import { openFeedIndex } from '../../../infra/embedded/index/read/feed.ts';
import { openListing } from '../../../infra/embedded/index/read/lists/listing.ts';
import { openSwitchedReader } from '../../../infra/embedded/index/read/projections-reader.ts';
import { openRecallDetails } from '../../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../../infra/embedded/index/read/search/answers-reader.ts';
import { openVerifiableRows } from '../../../infra/embedded/index/read/verify/verifiable-rows.ts';
import { openRetrieval } from '../../../infra/embedded/index/retrieval.ts';
import { projectActivity } from '../../../projections/activity/activity-projection.ts';
import { projectAudit } from '../../../projections/audit/audit-projection.ts';
import { makeRecallProjection } from '../../../projections/recall/recall-fold.ts';
import { foldUsage } from '../../../projections/usage/usage-projection.ts';
import { temporaryFolder } from '../../support/processes/server.ts';
import { sessionKey, turnRecorded } from '../../support/worlds/builders.ts';
import { recordWith } from '../../support/worlds/frames.ts';
import type { AdmissionBench } from './admission.ts';
import { findIn } from './finding.ts';
import type { OpenListing } from './listing.ts';
import { openFolder } from './log.ts';
import type { OpenProjections, RecallIndex } from './projections.ts';

let shared: Language | undefined;
/** Made once a test file: the static table is ten megabytes. */
export const language = (): Language => {
  const table = new URL('../../../domain/language/vectors/static-vectors.bin', import.meta.url);
  shared ??= makeLanguage(readFileSync(table));
  return shared;
};

/** Returns what the projector makes of events. */
export const fold = (events: readonly Event[]): Omit<ProjectedBatch, 'positions'> => {
  const recall = makeRecallProjection(language());
  return {
    recall: events.flatMap(recall),
    usage: events.flatMap(foldUsage),
    accounts: [],
    audit: events.flatMap(projectAudit),
    activity: events.flatMap(projectActivity),
    logged: events.map(loggedOf),
  };
};

/** @param clock what has expired by it is not read */
export const openProjections = async (
  folder = temporaryFolder(),
  clock: () => number = Date.now,
): Promise<OpenProjections> => {
  const path = join(folder, 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const reader = openAnswersReader(path, clock);
  const indexOf = (limits?: Limits): RecallIndex => ({
    ...openRetrieval({ reader, decodeDocument, analyse: language().analyse, makeYieldWhenDue, limits }),
    ...openRecallDetails(reader),
  });
  return {
    store,
    index: indexOf(),
    listing: openListing(reader, makeYieldWhenDue),
    feed: openFeedIndex(reader, makeYieldWhenDue),
    sweep: async now => {
      while (await store.sweep(now));
    },
    swept: store.swept,
    known: async (_org, _user, ids) => openKnownTurns(reader, { turn: () => undefined }).activeOf(ids),
    rows: openVerifiableRows(path, decodeDocument),
    kept: async () =>
      Number(
        reader
          .prepare(
            `SELECT (SELECT count(*) FROM main.fragments WHERE kind < 2) + (SELECT count(*) FROM main.mentions)
              + (SELECT count(*) FROM main.vectors) AS n`,
          )
          .get()!.n,
      ),
    account: async accounts => {
      await store.apply({ ...fold([]), accounts: [...accounts], positions: {} });
    },
    indexOf,
    reopen: async () => {
      reader.close();
      await store.close();
      return openProjections(folder, clock);
    },
    close: async () => {
      reader.close();
      await store.close();
    },
  };
};

/** Lists of a file, and of another that is promoted. */
export const openListingBench = async (): Promise<OpenListing> => {
  const folder = temporaryFolder();
  const storeAt = (number: number) =>
    openProjectionStore(createProjectionsDatabase(join(folder, `${number}.db`)), decodeDocument);
  const stores = [storeAt(0)];
  const reader = openSwitchedReader(join(folder, '0.db'), Date.now);
  let serving = 0;
  /** A search has a connection of its own. */
  const find: Find = async (request, deadline) => {
    const own = openAnswersReader(join(folder, `${serving}.db`), Date.now);
    const { analyse } = language();
    const retrieval = openRetrieval({ reader: own, decodeDocument, analyse, makeYieldWhenDue });
    try {
      return await findIn({ ...retrieval, ...openRecallDetails(own) }, language())(request, deadline);
    } finally {
      own.close();
    }
  };
  const apply = async (events: readonly Event[]): Promise<void> => {
    await stores.at(-1)!.apply({ ...fold(events), positions: {} });
  };
  return {
    listing: openListing(reader, makeYieldWhenDue),
    details: openRecallDetails(reader),
    find,
    apply,
    promote: async events => {
      const number = stores.length;
      stores.push(storeAt(number));
      // Its rows have other numbers.
      await apply([turnRecorded(0, { org: 'initech', user: 'first' }), ...events]);
      reader.prepareSwitch(join(folder, `${number}.db`)).commit();
      serving = number;
    },
    close: async () => {
      reader.close();
      for (const store of stores) await store.close();
    },
  };
};

/** Admission over a real log, with the projector's step made when the test says so. */
export const openAdmissionBench = async (): Promise<AdmissionBench> => {
  const folder = temporaryFolder();
  const { log, close } = await openFolder(folder);
  const { store, close: closeProjections } = await openProjections(folder);
  const reader = openAnswersReader(join(folder, 'projections.db'), Date.now);
  const decode = makeDecode({ byId: async () => sessionKey().sealing, destroyKeys: async () => {} });
  let unsettled = makeUnsettled(() => false);
  let admission = openAdmission(reader, unsettled);
  const events = new Map<string, Event>();
  return {
    get admission() {
      return admission;
    },
    get usage() {
      return admission;
    },
    restart: async () => {
      unsettled = makeUnsettled(() => false);
      const [positions, ends] = [await store.positions(), await log.ends()];
      unsettled.settle(positions);
      admission = openAdmission(reader, unsettled);
      await rememberLogged({
        log,
        decode,
        remember: unsettled.add,
        room: async () => {},
        isProjected: admission.isBilled,
        positions,
        ends,
      });
    },
    append: async logged => {
      const addresses = await log.append(
        logged.map(event => ({
          topic: event.topic,
          key: event.org_id,
          value: recordWith(event),
        })),
      );
      addresses.forEach(({ topic, partition, offset }, i) => {
        events.set(`${topic}/${partition}/${offset}`, { ...logged[i]!, partition, offset });
      });
      return addresses;
    },
    project: async () => {
      const positions = await store.positions();
      for (const [topicPartition, end] of Object.entries(await log.ends())) {
        const [topic, partition] = topicPartition.split('/') as [LogRecord['topic'], string];
        const records = await log.read(topic, Number(partition), positions[topicPartition] ?? 0, end + 1);
        const batch = fold(records.map(({ offset }) => events.get(`${topicPartition}/${offset}`)!));
        await store.apply({ ...batch, positions: { [topicPartition]: end } });
      }
      unsettled.settle(await store.positions());
    },
    close: async () => {
      reader.close();
      await closeProjections();
      await close();
    },
  };
};
