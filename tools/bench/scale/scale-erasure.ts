/** Measures the erasure of a user with many sessions, from the call to its receipt, in each mode. */

import type { SharedLog } from '../../../core/ports.ts';
import type { ErasureAnswer } from '../../../schemas/http/erasure.ts';
import { accessToken } from '../../../test/support/http/client.ts';
import type { Conversation } from '../load/conversation.ts';
import { pause, saturate } from '../load/load.ts';
import { request } from '../load/load-connection.ts';
import { CONNECTIONS } from '../load/load-ingestion.ts';
import { startService } from '../load/service.ts';
import { recordsOfWrite } from '../load/written.ts';
import { secondsUntilZero } from '../measure/read-metrics.ts';
import { LARGE, type MadeSession, SESSIONS_OF_LARGE } from './scale-sessions.ts';

const APPENDED = 2_000;
/** Turns of a user with distinct times: more of them would be dated ahead. */
const TIMES = 10_000;
const DRAIN_SECONDS = 300;
const LAGS = ['turnstone_tail_events', 'turnstone_enricher_lag_events', 'turnstone_projector_lag_events'];

export interface Erasure {
  seconds: number;
  /** Calls until one was answered with a receipt. */
  calls: number;
  erased: ErasureAnswer['erased'];
}

/** Repeats the call, as the answer asks, until it has a receipt. */
const eraseUser = async (
  { url, token }: { url: string; token: string },
  org: string,
  user: string,
): Promise<Erasure> => {
  const started = performance.now();
  for (let calls = 1; ; calls++) {
    const response = await fetch(`${url}/memory`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ scope: { org_id: org, user_id: user } }),
    });
    const answer = (await response.json()) as ErasureAnswer;
    const seconds = (performance.now() - started) / 1_000;
    if (response.status === 200) return { seconds, calls, erased: answer.erased };
    if (response.status !== 503) throw new Error(`an erasure was answered with ${response.status}`);
    await pause(1_000 * Number(response.headers.get('retry-after')));
  }
};

/** Appends one turn to each of these sessions, as a write of its own. */
export const appendTurns = async (
  log: Pick<SharedLog, 'append'>,
  sessions: readonly MadeSession[],
  conversation: Conversation,
): Promise<void> => {
  for (let at = 0; at < sessions.length; at += APPENDED) {
    const page = sessions.slice(at, at + APPENDED);
    const records = await Promise.all(
      page.map(({ scope, key }, i) =>
        recordsOfWrite(scope, conversation.body(scope, (at + i) % TIMES, 1), key),
      ),
    );
    await log.append(records.flat().map(({ record }) => record));
  }
};

export const measureClusterErasure = async (api: { url: string }, apiKey: string): Promise<Erasure> => {
  const token = await accessToken(api.url, apiKey);
  return eraseUser({ url: api.url, token }, LARGE.org, LARGE.user);
};

/** Measures the mode `embedded`: calls write the sessions, which are then enriched. */
export const measureEmbeddedErasure = async (
  conversation: Conversation,
  say: (line: string) => void,
): Promise<Erasure> => {
  const server = await startService();
  try {
    say(`writing ${SESSIONS_OF_LARGE} sessions into a data folder`);
    let sent = 0;
    const next = (): string => {
      const scope = { user: LARGE.user, session: `session-${sent}` };
      return request('POST', '/ingestion/memory', server.token, conversation.body(scope, sent++ % TIMES, 1));
    };
    const until = (): boolean => sent >= SESSIONS_OF_LARGE;
    await saturate({ url: server.url, connections: CONNECTIONS, next, until });
    if (!Number.isFinite(await secondsUntilZero(server.url, LAGS, DRAIN_SECONDS)))
      throw new Error('the projections do not catch up');
    say('erasing them');
    return await eraseUser(server, 'local', LARGE.user);
  } finally {
    await server.stop();
  }
};
