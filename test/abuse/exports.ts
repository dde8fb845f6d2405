/** Exports of an organization with much in the log beside others, on either set of engines. */
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { type Client, inParallel, settled } from '../support/http/client.ts';
import { cpuSeconds } from '../support/processes/cpu-time.ts';
import { pause, until } from '../support/wait.ts';
import { sentence } from '../support/worlds/builders.ts';
import { signUp } from '../support/worlds/newcomers.ts';

const TURNS = 6_000;
const AT_ONCE = 1_000;

/** Turns of several sessions, so that they are in every partition. */
const fill = (client: Client): Promise<void> =>
  inParallel(TURNS / AT_ONCE, 2, async w => {
    const turns = Array.from({ length: AT_ONCE }, (_, i) => ({
      role: 'user',
      text: `${sentence(w * AT_ONCE + i)} ${i}`,
      timestamp: new Date(Date.UTC(2026, 2, 1) + i * 1_000).toISOString(),
    }));
    await client.ingest({ scope: { user_id: `user${w}`, session_id: `s${w}` }, turns });
  });

const summaryOf = (text: string): { lines: number; events: number } => {
  const lines = text.trim().split('\n');
  return { lines: lines.length, events: JSON.parse(lines.at(-1)!).events };
};

const exported = async (url: string, token: string): Promise<string> => {
  const answer = await fetch(`${url}/export`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return answer.text();
};

/** An export whose client reads nothing: its status, and how to leave. */
const unread = (
  url: string,
  token: string,
  agent: Agent,
): Promise<{ status: number; retryAfter: number; leave(): void }> =>
  new Promise((resolve, reject) => {
    const request = get(
      `${url}/export`,
      { agent, headers: { authorization: `Bearer ${token}` } },
      (answer: IncomingMessage) => {
        answer.pause();
        answer.on('error', () => {});
        const retryAfter = Number(answer.headers['retry-after'] ?? 0);
        resolve({ status: answer.statusCode!, retryAfter, leave: () => void request.destroy() });
      },
    );
    request.on('error', reject);
  });

/** `pid`: the process that answers; `big`: the client of the organization that fills the log. */
export const checkExports = async (
  { url, pid, isEnriched }: { url: string; pid: number; isEnriched: boolean },
  big: { client: Client; token: string },
): Promise<void> => {
  await fill(big.client);
  if (isEnriched) await settled(url, 120_000);
  const late = await signUp(url, 'late');
  await late.client.ingest({
    turns: [{ role: 'user', text: 'I came last.', timestamp: '2026-03-01T08:00:00Z' }],
  });
  await exported(url, late.token);

  // Events that others wrote before the organization began cost its exports nothing.
  const before = cpuSeconds(pid);
  const text = await exported(url, late.token);
  for (let i = 1; i < 10; i++) await exported(url, late.token);
  expect(summaryOf(text).events).toBeGreaterThan(1);
  expect(cpuSeconds(pid) - before, 'CPU time of ten exports').toBeLessThan(0.4);

  // Those who don't read what they asked for hold half of the places, and none of another.
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const open = await Promise.all(Array.from({ length: 20 }, () => unread(url, big.token, agent)));
  try {
    const refused = open.filter(({ status }) => status !== 200);
    expect(refused.length).toBe(12);
    for (const { status, retryAfter } of refused) expect([status, retryAfter > 0]).toEqual([429, true]);
    expect(summaryOf(await exported(url, late.token)).events).toBeGreaterThan(1);
  } finally {
    for (const { leave } of open) leave();
  }
  await until('the places are free again', async () => {
    const one = await unread(url, big.token, agent);
    one.leave();
    return one.status === 200;
  });

  // While all of it is exported, again and again, others are answered as ever.
  const alone = await latencies(late.client, 60);
  let isOver = false;
  let exports = 0;
  const running = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { lines, events } = summaryOf(await exported(url, big.token));
      expect(lines).toBe(events + 2);
      exports++;
    }
  });
  const beside = await latencies(late.client, 120);
  isOver = true;
  await Promise.all(running);
  expect(exports).toBeGreaterThan(0);
  expect(beside, `alone ${alone} ms`).toBeLessThan(5 * Math.max(alone, 10));
};

/** The 95th percentile of recalls, milliseconds. */
const latencies = async (client: Client, count: number): Promise<number> => {
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await client.recall({ q: 'Who came last?' });
    all.push(performance.now() - started);
    await pause(10);
  }
  all.sort((a, b) => a - b);
  return all[Math.floor(all.length * 0.95)]!;
};
