/**
 * Several instances of admission on one Redis, over one log in memory, with hands on every step between them.
 */

import { unavailable } from '../../../core/errors.ts';
import type { AdmitRequest, Admitted, Positions, RecordAddress, Tokens } from '../../../core/ports.ts';
import {
  openRedisAdmission,
  type RebuiltFrom,
  type RedisAdmission,
  type RedisAdmissionOptions,
} from '../../../infra/cluster/redis/admission/admission.ts';
import { catchUpAdmission } from '../../../infra/cluster/redis/admission/rebuild/catch-up.ts';
import {
  advanceCheckpoint,
  readCheckpoint,
  startCheckpoint,
} from '../../../infra/cluster/redis/admission/rebuild/checkpoint.ts';
import { type DayTotal, rebuildAdmission } from '../../../infra/cluster/redis/admission/rebuild/rebuild.ts';
import { openRedis, type RedisGate } from '../../../infra/cluster/redis/gate/gate.ts';
import { type Generation, gateKeys } from '../../../infra/cluster/redis/gate/gate-rebuild.ts';
import { keysOf, keysOfOrganization } from '../../../infra/cluster/redis/key-names.ts';
import type { RecallMetered } from '../../../schemas/events/usage.ts';
import {
  dropNamespace,
  indexedBelow,
  type MemoryLog,
  makeMemoryLog,
  NOW,
  openSealedTail,
} from '../../contracts/openers/cluster-admission.ts';
import { clusterConfig } from '../engines/engines.ts';
import { bringBack, dropSaved, saveKeys } from '../engines/redis-snapshot.ts';
import { type Logged, recallMetered, tailTurn, type turnRecorded } from './builders.ts';

export type Turn = ReturnType<typeof turnRecorded>;
export type Admission = Extract<Admitted, { kind: 'admitted' }>;

export const DAY = '2026-03-10';
export const NEXT_DAY = '2026-03-11';
const NO_CAPS = { tokensIn: 0, tokensOut: 0 };

export interface World {
  log: MemoryLog;
  gate: RedisGate<RebuiltFrom>;
  /** The positions that the projector has committed. */
  committed: Positions;
  /** The positions that the index shows. */
  indexed: Positions;
  rebuilds: number;
  /** Whether a rebuild finds the index unreachable. */
  isIndexDown: boolean;
  /** Runs in the middle of a rebuild. */
  onRebuild: () => Promise<void>;
  repairs: number;
  /** Runs in the middle of a repair, when the events are restored and none is settled. */
  onRepair: () => Promise<void>;
  /** Writes a checkpoint, as some process does every second. */
  checkpoint(): Promise<void>;
  /** Saves all that Redis has at this moment, for one that comes back later. */
  save(): Promise<void>;
  /** Redis has what was saved, as another server, and everybody's connection breaks. */
  comeBack(): Promise<void>;
  instance(options?: Partial<RedisAdmissionOptions>): RedisAdmission;
  /** The projector applies and commits what the log has, of one address or of all. */
  project(by: RedisAdmission, until?: Positions): Promise<void>;
  /** Everything of ours is gone in one instant, and nobody's connection breaks. */
  wipe(): Promise<void>;
  /** The same, and everybody's connection breaks: a server that was started again. */
  restart(): Promise<void>;
  /** Returns what the keys of an organization begin with. */
  keysOf(org: string): string;
  reserved(org: string, day: string): Promise<number>;
  close(): Promise<void>;
}

export const openWorld = async (): Promise<World> => {
  const config = clusterConfig();
  const log = makeMemoryLog();
  const world = {
    committed: {} as Positions,
    indexed: {} as Positions,
    rebuilds: 0,
    repairs: 0,
    isIndexDown: false,
  };

  /** The usage store as the projector's batches left it. */
  const totals = async (below: Positions): Promise<DayTotal[]> => {
    const found: DayTotal[] = [];
    for (const org of ['acme', 'other']) {
      for (const day of ['2026-03-09', DAY, NEXT_DAY]) {
        const tokens = log.fold(org, day, day, below);
        if (tokens.tokensIn + tokens.tokensOut > 0) found.push({ org, day, ...tokens });
      }
    }
    return found;
  };

  type Inside = RedisGate<RebuiltFrom>['redis'];
  const { namespace } = config;
  const committed = async (): Promise<Positions> => ({ ...world.committed });
  const readLogged = async function* (from: Positions, to: Positions) {
    for (const [topicPartition, end] of Object.entries(to)) {
      for (let offset = from[topicPartition] ?? 0; offset < end; offset += 7)
        yield log.read(topicPartition, offset, Math.min(offset + 7, end));
    }
  };
  const rebuild = async (inside: Inside, epoch: string): Promise<RebuiltFrom> => {
    world.rebuilds += 1;
    const facts = await rebuildAdmission({
      inside,
      epoch,
      namespace,
      tail: openSealedTail(),
      clock: () => NOW,
      committed,
      ends: async () => log.ends(),
      readLogged,
      totals,
      isBilled: async (_org, ids, below) => {
        const stored = new Set(
          Object.entries(below).flatMap(([topicPartition, end]) =>
            log.read(topicPartition, 0, end).map(({ id }) => id),
          ),
        );
        return new Set(ids.filter(id => stored.has(id)));
      },
      datedAhead: async function* (after) {
        if (world.isIndexDown) throw unavailable('the index is down');
        for (const [topicPartition, end] of Object.entries(world.indexed))
          for (const { turn } of log.read(topicPartition, 0, end))
            if (turn && turn.timestamp > after)
              yield { org: turn.org, days: [Math.floor(turn.timestamp / 86_400_000)] };
      },
    });
    await built.onRebuild();
    await startCheckpoint(inside, namespace, epoch, facts.floor);
    return facts;
  };
  const repair = async (inside: Inside, { epoch, facts }: Generation<RebuiltFrom>): Promise<boolean> => {
    const held = await readCheckpoint(inside, namespace, epoch);
    if (!held) return false;
    world.repairs += 1;
    let asked = 0;
    const { settled: applied } = await catchUpAdmission({
      inside,
      epoch,
      namespace,
      tail: openSealedTail(),
      clock: () => NOW,
      floor: facts.floor,
      from: held.checkpoint.applied,
      ends: log.ends(),
      committed: async () => {
        if (asked++ === 1) await built.onRepair();
        return committed();
      },
      readLogged,
    });
    await startCheckpoint(inside, namespace, epoch, applied);
    return true;
  };

  const gate = openRedis({ config, rebuild, repair, onTrouble: () => {} });
  const DROP_ALL = `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end`;
  /** In one step a script runs, and everybody's connection breaks. */
  const losing = async (send: (redis: Pick<Inside, 'eval'>) => unknown): Promise<void> => {
    const id = await gate.redis.client('ID');
    const step = gate.redis.multi();
    send(step as unknown as Inside);
    // Its answer may be lost with the connection.
    await step
      .call('CLIENT', 'KILL', 'ID', String(id), 'SKIPME', 'no')
      .exec()
      .catch(() => {});
  };

  const built: World = {
    log,
    gate,
    get committed() {
      return world.committed;
    },
    get indexed() {
      return world.indexed;
    },
    get rebuilds() {
      return world.rebuilds;
    },
    get repairs() {
      return world.repairs;
    },
    get isIndexDown() {
      return world.isIndexDown;
    },
    set isIndexDown(isDown) {
      world.isIndexDown = isDown;
    },
    onRebuild: async () => {},
    onRepair: async () => {},
    checkpoint: async () => {
      await gate.redis.del(gateKeys(namespace).turn);
      await advanceCheckpoint({
        redis: gate.redis,
        namespace,
        generation: gate.generation(),
        committed,
      });
    },
    save: () => saveKeys(gate.redis, namespace),
    comeBack: () =>
      losing(step =>
        bringBack(
          step,
          namespace,
          `local marker = redis.call('GET', ARGV[3])
          redis.call('SET', ARGV[3], (string.gsub(marker, '"runId":"%w+"', '"runId":"another"')))`,
          gateKeys(namespace).marker,
        ),
      ),
    instance: options =>
      openRedisAdmission({
        gate,
        namespace: config.namespace,
        tail: openSealedTail(),
        clock: () => NOW,
        isIndexed: indexedBelow(log, () => world.indexed),
        partitions: 4,
        mostTail: 50_000,
        mostTailBytes: 64 * 1024 * 1024,
        ...options,
      }),
    project: async (by, until = log.ends()) => {
      for (const [topicPartition, end] of Object.entries(until)) {
        const from = world.committed[topicPartition] ?? 0;
        world.indexed[topicPartition] = Math.max(world.indexed[topicPartition] ?? 0, end);
        await by.settle(log.read(topicPartition, from, end), { [topicPartition]: end });
        world.committed[topicPartition] = Math.max(world.committed[topicPartition] ?? 0, end);
      }
    },
    wipe: async () => void (await gate.redis.eval(DROP_ALL, 0, `${keysOf(namespace)}*`)),
    restart: () => losing(step => step.eval(DROP_ALL, 0, `${keysOf(namespace)}*`)),
    keysOf: org => keysOfOrganization(config.namespace, org),
    reserved: async (org, day) => {
      const key = `${built.keysOf(org)}d:${Date.parse(day) / 86_400_000}`;
      return Number((await gate.redis.hget(key, 'reserved')) ?? 0);
    },
    close: async () => {
      await dropSaved(gate.redis, namespace).catch(() => {});
      gate.close();
      await dropNamespace(config);
    },
  };
  await gate.opened();
  return built;
};

export const asked = (turns: readonly Turn[], changes: Partial<AdmitRequest> = {}): AdmitRequest => ({
  org: 'acme',
  user: 'ada',
  recordedAt: NOW,
  caps: NO_CAPS,
  claims: turns.map(({ id, tokens, data }) => ({
    id,
    tokens: tokens!,
    timestamp: Date.parse(data.timestamp),
  })),
  tokensIn: 0,
  ...changes,
});

export const admit = async (
  admission: RedisAdmission,
  turns: readonly Turn[],
  changes: Partial<AdmitRequest> = {},
): Promise<Admission> => {
  const result = await admission.admit(asked(turns, changes));
  if (result.kind === 'refused') throw new Error(`refused at ${result.cap}`);
  return result;
};

/** Into the log, as the attempt would: the fresh ones, at their first instants. */
export const append = (log: MemoryLog, { attempt, fresh }: Admission, turns: readonly Turn[]) =>
  turns
    .filter(({ id }) => fresh.has(id))
    .map(turn => {
      const recorded_at = new Date(fresh.get(turn.id)!.recordedAt).toISOString();
      return tailTurn({ ...turn, ...log.append({ ...turn, recorded_at }, attempt) } as Turn);
    });

export const recallAddress = (log: MemoryLog, event: Logged<RecallMetered>, attempt: string): RecordAddress =>
  log.append(event, attempt);

/** Admits, appends and remembers; returns how many turns were new. */
export const write = async (
  { log }: Pick<World, 'log'>,
  admission: RedisAdmission,
  turns: readonly Turn[],
): Promise<number> => {
  const admitted = await admit(admission, turns);
  return (await admission.remember(admitted.attempt, { turns: append(log, admitted, turns) })).size;
};

/** A recall of 2 tokens that answers with 30. */
export const recall = async (
  { log }: Pick<World, 'log'>,
  admission: RedisAdmission,
  n: number,
): Promise<void> => {
  const { attempt } = await admit(admission, [], { tokensIn: 2, recall: { org: 'acme' } });
  const event = recallMetered(n, { tokens_in: 2, tokens_out: 30 });
  const address = recallAddress(log, event, attempt);
  await admission.remember(attempt, {
    turns: [],
    recall: { id: event.id, tokensIn: 2, tokensOut: 30, ...address },
  });
};

export const ids = (turns: readonly { id: string }[]): string[] => turns.map(({ id }) => id).sort();

/** The ids of what waits for the projector. */
export const tail = async (admission: RedisAdmission): Promise<string[]> =>
  ids(await admission.tail({ org: 'acme' }));

export const billed = async (admission: RedisAdmission, day = DAY, org = 'acme'): Promise<Tokens> =>
  (await admission.billed(org, [day]))[0]!;
