/** A service with the README's example, a long session and some usage, and a browser that looks at it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import { type Answer, accessToken, expectStatus, send } from '../../support/http/client.ts';
import { ROOT, type Server, startServer } from '../../support/processes/server.ts';
import { until } from '../../support/wait.ts';
import { type Browser, type Look, startBrowser, type Tab } from './browser.ts';

export const LONG_SESSION = { user: 'robin', session: 'a long one', turns: 10_000 };
const FIRST_SAID = Date.parse('2026-01-05T08:00:00Z');
const MINUTES_BETWEEN = 17;
const BATCH = 1_000;

const WORDS = [
  'We planted beans along the fence today.',
  'The kettle is broken again, Miriam will look at it on Friday.',
  'I read the second chapter twice, it says more about rivers than about people, and I liked how the ferryman answers every question with another one.',
  'Did you call the dentist?',
  'Yes. The appointment is on the 14th, at a quarter past nine.',
  'Good.',
  'The train to Porto was late, so we walked along the water and found a shop that sells nothing but maps.',
];

/** The nth turn: alternating speakers, words that tell their number. */
export const longTurn = (n: number): { role: string; text: string; timestamp: string } => ({
  role: n % 2 === 0 ? 'Robin' : 'assistant',
  text: `${WORDS[n % WORDS.length]} (${n})`,
  timestamp: new Date(FIRST_SAID + n * MINUTES_BETWEEN * 60_000).toISOString(),
});

export interface World {
  server: Server;
  browser: Browser;
  /** A call of the API with every role: a GET, or a POST of the body. */
  ask<T>(path: string, body?: unknown): Promise<Answer<T>>;
  /** Opens a page of the console, as `/ask`, in a tab that is signed in. */
  signedIn(path?: string, look?: Look): Promise<Tab>;
  close(): Promise<void>;
}

const enriched = async (url: string, token: string, job: string): Promise<void> => {
  await until('the turn is enriched', async () => {
    const { body } = await send<{ status: string }>(`${url}/ingestion/jobs/${job}`, 'GET', undefined, token);
    return body.status === 'done';
  });
};

/** With its facts and names: resolves when they are found. */
const ingestExample = async ({ url }: Server, token: string): Promise<void> => {
  const lines = readFileSync(join(ROOT, 'docs/example.jsonl'), 'utf8').trim().split('\n');
  for (const line of lines) {
    const { user_id, session_id, ...turn } = JSON.parse(line);
    const body = { scope: { org_id: 'local', user_id, session_id }, turns: [turn] };
    const stored = await send<IngestAnswer>(`${url}/ingestion/memory`, 'POST', body, token);
    await enriched(url, token, expectStatus(stored, 202).job_id);
  }
};

const ingestLong = async ({ url }: Server, token: string): Promise<void> => {
  for (let from = 0; from < LONG_SESSION.turns; from += BATCH) {
    const turns = Array.from({ length: BATCH }, (_, i) => longTurn(from + i));
    const scope = { org_id: 'local', user_id: LONG_SESSION.user, session_id: LONG_SESSION.session };
    const body = { scope, turns, options: { write_passive: from === 0 } };
    expectStatus(await send(`${url}/ingestion/memory`, 'POST', body, token), 202);
  }
};

export const signIn = async ({ page }: Tab, apiKey: string): Promise<void> => {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.page h1').waitFor();
};

interface Stored {
  /** The README's seven turns. */
  example?: boolean;
  /** The long session. */
  long?: boolean;
  environment?: Record<string, string>;
}

export const startWorld = async ({ example, long, environment = {} }: Stored): Promise<World> => {
  const server = await startServer({ environment });
  const token = await accessToken(server.url, server.apiKey);
  if (example) await ingestExample(server, token);
  if (long) await ingestLong(server, token);
  const browser = await startBrowser(server.url);
  return {
    server,
    browser,
    ask: (path, body) => send(`${server.url}${path}`, body === undefined ? 'GET' : 'POST', body, token),
    signedIn: async (path = '', look = {}) => {
      const tab = await browser.open(`${server.url}/console${path}`, look);
      await signIn(tab, server.apiKey);
      return tab;
    },
    close: async () => {
      await browser.close();
      await server.stop();
    },
  };
};
