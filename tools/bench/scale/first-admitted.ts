/** Measures how long after Redis is killed a write is admitted again: with its data, and without. */
import { randomUUID } from 'node:crypto';
import type { OwnRedis } from '../../../test/support/engines/redis-server.ts';
import { accessToken } from '../../../test/support/http/client.ts';
import { pause } from '../load/load.ts';

const BETWEEN_MS = 20;
/** A longer wait counts as no answer. */
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

/** Measures an outage. `lose` is called before Redis starts again, and may remove its files. */
export const measureOutage = async (
  url: string,
  apiKey: string,
  redis: OwnRedis,
  lose: () => void,
): Promise<Outage> => {
  const api = { url, token: await accessToken(url, apiKey) };
  await untilAdmitted(api);
  // Waits until the last writes are in its file, which is synced each second.
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
