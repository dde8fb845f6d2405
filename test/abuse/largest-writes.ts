/** The largest writes that the contract takes, each near the limit of a body and none a repetition. */
import { expect } from 'vitest';
import type { IngestBody } from '../../schemas/http/ingestion.ts';
import { residentBytes } from '../../tools/bench/load/process.ts';
import { accessToken, inParallel, settled } from '../support/http/client.ts';
import { isLong } from '../support/long.ts';
import type { Server } from '../support/processes/server.ts';
import { pause } from '../support/wait.ts';

type Turns = IngestBody['turns'];

/** Four bytes of UTF-8, two units of UTF-16. */
const ASTRAL = '𝔘';
const BODY_BYTES = 4 * 1024 * 1024;
const TEXT = 65_536;
const OBSERVATION = 4_096;

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();

/** A text of exactly `length` characters that begins with `head`. */
const filled = (head: string, character: string, length: number): string =>
  head + character.repeat(length - head.length);

/** Three turns of one token, with as many and as long observations as there may be. */
const observations = (n: number): Turns =>
  Array.from({ length: 3 }, (_, turn) => ({
    role: 'user',
    text: `${n % 10}`,
    timestamp: at(n * 3 + turn),
    observations: Array.from({ length: 64 }, (_, i) => filled(`w${n} t${turn} o${i} `, ASTRAL, OBSERVATION)),
  }));

/** As many turns of the longest text as fit. */
const texts =
  (character: string) =>
  (n: number): Turns => {
    const bytes = Buffer.byteLength(character) * TEXT + 200;
    return Array.from({ length: Math.min(1_000, Math.floor(BODY_BYTES / bytes)) }, (_, turn) => ({
      role: 'user',
      text: filled(`w${n} t${turn} `, character, TEXT),
      timestamp: at(n * 100 + turn),
    }));
  };

/** Many turns of many different words. */
const words = (n: number): Turns =>
  Array.from({ length: 60 }, (_, turn) => {
    let text = '';
    for (let i = 0; text.length < TEXT - 40; i++) text += `Word${n}x${turn}x${i.toString(36)} Said it. `;
    return { role: 'user', text, timestamp: at(n * 100 + turn) };
  });

export const FORMS = {
  observations,
  'astral texts': texts(ASTRAL),
  'one long word': texts('a'),
  'one long name': texts('A'),
  'only punctuation': texts('.'),
  'many names': words,
} as const;

export type Form = keyof typeof FORMS;

/** The body of the nth write of a form, with as much metadata as there may be. */
export const largestWrite = (form: Form, n: number): string =>
  JSON.stringify({
    scope: { org_id: 'any', user_id: `hostile-${n % 5}` },
    turns: FORMS[form](n),
    metadata: { note: `${n} ${'m'.repeat(16_000)}` },
  });

// ---- who sends them

const CONNECTIONS = 8;
/** After so many that were taken the attack is over, however long a machine takes for them. */
const TAKEN = isLong ? 400 : 24;
/** Far more than it takes: a core may be somebody else's. */
const SETTLED_WITHIN_MS = isLong ? 600_000 : 200_000;
const MOST_RESIDENT = 1024 ** 3;

/** Asks until it is told to stop; returns what it was told beside 200. */
const watchReadiness = (server: Server): { stop(): Promise<string[]> } => {
  let stopped = false;
  const answers: string[] = [];
  const loop = (async () => {
    while (!stopped) {
      const response = await fetch(`${server.url}/readyz`);
      const text = await response.text();
      if (response.status !== 200) answers.push(`${response.status} ${text}`);
      await pause(200);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return answers;
    },
  };
};

interface Attack {
  /** Answers by status, and those that no client could act on. */
  statuses: Map<number, number>;
  odd: string[];
}

/** Connections that send the largest writes as fast as they can. */
const attack = async (server: Server, apiKey: string, form: Form): Promise<Attack> => {
  const statuses = new Map<number, number>();
  const odd: string[] = [];
  const token = await accessToken(server.url, apiKey);
  await inParallel(1_000_000, CONNECTIONS, async n => {
    if ((statuses.get(202) ?? 0) >= TAKEN) return;
    const response = await fetch(`${server.url}/ingestion/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: largestWrite(form, n),
    });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const isRefusal = response.status === 503 && Number(response.headers.get('retry-after')) > 0;
    if (response.status !== 202 && !isRefusal) odd.push(`${response.status} ${text.slice(0, 300)}`);
    // As the answer asks for, or the client's own processor would be what is measured.
    if (isRefusal) await pause(500);
  });
  return { statuses, odd };
};

const expectSmall = (server: Server): void => {
  const resident = residentBytes(server.child.pid!);
  if (resident) expect(resident.most).toBeLessThan(MOST_RESIDENT);
};

/**
 * Nobody else may notice: the server stays ready and small, takes writes or refuses them early, and indexes
 * them all.
 */
export const withstandsLargestWrites = async (server: Server, apiKey: string, form: Form): Promise<void> => {
  const readiness = watchReadiness(server);
  const { statuses, odd } = await attack(server, apiKey, form);
  expect(odd).toEqual([]);
  expect(statuses.get(202)).toBeGreaterThanOrEqual(TAKEN);
  await settled(server.url, SETTLED_WITHIN_MS);
  expect(await readiness.stop()).toEqual([]);
  expectSmall(server);
};

/** After a restart: it is ready once it has caught up, and small. */
export const isReadyAgain = async (server: Server): Promise<void> => {
  await settled(server.url, SETTLED_WITHIN_MS);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expectSmall(server);
};
