/** A client of the HTTP contract, for tests that look at the service from outside. */
import type { IngestAnswer, IngestBody, JobAnswer } from '../../../schemas/http/ingestion.ts';
import type { RecallAnswer, RecallBody } from '../../../schemas/http/recall.ts';
import type { UsageTotals } from '../../../schemas/http/usage.ts';
import { pause, until } from '../wait.ts';

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

type Write = Omit<IngestBody, 'scope'> & { scope?: Partial<IngestBody['scope']> };
type Query = Omit<RecallBody, 'scope'> & { scope?: Partial<RecallBody['scope']> };
type Today = UsageTotals & { start: string; end: string; limits: UsageTotals };

/** An answer that is compared with one of another moment. */
export const withoutFreshness = <A extends { freshness: unknown }>({
  freshness: _,
  ...answer
}: A): Omit<A, 'freshness'> => answer;

export interface Client {
  request<T>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  /** Each throws when the status isn't the one of success. */
  ingest(write: Write): Promise<IngestAnswer>;
  recall(query: Query): Promise<RecallAnswer>;
  job(id: string): Promise<JobAnswer>;
  today(): Promise<Today>;
  month(month: string): Promise<UsageTotals>;
}

/**
 * Returns the body of an answer that has this status, and throws otherwise: every read and write here is
 * checked so first.
 */
export const expectStatus = <T>(answer: Answer<T>, status: number): T => {
  if (answer.status !== status) {
    throw new Error(`status ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
};

export const send = async <T>(
  url: string,
  method: string,
  body?: unknown,
  token?: string,
): Promise<Answer<T>> => {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
};

/**
 * As the contract's guidance for clients has it, and some more: a machine with much to do has engines that
 * are late.
 */
const EXCHANGES = 5;

/** Exchanges the key for a token. */
export const accessToken = async (url: string, apiKey: string): Promise<string> => {
  for (let exchange = 1; ; exchange++) {
    const answer = await send<{ access_token: string }>(`${url}/auth/token-exchange`, 'POST', {
      api_key: apiKey,
    });
    if (answer.status !== 503 || exchange === EXCHANGES) return expectStatus(answer, 200).access_token;
    await pause(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
};

/** A client of one key's organization. */
export const connect = async (
  { url, apiKey }: { url: string; apiKey: string },
  token?: string,
): Promise<Client> => {
  const bearer = token ?? (await accessToken(url, apiKey));
  const request: Client['request'] = (method, path, body) => send(url + path, method, body, bearer);
  const scoped = <T extends { scope?: object }>(body: T) => ({
    ...body,
    scope: { org_id: 'any', ...body.scope },
  });
  const get = async <T>(path: string): Promise<T> => expectStatus(await request<T>('GET', path), 200);
  return {
    request,
    ingest: async write => expectStatus(await request('POST', '/ingestion/memory', scoped(write)), 202),
    recall: async query => expectStatus(await request('POST', '/recall', scoped(query)), 200),
    job: id => get(`/ingestion/jobs/${id}`),
    today: () => get('/usage/today'),
    month: month => get(`/usage/summary?month=${month}`),
  };
};

/** The value of a metric without labels. */
export const metric = async (url: string, name: string): Promise<number> => {
  const { body } = await send<string>(`${url}/metrics`, 'GET');
  const line = body.split('\n').find(each => each.startsWith(`${name} `));
  if (!line) throw new Error(`no metric ${name}`);
  return Number(line.slice(name.length + 1));
};

/** For as long the service takes its metrics, and the log's ends in them, for what they were. */
const ONE_SCRAPE_MS = 370;

/** Until projector and enricher have handled all that the log holds. */
export const settled = (url: string, ms?: number): Promise<void> =>
  until(
    'projector and enricher have caught up with the log',
    async () => {
      // The enricher's first: what it appends is the projector's to do.
      for (const name of ['turnstone_enricher_lag_events', 'turnstone_projector_lag_events']) {
        const lag = await metric(url, name);
        if (lag !== 0) throw new Error(`${name} is ${lag}`);
        await pause(ONE_SCRAPE_MS);
      }
      return true;
    },
    ms,
  );

/** `of` things by `workers` loops at once, in order of their numbers. */
export const inParallel = async (
  of: number,
  workers: number,
  work: (i: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < of) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, loop));
};
