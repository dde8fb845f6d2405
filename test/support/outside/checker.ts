/**
 * The invariants, when all is healed: what the clients were told is what is listed, found, in the log and
 * billed; the read models are the log's.
 */
import { type Decoded, makeDecode } from '../../../core/log/events.ts';
import { readPages } from '../../../core/log/read.ts';
import type { EventLog, KeyStore } from '../../../core/ports.ts';
import { drawing } from '../worlds/history.ts';
import type { Calls } from './calls.ts';
import { type History, listed, type Model, sessions } from './clients.ts';

interface Billed {
  tokens_in: number;
  tokens_out: number;
}

/** All that the log has: every distinct turn and every distinct recall, also of what was erased. */
interface FoldedLog {
  turns: Map<string, number>;
  recalls: Map<string, Billed & { correlationId: string }>;
}

export const foldLog = async (
  log: Pick<EventLog, 'read' | 'ends'>,
  keys: Pick<KeyStore, 'byId' | 'destroyKeys'>,
): Promise<FoldedLog> => {
  const decode = makeDecode(keys);
  const folded: FoldedLog = { turns: new Map(), recalls: new Map() };
  const add = ({ events }: Exclude<Decoded, { kind: 'poison' }>): void => {
    for (const { id, type, tokens, data, correlation_id: correlationId } of events) {
      if (type === 'turn.recorded' && !folded.turns.has(id)) folded.turns.set(id, tokens!);
      if (type === 'recall.metered') folded.recalls.set(id, { ...(data as Billed), correlationId });
    }
  };
  for await (const { records } of readPages(log, { topics: ['turns', 'usage'], to: await log.ends() }))
    for (const record of records) {
      const decoded = await decode(record);
      if (decoded.kind === 'poison') throw new Error(`${record.topic}/${record.offset} is ${decoded.reason}`);
      add(decoded);
    }
  return folded;
};

export interface CheckedService {
  calls: Calls;
  foldLog: () => Promise<FoldedLog>;
  /** Differences between read models and log, as `turnstone verify` names them. */
  verify: () => Promise<string[]>;
  /** Replays, and resolves when the new generation serves. */
  replay: () => Promise<void>;
  /** The months that the history has touched, as `2026-04`. */
  months: readonly string[];
}

/** Returns what is listed of every session, for a comparison. */
const readAll = async (calls: Calls, models: readonly Model[]): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  const draw = drawing(1);
  for (const { user } of models)
    for (const session of sessions()) {
      const shown = await listed(calls, draw, { user, session });
      found.set(`${user} ${session}`, typeof shown === 'number' ? [`status ${shown}`] : shown);
    }
  return found;
};

const sum = (values: Iterable<number>): number => [...values].reduce((total, one) => total + one, 0);

/** Returns the invariants that don't hold, a line each; none where all hold. */
export const violationsOf = async (
  { models, violations }: Pick<History, 'models' | 'violations'>,
  { calls, foldLog: fold, verify, replay, months }: CheckedService,
): Promise<string[]> => {
  const found = [...violations];
  const draw = drawing(2);

  // The bill is read before the recalls below are metered.
  const bill: Billed = { tokens_in: 0, tokens_out: 0 };
  for (const month of months) {
    const { body } = await calls.call(draw, { method: 'GET', path: `/usage/summary?month=${month}` });
    bill.tokens_in += body.tokens_in;
    bill.tokens_out += body.tokens_out;
  }
  const log = await fold();
  const turns = models.flatMap(({ writes }) => writes.flatMap(write => write.turns));
  const erased = new Set(models.flatMap(({ erasedIds }) => [...erasedIds]));
  const told = new Set([...turns.map(({ id }) => id), ...erased]);
  for (const id of told)
    if (!log.turns.has(id)) found.push(`lost: ${id} was acknowledged, and the log lacks it`);
  for (const id of log.turns.keys())
    if (!told.has(id)) found.push(`more: the log has ${id}, which nobody was told of`);

  const logged: Billed = {
    tokens_in: sum(log.turns.values()) + sum([...log.recalls.values()].map(each => each.tokens_in)),
    tokens_out: sum([...log.recalls.values()].map(each => each.tokens_out)),
  };
  for (const kind of ['tokens_in', 'tokens_out'] as const)
    if (bill[kind] !== logged[kind])
      found.push(`bill: ${bill[kind]} ${kind} are billed, and the log has ${logged[kind]}`);
  const asked = new Map(calls.attempts.map(attempt => [attempt.correlationId, attempt]));
  const metered = new Set<string>();
  for (const { correlationId, tokens_in, tokens_out } of log.recalls.values()) {
    const attempt = asked.get(correlationId);
    metered.add(correlationId);
    if (!attempt) found.push('bill: a recall is billed that nobody asked');
    else if (
      attempt.usage &&
      (attempt.usage.tokens_in !== tokens_in || attempt.usage.tokens_out !== tokens_out)
    )
      found.push('bill: a recall is billed otherwise than it was told');
  }
  for (const { writes, user } of models)
    for (const { told: said, cost } of writes)
      if (said > cost) found.push(`bill: ${user} was told ${said} for a write of ${cost} tokens`);

  const before = await readAll(calls, models);
  for (const model of models) found.push(...shownWrongly(model, before, 'a list'));
  for (const turn of turns.filter(({ state }) => state !== 'kept')) {
    const { body } = await calls.call(draw, {
      method: 'POST',
      path: '/recall',
      body: { scope: { org_id: 'any' }, q: turn.text, top_k: 5, include_timeline: true },
    });
    const word = turn.text.split(' ')[2]!;
    // Ids of turns that are kept may come; the word, which only this turn had, must not.
    const isSaidAgain = turns.some(({ text, state }) => text === turn.text && state === 'kept');
    if (!isSaidAgain && JSON.stringify(body.hits).includes(`${word} `))
      found.push(`${turn.state}: a recall says the words of ${turn.id}`);
  }

  found.push(...(await verify()).map(line => `verify: ${line}`));
  await replay();
  const after = await readAll(calls, models);
  for (const [name, ids] of before)
    if (`${ids.toSorted()}` !== `${after.get(name)!.toSorted()}`)
      found.push(
        `replay: ${name} had ${ids.length} turns before, and ${after.get(name)!.length} after, or others`,
      );
  return found;
};

const shownWrongly = (model: Model, lists: ReadonlyMap<string, string[]>, what: string): string[] =>
  sessions().flatMap(session => {
    const shown = lists.get(`${model.user} ${session}`)!;
    const turns = model.writes.flatMap(({ turns }) => turns).filter(turn => turn.session === session);
    const kept = new Set(turns.filter(({ state }) => state === 'kept').map(({ id }) => id));
    const hidden = new Set(turns.filter(({ state }) => state === 'hidden').map(({ id }) => id));
    return [
      ...[...kept].filter(id => !shown.includes(id)).map(id => `lost: ${what} lacks ${id}`),
      ...shown.filter((id, i) => shown.indexOf(id) !== i).map(id => `twice: ${what} has ${id}`),
      ...shown
        .filter(id => !kept.has(id))
        .map(id =>
          model.erasedIds.has(id)
            ? `erased: ${what} shows ${id}`
            : hidden.has(id)
              ? `hidden: ${what} shows ${id}`
              : `more: ${what} shows ${id}`,
        ),
    ];
  });
