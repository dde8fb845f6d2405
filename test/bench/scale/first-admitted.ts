/** How long after a Redis that was killed a write is admitted again: with its data, and without. */
import { randomUUID } from 'node:crypto';
import { accessToken } from '../../support/client.ts';
import type { OwnRedis } from '../../support/redis-server.ts';
import { pause } from '../load.ts';

const BETWEEN_MS = 20;
/** An answer that takes longer is none. */
const PATIENCE_MS = 10_000;
const MOST_SECONDS = 300;

export interface Outage {
  /** From the start of Redis' process until it answers: by then it has read its file. */
  answersSeconds: number;
  /** From the start of Redis' process until a write was answered with 202. */
  admittedSeconds: number;
}

interface Api {
  url: string;
  token: string;
}

const write = async ({ url, token }: Api): Promise<number> => {
  const turn = { role: 'user', text: randomUUID(), timestamp: new Date().toISOString() };
  const body = { scope: { org_id: 'acme', user_id: 'ada', session_id: 'outage' }, turns: [turn] };
  try {
    const response = await fetch(`${url}/ingestion/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};

const untilAdmitted = async (api: Api): Promise<void> => {
  const limit = performance.now() + MOST_SECONDS * 1_000;
  for (let status = await write(api); status !== 202; status = await write(api)) {
    if (status !== 503 && status !== 0) throw new Error(`a write was answered with ${status}`);
    if (performance.now() > limit) throw new Error(`no write was admitted within ${MOST_SECONDS} s`);
    await pause(BETWEEN_MS);
  }
};

/** `lose`: what becomes of Redis' files before it starts again. */
export const measureOutage = async (
  url: string,
  apiKey: string,
  redis: OwnRedis,
  lose: () => void,
): Promise<Outage> => {
  const api = { url, token: await accessToken(url, apiKey) };
  await untilAdmitted(api);
  // What was just written is in its file: it is synced each second.
  await pause(2_000);
  await redis.crash();
  lose();
  const started = performance.now();
  const since = (): number => (performance.now() - started) / 1_000;
  const admitted = untilAdmitted(api).then(since);
  await redis.start();
  const answersSeconds = since();
  return { answersSeconds, admittedSeconds: await admitted };
};
