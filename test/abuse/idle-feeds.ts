/** 1,000 idle streams of one organization beside another that writes, on either set of engines. */
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { Client } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { cpuSeconds } from '../support/processes/cpu-time.ts';
import { pause, until } from '../support/wait.ts';
import { sentence } from '../support/worlds/builders.ts';
import { signUp } from '../support/worlds/newcomers.ts';

const STREAMS = 1_000;
const WINDOW_MS = rounds(3_000, 10_000);
const WRITES_A_SECOND = 20;

interface Stream {
  text: string;
  end(): void;
}

/** Resolves when the stream has begun. */
const openStream = (url: string, token: string, agent: Agent): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = get(`${url}/events?after=now`, { agent, headers }, (response: IncomingMessage) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      const stream: Stream = { text: '', end: () => void request.destroy() };
      response.setEncoding('utf8').on('data', (text: string) => {
        stream.text += text;
        resolve(stream);
      });
      response.on('error', () => {});
    });
    request.on('error', reject);
  });

const writing = async (writer: Client, ms: number, first: number): Promise<void> => {
  const end = performance.now() + ms;
  for (let n = first; performance.now() < end; n++) {
    const started = performance.now();
    await writer.ingest({
      turns: [{ role: 'user', text: `${sentence(n)} ${n}`, timestamp: '2026-03-01T08:00:00Z' }],
    });
    await pause(Math.max(0, 1_000 / WRITES_A_SECOND - (performance.now() - started)));
  }
};

/** `pid`: the process that answers; sign-up is open. `searches`: how many the shared index has had so far. */
export const checkIdleFeeds = async (
  { url, pid }: { url: string; pid: number },
  searches = async (): Promise<number> => 0,
): Promise<void> => {
  const { client: idle, token } = await signUp(url, 'idle');
  const { client: writer } = await signUp(url, 'writer');
  const during = async (work: Promise<void>): Promise<number> => {
    const before = cpuSeconds(pid);
    await work;
    return cpuSeconds(pid) - before;
  };
  // Warm first: code is compiled, caches are filled.
  await writing(writer, WINDOW_MS, 0);
  const ofWrites = await during(writing(writer, WINDOW_MS, 10_000));

  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const streams: Stream[] = [];
  try {
    while (streams.length < STREAMS)
      streams.push(...(await Promise.all(Array.from({ length: 50 }, () => openStream(url, token, agent)))));
    // Their cost is in each window; what opening them left to do is not.
    const windows: number[] = [];
    for (let i = 0; i < 3; i++) windows.push(await during(pause(WINDOW_MS)));
    const ofStreams = Math.min(...windows);
    const searched = await searches();
    const ofBoth = await during(writing(writer, WINDOW_MS, 20_000));
    const message = `writes ${ofWrites} s, streams ${ofStreams} s, both ${ofBoth} s of CPU time`;
    // Open streams cost a check of each token and a beat now and then.
    expect(ofStreams, message).toBeLessThan((WINDOW_MS / 1_000) * 0.3);
    expect(ofBoth, message).toBeLessThan((ofWrites + ofStreams) * 1.25 + 0.3);

    // One question a look, and some of the writers.
    expect((await searches()) - searched).toBeLessThan(WINDOW_MS / 20);

    // They are idle, not asleep: each is sent what its organization writes, once, and no other's.
    const { active_fragment_ids: ids } = await idle.ingest({
      turns: [{ role: 'user', text: 'Wake up.', timestamp: '2026-03-01T08:00:00Z' }],
    });
    const sent = (stream: Stream): string[] =>
      [...stream.text.matchAll(/"id":"(trn_\w+)"/g)].map(([, id]) => id!);
    await until(
      'every stream was sent the turn',
      () => streams.every(stream => sent(stream).length > 0),
      20_000,
    );
    for (const stream of streams) expect(sent(stream)).toEqual(ids);
  } finally {
    for (const stream of streams) stream.end();
    agent.destroy();
  }
};
