/** Where the microseconds of a turn go: the real functions of each stage, alone, in this process. */
import { readFileSync } from 'node:fs';
import { createProjectionsDatabase } from '../../infra/embedded/index/create-database.ts';
import { openProjectionStore } from '../../infra/embedded/index/projection-store.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { connectWriter, openEventLog } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { makeRulesExtractor, RULES_EXTRACTOR_VERSION } from '../../projections/extraction/extract.ts';
import { makeLanguage } from '../../projections/language/language.ts';
import { makeRecallProjection } from '../../projections/recall/fold.ts';
import { turnId } from '../../projections/recall/identity.ts';
import { projectUsage } from '../../projections/usage/projection.ts';
import { checkIngest, type IngestBody } from '../../schemas/http/ingestion.ts';
import { parseInstant } from '../../schemas/http/instant.ts';
import { type Event, encodeEvent, makeDecode } from '../../services/core/log/events.ts';
import { seal } from '../../services/core/log/sealing.ts';
import type { LogRecord, NewRecord, ProjectedBatch, SessionKey } from '../../services/core/ports.ts';
import { countTokens } from '../../services/core/tokens/count.ts';
import { installationOf } from '../support/installation-keys.ts';
import { temporaryFolder } from '../support/server.ts';
import { type Conversation, TURNS_OF_A_SESSION } from './conversation.ts';
import { CONNECTIONS, TURNS_OF_A_REQUEST } from './ingestion.ts';

const TURNS = 10_000;
/** Sessions are spread over this many partitions. */
const USERS = 20;
/** Records that the projector applies in one commit (services/workers/projector/projector.ts). */
const STEP = 256;
const JOB_ID = `job_${'0'.repeat(32)}`;

export interface Stage {
  name: string;
  /** CPU microseconds a turn. */
  microseconds: number;
}

export interface Stages {
  stages: Stage[];
  /** CPU microseconds a turn: of sealing, which is a part of the stage `seal`, and from parsing to the append. */
  sealing: number;
  ingestion: number;
}

interface Recorded {
  place: { org: string; user: string; session: string };
  body: string;
}

const requests = (conversation: Conversation, from: number): Recorded[] =>
  Array.from({ length: TURNS / TURNS_OF_A_REQUEST }, (_, i) => {
    const number = from / TURNS_OF_A_REQUEST + i;
    const first = number * TURNS_OF_A_REQUEST;
    const session = Math.floor(first / TURNS_OF_A_SESSION);
    const place = { user: `user-${session % USERS}`, session: `session-${session}` };
    return { place: { org: 'local', ...place }, body: conversation.body(place, first, TURNS_OF_A_REQUEST) };
  });

/** CPU of the whole process, so that a stage which hands work to another thread is charged for it. */
const timed = async (
  stages: Stage[] | undefined,
  name: string,
  work: () => unknown | Promise<unknown>,
): Promise<void> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  stages?.push({ name, microseconds: (user + system) / TURNS });
};

/** One pass over `TURNS` turns; the first one warms the compiler and the caches up and isn't told of. */
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
  const vectors = new URL('../../projections/language/static-vectors.bin', import.meta.url);
  const language = makeLanguage(new Uint8Array(readFileSync(vectors)));
  const store = openProjectionStore(createProjectionsDatabase(paths.projections), language.decodeDocument);
  const folds = { recall: makeRecallProjection(language), usage: projectUsage };
  const decode = makeDecode(keys);
  const extract = makeRulesExtractor();

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
    for (const { place } of made)
      sessionKeys.push(await keys.forSession(place.org, place.user, place.session));
    const ids: string[] = [];
    await timed(stages, 'identify', () => {
      for (const { at, turn } of all) {
        const { role, text, timestamp } = turn;
        const content = { ...made[at]!.place, role, text, timestamp: parseInstant(timestamp)! };
        ids.push(turnId(sessionKeys[at]!.identity, content));
      }
    });

    const records: NewRecord[] = [];
    const recordedAt = new Date().toISOString();
    await timed(stages, 'seal', () => {
      all.forEach(({ at, turn }, i) => {
        const { org, user, session } = made[at]!.place;
        const { role, text, timestamp } = turn;
        const data = { user_id: user, session_id: session, job_id: JOB_ID, role, text, timestamp };
        const rest = { active: true, passive: true, observations: [] };
        const event = {
          id: ids[i]!,
          type: 'turn.recorded',
          org_id: org,
          recorded_at: recordedAt,
          tokens: counts[i]!,
        };
        const value = encodeEvent(
          { ...event, correlation_id: 'bench', data: { ...data, ...rest } },
          sessionKeys[at],
        );
        records.push({ topic: 'turns', key: JSON.stringify([org, user, session]), value });
      });
    });

    // The cipher and its base64 alone, of texts as long as those above: what would be saved if nothing were sealed.
    const plain = all.map(({ turn }) =>
      JSON.stringify({ ...turn, job_id: JOB_ID, user_id: '', session_id: '' }),
    );
    const sealing: Stage[] = [];
    await timed(sealing, 'sealing', () => {
      all.forEach(({ at }, i) => {
        seal(sessionKeys[at]!.sealing, plain[i]!, ids[i]!).toString('base64');
      });
    });
    const ingestion = stages.reduce((total, { microseconds }) => total + microseconds, 0);

    const start = await log.ends();
    await timed(stages, 'append', async () => {
      let next = 0;
      const one = async (): Promise<void> => {
        for (let at = next++; at < made.length; at = next++) {
          await log.append(records.slice(at * TURNS_OF_A_REQUEST, (at + 1) * TURNS_OF_A_REQUEST));
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, one));
    });

    const read: LogRecord[] = [];
    await timed(stages, 'project: read', async () => {
      for (const [place, offset] of Object.entries(start)) {
        if (!place.startsWith('turns/')) continue;
        const partition = Number(place.split('/')[1]);
        for (let from = offset; ; from += STEP) {
          const some = await log.read('turns', partition, from, STEP);
          read.push(...some);
          if (some.length < STEP) break;
        }
      }
    });
    const events: Event[] = [];
    await timed(stages, 'project: decode', async () => {
      for (const record of read) {
        const decoded = await decode(record);
        if (decoded.kind !== 'events') throw new Error(`a record is ${decoded.kind}`);
        events.push(...decoded.events);
      }
    });
    const batches: ProjectedBatch[] = [];
    await timed(stages, 'project: analyse', () => {
      for (let i = 0; i < events.length; i += STEP) batches.push(folded(folds, events.slice(i, i + STEP)));
    });
    await timed(stages, 'project: apply', async () => {
      for (const batch of batches) await store.apply(batch);
    });

    const found: Event[] = [];
    await timed(stages, 'enrich: extract and seal', () => {
      for (const event of events) {
        const data = event.data as { role: string; text: string; timestamp: string };
        const extraction = extract({ ...data, timestamp: Date.parse(data.timestamp) });
        const made = observed(event, extraction);
        encodeEvent(made, sessionKeys[0]);
        found.push({ ...event, ...made });
      }
    });
    const enriched: ProjectedBatch[] = [];
    await timed(stages, 'enrich: project', async () => {
      for (let i = 0; i < found.length; i += STEP) enriched.push(folded(folds, found.slice(i, i + STEP)));
      for (const batch of enriched) await store.apply(batch);
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
  logged: [],
  positions: {},
});

const observed = (turn: Event, extraction: object) => {
  const { id, org_id, recorded_at, correlation_id } = turn;
  const { user_id, session_id, role, timestamp } = turn.data as Record<string, string>;
  const about = { user_id, session_id, turn_id: id, extractor: RULES_EXTRACTOR_VERSION, role, timestamp };
  return {
    id: `ext_${id.slice(4)}`,
    type: 'observations.extracted',
    org_id,
    recorded_at,
    correlation_id,
    data: { ...about, source: 'rules', ...extraction },
  };
};
