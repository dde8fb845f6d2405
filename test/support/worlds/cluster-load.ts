/** Load over several API processes, kept call by call, so that it can be held against the log afterwards. */
import { randomUUID } from 'node:crypto';
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import type { RecallAnswer } from '../../../schemas/http/recall.ts';
import { pause } from '../wait.ts';
import { sentence } from './builders.ts';

/** One HTTP request. `broken`: no answer came; whether it did anything is for the log to say. */
export interface Attempt {
  correlationId: string;
  outcome: 'answered' | 'refused' | 'broken';
  status?: number;
  usage?: { tokens_in: number; tokens_out: number };
}

/** A call that is tried until it is answered: the same body each time. */
export interface KeptCall<Answer> {
  attempts: Attempt[];
  answer?: Answer;
  /** Milliseconds from the first attempt to the answer. */
  ms: number;
  /** Milliseconds from the first refusal to the answer. */
  refusedMs: number;
}

export interface KeptWrite extends KeptCall<IngestAnswer> {
  user: string;
  session: string;
  texts: string[];
}

export interface Kept {
  writes: KeptWrite[];
  recalls: KeptCall<RecallAnswer>[];
  /** Answers with another status than success, 429 or 503: there must be none. */
  faults: string[];
}

export interface Load {
  /** How many writes were answered so far. */
  written(): number;
  /** How many attempts had no answer so far. */
  refused(): number;
  /** Finishes the calls under way. */
  stop(): Promise<Kept>;
}

interface LoadOptions {
  /** Where to send to, asked anew for every attempt: processes come and go. */
  urls: () => readonly string[];
  token: string;
  workers: number;
  /** Milliseconds between two calls of a worker. */
  pauseMs?: number;
}

const USERS = ['ada', 'grace', 'edsger', 'barbara'];
const TURNS = 3;
const RETRY_MS = 100;
/** An answer that takes longer is no answer. */
const PATIENCE_MS = 30_000;

/** `n`: its number in the whole run; texts are told apart by it. */
const bodyOf = (n: number) => {
  const user = USERS[n % USERS.length]!;
  const session = `session-${n % 12}`;
  const texts = Array.from({ length: TURNS }, (_, i) => sentence(TURNS * n + i));
  const turns = texts.map((text, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    text,
    timestamp: new Date(Date.now() - 60_000 + i).toISOString(),
  }));
  return {
    user,
    session,
    texts,
    body: { scope: { org_id: 'acme', user_id: user, session_id: session }, turns },
  };
};

export const startLoad = ({ urls, token, workers, pauseMs = 100 }: LoadOptions): Load => {
  const kept: Kept = { writes: [], recalls: [], faults: [] };
  let stopping = false;
  let number = 0;
  let written = 0;
  let refused = 0;

  const attempt = async <Answer>(
    url: string,
    path: string,
    body: unknown,
  ): Promise<Attempt & { body?: Answer }> => {
    const correlationId = randomUUID();
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'x-correlation-id': correlationId,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const answer = (await response.json()) as Answer & { usage: Attempt['usage']; message?: string };
      const { status } = response;
      if (status === 503 || status === 429) return { correlationId, outcome: 'refused', status };
      if (status >= 300) {
        kept.faults.push(`${path} ${status} ${answer.message}`);
        return { correlationId, outcome: 'refused', status };
      }
      return { correlationId, outcome: 'answered', status, usage: answer.usage, body: answer };
    } catch {
      return { correlationId, outcome: 'broken' };
    }
  };

  /** Tries until there is an answer, on another server each time. */
  const call = async <Answer>(record: KeptCall<Answer>, path: string, body: unknown): Promise<void> => {
    const started = performance.now();
    let refusedSince: number | undefined;
    for (let turn = number; ; turn++) {
      const targets = urls();
      const { body: answer, ...one } = await attempt<Answer>(targets[turn % targets.length]!, path, body);
      record.attempts.push(one);
      const now = performance.now();
      if (one.outcome === 'answered') {
        if (refusedSince !== undefined) record.refusedMs = now - refusedSince;
        record.answer = answer!;
        record.ms = now - started;
        return;
      }
      refused++;
      refusedSince ??= now;
      await pause(RETRY_MS);
    }
  };

  const worker = async (): Promise<void> => {
    while (!stopping) {
      const n = number++;
      const { body, ...about } = bodyOf(n);
      const write: KeptWrite = { ...about, attempts: [], ms: 0, refusedMs: 0 };
      kept.writes.push(write);
      await call(write, '/ingestion/memory', body);
      written++;
      if (n % 5 === 0) {
        const recall: KeptCall<RecallAnswer> = { attempts: [], ms: 0, refusedMs: 0 };
        kept.recalls.push(recall);
        await call(recall, '/recall', {
          scope: { org_id: 'acme', user_id: about.user },
          q: about.texts[0],
          top_k: 5,
          kinds: ['turn'],
        });
        // Read your writes: what was just said is the best answer to itself.
        const ids = recall.answer!.hits.turns.map(hit => hit.id);
        const own = write.answer!.active_fragment_ids[0]!;
        if (!ids.includes(own)) kept.faults.push(`a recall after its 202 did not see write ${n}`);
        if (new Set(ids).size < ids.length) kept.faults.push(`a recall named a turn twice (write ${n})`);
      }
      await pause(pauseMs);
    }
  };

  const running = Promise.all(Array.from({ length: workers }, worker));
  return {
    written: () => written,
    refused: () => refused,
    stop: async () => {
      stopping = true;
      await running;
      return kept;
    },
  };
};
