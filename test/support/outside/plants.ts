/** Faults between clients and service that the checker must find: each breaks one invariant, now and then. */
import { randomUUID } from 'node:crypto';
import type { Plant, Reply, Request, Send } from './calls.ts';

const isWrite = ({ path }: Request): boolean => path === '/ingestion/memory';
const isErasure = ({ method, path }: Request): boolean => method === 'DELETE' && path === '/memory';
const isRetraction = ({ method, path }: Request): boolean => method === 'DELETE' && path.includes('/turns/');

/** Changes every n-th request of a kind. */
const every = (n: number, is: (request: Request) => boolean, change: (send: Send) => Send): Plant => {
  let count = 0;
  return send => {
    const changed = change(send);
    return (url, request, id) => (is(request) && ++count % n === 0 ? changed : send)(url, request, id);
  };
};

type Write = { scope: { user_id: string; session_id: string }; turns: { text: string; timestamp: string }[] };

export const PLANTS = {
  /** It answers with ids, and keeps nothing. */
  'an acknowledged write is swallowed': every(9, isWrite, send => async (url, request, id) => {
    const reply = await send(url, request, id);
    const ids = (reply.body?.active_fragment_ids ?? []) as string[];
    for (const one of ids) await send(url, { method: 'DELETE', path: `/memory/turns/${one}` }, randomUUID());
    return reply;
  }),
  /** As a client that makes its keys anew for each attempt: the same words at another instant. */
  'a write is sent twice under other keys': every(9, isWrite, send => async (url, request, id) => {
    const body = request.body as Write;
    const turns = body.turns.map(turn => ({
      ...turn,
      timestamp: new Date(Date.parse(turn.timestamp) + 7).toISOString(),
    }));
    await send(url, { ...request, body: { ...body, turns } }, randomUUID());
    return send(url, request, id);
  }),
  'an erasure is answered and not done': every(2, isErasure, () => async () => ({
    status: 200,
    body: { erased: {} },
  })),
  'a retraction is answered and not done': every(2, isRetraction, () => async () => ({
    status: 204,
    body: undefined,
  })),
  'an answer tells other tokens than are billed': every(9, isWrite, send => async (url, request, id) => {
    const reply: Reply = await send(url, request, id);
    if (reply.body?.usage) reply.body.usage.tokens_in += 1;
    return reply;
  }),
  'a month is summed up wrongly': every(
    1,
    ({ path }) => path.startsWith('/usage/summary'),
    send =>
      async (...call) => {
        const reply = await send(...call);
        return { ...reply, body: { ...reply.body, tokens_in: reply.body.tokens_in + 5 } };
      },
  ),
} satisfies Record<string, Plant>;
