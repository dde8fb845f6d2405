/** Measures a turn's microseconds by stage: the real functions of each, alone, in this process. */
import { readFileSync } from 'node:fs';
import { type Event, makeDecode } from '../../core/log/events.ts';
import { seal } from '../../core/log/keys/sealing.ts';
import { packBody } from '../../core/log/packed-body.ts';
import { partitionsOf } from '../../core/log/positions.ts';
import type { LogRecord, NewRecord, Positions, ProjectedBatch, SessionKey, Topic } from '../../core/ports.ts';
import { countTokens } from '../../core/tokens/count.ts';
import { turnId } from '../../domain/identity/identity.ts';
import { makeLanguage } from '../../domain/language/language.ts';
import { createProjectionsDatabase } from '../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../infra/embedded/index/file/projection-store.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../infra/embedded/log/writer-connection.ts';
import { openChatCompletions } from '../../infra/llm/chat-completions.ts';
import { projectActivity } from '../../projections/activity/activity-projection.ts';
import { makeRecallProjection } from '../../projections/recall/recall-fold.ts';
import { projectUsage } from '../../projections/usage/usage-projection.ts';
import { checkIngest, type IngestBody } from '../../schemas/http/ingestion.ts';
import { parseInstant } from '../../schemas/http/queries/instant.ts';
import { type Draft, writeRecords } from '../../services/use-cases/ingest/records.ts';
import { makeEnrich } from '../../services/workers/enricher/enrich.ts';
import { makeExtractor } from '../../services/workers/enricher/make-extractor.ts';
import { installationOf } from '../../test/support/files/installation-keys.ts';
import { temporaryFolder } from '../../test/support/processes/server.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './load/conversation.ts';
import { CONNECTIONS, TURNS_OF_A_REQUEST } from './load/load-ingestion.ts';
import { makeTimed, type Stage } from './measure/timed.ts';

const TURNS = 10_000;
/** Sessions are spread over this many partitions. */
const USERS = 20;
/** Records per read, and events per commit of the projector (services/workers/projector/projector.ts). */
const STEP = 256;

export interface Stages {
  stages: Stage[];
  /** CPU microseconds per turn: compression and cipher, a part of `seal`; parsing to the append. */
  sealing: number;
  ingestion: number;
}

interface Recorded {
  scope: { org: string; user: string; session: string };
  body: string;
}

const requests = (conversation: Conversation, from: number): Recorded[] =>
  Array.from({ length: TURNS / TURNS_OF_A_REQUEST }, (_, i) => {
    const number = from / TURNS_OF_A_REQUEST + i;
    const first = number * TURNS_OF_A_REQUEST;
    const session = Math.floor(first / TURNS_OF_A_SESSION);
    const scope = { user: `user-${session % USERS}`, session: `session-${session}` };
    return { scope: { org: 'local', ...scope }, body: conversation.body(scope, first, TURNS_OF_A_REQUEST) };
  });

const timed = makeTimed(TURNS);

/** Makes one pass over `TURNS` turns; an unmeasured first pass warms up the compiler and the caches. */
export const measureStages = async (conversation: Conversation): Promise<Stages> => {
  const folder = temporaryFolder();
  const paths = {
    log: `${folder}/log.db`,
    keys: `${folder}/keys.db`,
    projections: `${folder}/projections.db`,
  };
  const writer = await startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
    throw error;
  });
  const connection = connectWriter(writer.port());
  const log = openEventLog(paths.log, connection);
  const keys = openKeyStore(paths.keys, installationOf(new Uint8Array(32)), connection);
  const vectors = new URL('../../domain/language/vectors/static-vectors.bin', import.meta.url);
  const language = makeLanguage(new Uint8Array(readFileSync(vectors)));
  const store = openProjectionStore(createProjectionsDatabase(paths.projections), language.decodeDocument);
  const folds = { recall: makeRecallProjection(language), usage: projectUsage };
  const decode = makeDecode(keys);
  const extractor = makeExtractor({ kind: 'rules' }, { openChat: openChatCompletions, onState: () => {} });
  const enrich = makeEnrich({ keys, decode, extractor, clock: Date.now });

  const recordsSince = async (topic: Topic, start: Positions): Promise<LogRecord[]> => {
    const read: LogRecord[] = [];
    for (const { partition, offset } of partitionsOf(start, topic)) {
      for (let from = offset; ; from += STEP) {
        const some = await log.read(topic, partition, from, STEP);
        read.push(...some);
        if (some.length < STEP) break;
      }
    }
    return read;
  };

  const decoded = async (records: readonly LogRecord[]): Promise<Event[]> => {
    const events: Event[] = [];
    for (const record of records) {
      const one = await decode(record);
      if (one.kind !== 'events') throw new Error(`a record is ${one.kind}`);
      events.push(...one.events);
    }
    return events;
  };

  const pass = async (from: number): Promise<Stages> => {
    const stages: Stage[] = [];
    const made = requests(conversation, from);
    const bytes = made.map(({ body }) => Buffer.from(body));
    const bodies: IngestBody[] = [];
    const turns = (): { at: number; turn: IngestBody['turns'][number] }[] =>
      bodies.flatMap((body, at) => body.turns.map(turn => ({ at, turn })));

    const parsed: unknown[] = [];
    await timed(stages, 'parse', () => {
      for (const each of bytes) parsed.push(JSON.parse(each.toString()));
    });
    await timed(stages, 'validate', () => {
      for (const each of parsed) {
        const checked = checkIngest(each);
        if (!checked.ok) throw new Error('a generated body is not valid');
        bodies.push(checked.value);
      }
    });
    const all = turns();
    const counts: number[] = [];
    await timed(stages, 'count tokens', () => {
      for (const { turn } of all) counts.push(countTokens(turn.text));
    });

    const sessionKeys: SessionKey[] = [];
    for (const { scope } of made)
      sessionKeys.push(await keys.forSession(scope.org, scope.user, scope.session));
    const ids: string[] = [];
    await timed(stages, 'identify', () => {
      for (const { at, turn } of all) {
        const { role, text, timestamp } = turn;
        const content = { ...made[at]!.scope, role, text, timestamp: parseInstant(timestamp)! };
        ids.push(turnId(sessionKeys[at]!.identity, content));
      }
    });

    const drafts = made.map(({ scope }, at): Draft => {
      const first = at * TURNS_OF_A_REQUEST;
      const fresh = bodies[at]!.turns.map(({ role, text, timestamp }, i) => ({
        id: ids[first + i]!,
        role,
        text,
        timestamp: parseInstant(timestamp)!,
        tokens: counts[first + i]!,
        observations: [],
        active: true,
        passive: true,
        recordedAt: Date.now(),
      }));
      const write = {
        user_id: scope.user,
        session_id: scope.session,
        job_id: `job_${String(from + first).padStart(32, '0')}`,
        turn_ids: fresh.map(({ id }) => id),
        options: { write_active: true, write_passive: true },
        metadata: null,
      };
      return { scope, write, fresh, attempt: 'bench', correlationId: 'bench', recordedAt: Date.now() };
    });
    const records: NewRecord[][] = [];
    await timed(stages, 'seal', async () => {
      for (const [at, draft] of drafts.entries())
        records.push((await writeRecords(draft, sessionKeys[at]!)).map(({ record }) => record));
    });

    // Measures compression and cipher alone, of bodies as long as those above: the saving without them.
    const sealing: Stage[] = [];
    await timed(sealing, 'sealing', () => {
      for (const [at, draft] of drafts.entries())
        seal(sessionKeys[at]!.sealing, packBody(draft.fresh), Buffer.from(ids[at]!));
    });
    const ingestion = stages.reduce((total, { microseconds }) => total + microseconds, 0);

    const start = await log.ends();
    await timed(stages, 'append', async () => {
      let next = 0;
      const one = async (): Promise<void> => {
        for (let at = next++; at < made.length; at = next++) {
          await log.append(records[at]!);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, one));
    });

    const read: LogRecord[] = [];
    await timed(stages, 'project: read', async () => {
      read.push(...(await recordsSince('turns', start)));
    });
    const events: Event[] = [];
    await timed(stages, 'project: decode', async () => {
      events.push(...(await decoded(read)));
    });
    const batches: ProjectedBatch[] = [];
    await timed(stages, 'project: analyse', () => {
      for (let i = 0; i < events.length; i += STEP) batches.push(folded(folds, events.slice(i, i + STEP)));
    });
    await timed(stages, 'project: apply', async () => {
      for (const batch of batches) await store.apply(batch);
    });

    const found: NewRecord[] = [];
    await timed(stages, 'enrich: extract and seal', async () => {
      found.push(...(await enrich(read, new AbortController().signal)).records);
    });
    await log.append(found);
    await timed(stages, 'enrich: project', async () => {
      const observed = await decoded(await recordsSince('observations', start));
      for (let i = 0; i < observed.length; i += STEP)
        await store.apply(folded(folds, observed.slice(i, i + STEP)));
    });
    const appended = stages.find(({ name }) => name === 'append')!.microseconds;
    return { stages, sealing: sealing[0]!.microseconds, ingestion: ingestion + appended };
  };

  try {
    await pass(0);
    return await pass(TURNS);
  } finally {
    await store.close();
    await keys.close();
    await log.close();
    await writer.close();
  }
};

const folded = (
  folds: {
    recall: (event: Event) => ProjectedBatch['recall'];
    usage: (event: Event) => ProjectedBatch['usage'];
  },
  events: readonly Event[],
): ProjectedBatch => ({
  recall: events.flatMap(folds.recall),
  usage: events.flatMap(folds.usage),
  accounts: [],
  audit: [],
  activity: events.flatMap(projectActivity),
  logged: [],
  positions: {},
});
