/**
 * Random clients, the same for a seed, each with a user of its own: what it was told is all that its user
 * has, so that it knows what every answer must hold.
 */
import { countTokens } from '../../../core/tokens/count.ts';
import { pause } from '../wait.ts';
import { type Draw, drawing } from '../worlds/history.ts';
import type { Calls } from './calls.ts';

export interface KeptTurn {
  session: string;
  /** With a word that no other turn has. */
  text: string;
  id: string;
  state: 'kept' | 'hidden' | 'erased';
}

export interface KeptWrite {
  body: { scope: { org_id: string; user_id: string; session_id: string }; turns: object[] };
  turns: KeptTurn[];
  /** The tokens that it must be billed, and those that its answers told. */
  cost: number;
  told: number;
}

export interface Model {
  user: string;
  writes: KeptWrite[];
  /** Ids of turns that were erased: nothing may have them again. */
  erasedIds: Set<string>;
}

export interface ClientsOptions {
  seed: number;
  calls: Calls;
  clients: number;
  /** Milliseconds between two calls of a client. */
  pauseMs: number;
  /**
   * Whether recalls and lists since then, by `performance.now()`, may lack or show again what is written
   * anew.
   */
  isRepairing: (since: number) => boolean;
}

/** `readBack`: what answers showed or lacked while a store was repaired. */
export interface History {
  models: Model[];
  violations: string[];
  steps: string[];
  readBack: number;
  stop(): Promise<void>;
  written(): number;
}

const SESSIONS = 3;
const TURNS = 2;
/** Milliseconds that a turn was said before it is sent. */
const AGO_MS = 120_000;

const live = (model: Model): KeptTurn[] =>
  model.writes.flatMap(({ turns }) => turns).filter(({ state }) => state === 'kept');

export const startClients = ({ seed, calls, clients, pauseMs, isRepairing }: ClientsOptions): History => {
  const history: History = {
    models: [],
    violations: [],
    steps: [],
    readBack: 0,
    written: () => history.models.reduce((sum, { writes }) => sum + writes.length, 0),
    stop: async () => {
      stopping = true;
      await running;
    },
  };
  let stopping = false;
  const fault = (line: string): void => void history.violations.push(line);

  const client = async (number: number): Promise<void> => {
    const draw = drawing(seed * 1_000 + number);
    const model: Model = { user: `user${number}`, writes: [], erasedIds: new Set() };
    history.models.push(model);
    const steps = stepsOf(model, { draw, calls, fault, history, isRepairing, prefix: `k${number}` });
    while (!stopping) {
      const name = pick(draw);
      history.steps.push(`${model.user} ${name}`);
      await steps[name]();
      await pause(draw(2 * pauseMs));
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return history;
};

const WEIGHTS = { write: 8, again: 3, recall: 3, list: 3, hide: 1, erase: 1, usage: 1 } as const;
type StepName = keyof typeof WEIGHTS;
const CHOICES = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array<StepName>(weight).fill(name as StepName),
);
const pick = (draw: Draw): StepName => CHOICES[draw(CHOICES.length)]!;

interface Steps {
  draw: Draw;
  calls: Calls;
  fault: (line: string) => void;
  history: History;
  isRepairing: ClientsOptions['isRepairing'];
  prefix: string;
}

const stepsOf = (
  model: Model,
  { draw, calls, fault, history, isRepairing, prefix }: Steps,
): Record<StepName, () => Promise<void>> => {
  const { user, writes, erasedIds } = model;
  let n = 0;
  let toldIn = 0;
  const scope = (session: string) => ({ org_id: 'any', user_id: user, session_id: session });
  const anySession = () => `s${draw(SESSIONS)}`;
  const any = <T>(of: readonly T[]): T | undefined => of[draw(Math.max(1, of.length))];

  const send = async (write: KeptWrite): Promise<string[]> => {
    const { status, body, isAgain, told } = await calls.call(draw, {
      method: 'POST',
      path: '/ingestion/memory',
      body: write.body,
    });
    if (status !== 202) {
      fault(`${user}: a write was answered ${status}`);
      return [];
    }
    toldIn += told;
    write.told += told;
    // An attempt that nobody answered may have been the one that was billed.
    if (!isAgain && write.told !== write.cost)
      fault(`${user}: a write of ${write.cost} tokens was told to cost ${write.told}`);
    return body.active_fragment_ids;
  };

  const keep = async (
    write: KeptWrite,
    turns: readonly Pick<KeptTurn, 'session' | 'text'>[],
  ): Promise<void> => {
    const ids = await send(write);
    for (const id of ids.filter(id => erasedIds.has(id)))
      fault(`${user}: a write has the id of ${id}, erased`);
    write.turns = turns.map(({ session, text }, i) => ({ session, text, id: ids[i]!, state: 'kept' }));
    writes.push(write);
  };

  /** Compares what is shown with what is kept; a store that is repaired may lack or show what it held. */
  const compare = (what: string, shown: readonly string[], session: string, began: number): void => {
    const kept = live(model)
      .filter(turn => turn.session === session)
      .map(({ id }) => id);
    const doubled = shown.filter((id, i) => shown.indexOf(id) !== i);
    const missing = kept.filter(id => !shown.includes(id));
    const more = shown.filter(id => !kept.includes(id));
    for (const id of doubled) fault(`${user}: ${what} has ${id} twice`);
    if (isRepairing(began)) history.readBack += missing.length + more.length;
    else {
      for (const id of missing) fault(`${user}: ${what} lacks ${id}`);
      for (const id of more)
        fault(`${user}: ${what} shows ${id}${erasedIds.has(id) ? ', which was erased' : ''}`);
    }
  };

  return {
    write: async () => {
      const isErased = ({ turns }: KeptWrite): boolean => turns.every(({ state }) => state === 'erased');
      // One that was sent anew has the same body, and a second time it is known.
      const isBack = ({ body }: KeptWrite): boolean =>
        writes.some(other => other.body === body && !isErased(other));
      const gone = any(writes.filter(write => isErased(write) && !isBack(write)));
      // After an erasure the same words are another turn, stored and billed anew.
      if (gone && draw(4) === 0) return keep({ ...gone, told: 0 }, gone.turns);
      const session = anySession();
      const texts = Array.from(
        { length: TURNS },
        (_, i) => `The kettle ${prefix}n${n}i${i} was sold in Lisbon.`,
      );
      n++;
      const turns = texts.map((text, i) => ({
        role: i % 2 ? 'assistant' : 'user',
        text,
        timestamp: new Date(Date.now() - AGO_MS + i).toISOString(),
      }));
      const cost = texts.reduce((sum, text) => sum + countTokens(text), 0);
      const body = { scope: scope(session), turns };
      await keep(
        { body, turns: [], cost, told: 0 },
        texts.map(text => ({ session, text })),
      );
    },
    again: async () => {
      const write = any(writes.filter(({ turns }) => turns.every(({ state }) => state === 'kept')));
      if (!write) return;
      const before = write.told;
      const began = performance.now();
      const ids = await send(write);
      const known = write.turns.map(({ id }) => id);
      // It names the fragments that there are, and an index that is written anew may lack some.
      const missing = known.filter(id => !ids.includes(id));
      if (isRepairing(began)) history.readBack += missing.length;
      else if (missing.length > 0) fault(`${user}: a retry of ${known} was answered with ${ids}`);
      const other = ids.filter(id => !known.includes(id));
      if (other.length > 0) fault(`${user}: a retry of ${known} was answered with others, ${other}`);
      if (before === write.cost && write.told > before) fault(`${user}: a retry was billed`);
    },
    recall: async () => {
      const turn = any(live(model));
      if (!turn) return;
      const began = performance.now();
      const { status, body } = await calls.call(draw, {
        method: 'POST',
        path: '/recall',
        body: { scope: scope(turn.session), q: turn.text, top_k: 10, kinds: ['turn'] },
      });
      if (status !== 200) return fault(`${user}: a recall was answered ${status}`);
      const shown: string[] = body.hits.turns.map(({ id }: { id: string }) => id);
      const gone = shown.filter(id => erasedIds.has(id));
      if (isRepairing(began)) history.readBack += gone.length;
      else if (gone.length > 0) fault(`${user}: a recall shows ${gone}, which was erased`);
      if (!shown.includes(turn.id) && !isRepairing(began)) fault(`${user}: a recall lacks ${turn.id}`);
      if (new Set(shown).size < shown.length) fault(`${user}: a recall has a turn twice`);
    },
    list: async () => {
      const session = anySession();
      const began = performance.now();
      const shown = await listed(calls, draw, { user, session });
      if (typeof shown === 'number') return fault(`${user}: a list was answered ${shown}`);
      compare('a list', shown, session, began);
    },
    hide: async () => {
      const turn = any(live(model));
      if (!turn) return;
      let isAgain = false;
      const retract = async (): Promise<{ status: number; began: number }> => {
        const began = performance.now();
        const reply = await calls.call(draw, { method: 'DELETE', path: `/memory/turns/${turn.id}` });
        isAgain ||= reply.isAgain;
        return { status: reply.status, began };
      };
      let { status, began } = await retract();
      // An index that is written anew may not have it yet.
      while (status === 404 && isRepairing(began)) {
        await pause(500);
        ({ status, began } = await retract());
      }
      // Unknown: hidden by an attempt that nobody answered.
      if (status !== 204 && !(status === 404 && isAgain))
        fault(`${user}: a retraction was answered ${status}`);
      turn.state = 'hidden';
    },
    erase: async () => {
      const session = anySession();
      const { status } = await calls.call(draw, {
        method: 'DELETE',
        path: '/memory',
        body: { scope: scope(session) },
      });
      if (status !== 200) return fault(`${user}: an erasure was answered ${status}`);
      for (const turn of writes.flatMap(({ turns }) => turns))
        if (turn.session === session && turn.state !== 'erased') {
          turn.state = 'erased';
          erasedIds.add(turn.id);
        }
    },
    usage: async () => {
      const before = toldIn;
      const { status, body } = await calls.call(draw, { method: 'GET', path: '/usage/today' });
      if (status !== 200) return fault(`${user}: usage was answered ${status}`);
      if (body.tokens_in < before) fault(`${user}: usage says ${body.tokens_in} of ${before} told`);
    },
  };
};

/** The ids of a session's turns, page by page; a number: the status of what was answered instead. */
export const listed = async (
  calls: Pick<Calls, 'call'>,
  draw: Draw,
  { user, session }: { user: string; session: string },
): Promise<string[] | number> => {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/memory/turns?user_id=${user}&session_id=${session}&limit=100${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await calls.call(draw, { method: 'GET', path });
    if (status !== 200) return status;
    ids.push(...body.turns.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  return ids;
};

export const sessions = (): string[] => Array.from({ length: SESSIONS }, (_, i) => `s${i}`);
