/** The embedded service as one process in one thread, over a folder that outlives it. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../core/config.ts';
import type { BudgetedContext, CappedContext, Principal, UseCases } from '../../../core/use-cases.ts';
import { makeLog } from '../../../core/watch/logger.ts';
import { newSigningJwk } from '../../../infra/secrets/signing-keys.ts';
import type { Config } from '../../../schemas/config.ts';
import { makeUseCases } from '../../../services/compose/use-cases.ts';
import { type EmbeddedEngines, openEngines } from '../../../services/embedded/open.ts';
import { type Accounts, makeAccounts } from '../../../services/use-cases/accounts/accounts.ts';
import { type Fate, fated, makeFate } from '../machine/fate.ts';
import type { Machine } from '../machine/machine.ts';
import type { Resources } from '../machine/resources.ts';
import type { Plant } from './plant.ts';
import { type OneThread, startsInOneThread } from './threads.ts';

/** Six minutes, so that histories live to see its end. */
export const QUARANTINE_HOURS = 0.1;
export const ORGS = ['acme', 'zeta'];
/** Long enough for whatever waits, as the product's own longest wait of a call is ten seconds. */
const PATIENCE_MS = 60_000;

/** The loss at the end of a process: nothing, all that was not synced, or all projections. */
export type Lost = 'nothing' | 'unsynced' | 'projections';

const SYNCED = /^(log|keys)\.db|^installation-key|^signing-keys/;

export type Caller = Principal & Pick<CappedContext, 'caps'> & Pick<BudgetedContext, 'budgets'>;

export interface World {
  useCases: UseCases;
  engines: EmbeddedEngines;
  accounts: Accounts;
  threads: OneThread;
  fate: Fate;
  caller(org: string): Promise<Caller>;
}

/** Made once, by the real machine: it takes a while, and nothing depends on it. */
let signingKeys: string | undefined;
export const prepareSigningKeys = async (): Promise<void> => {
  signingKeys ??= JSON.stringify({ keys: [await newSigningJwk()] });
};

const configOf = (dataDir: string): Config => {
  const read = readConfig({
    TURNSTONE_DATA_DIR: dataDir,
    TURNSTONE_LOG_LEVEL: 'silent',
    TURNSTONE_READER: 'no',
  });
  if (!read.ok) throw new Error(JSON.stringify(read));
  return { ...read.config, quarantineHours: QUARANTINE_HOURS };
};

/** In memory where there is such a place: a history syncs at every step. */
const MEMORY = '/dev/shm';
const base = existsSync(MEMORY) ? MEMORY : tmpdir();

const newFolder = (): string => mkdtempSync(join(base, 'sim-'));

const copy = (from: string, to: string, isCopied: (name: string) => boolean): void => {
  for (const name of readdirSync(from))
    if (isCopied(name) && !name.endsWith('-shm') && !name.endsWith('.sock'))
      cpSync(join(from, name), join(to, name), { recursive: true });
};

/** The folder of a service over the lives of its processes. */
export const makeFolder = (resources: Resources) => {
  let path = newFolder();
  writeFileSync(join(path, 'signing-keys.json'), signingKeys!, { mode: 0o600 });
  /** As the last process found it. */
  let before = newFolder();
  return {
    path: () => path,
    begins: (): void => {
      rmSync(before, { recursive: true, force: true });
      before = newFolder();
      copy(path, before, name => !SYNCED.test(name));
    },
    /** The process ends in this moment; what it does from now on is of no effect. */
    ends: (lost: Lost): void => {
      const next = newFolder();
      copy(path, next, name => lost === 'nothing' || SYNCED.test(name));
      if (lost === 'unsynced') copy(before, next, () => true);
      resources.closeAll();
      rmSync(path, { recursive: true, force: true });
      path = next;
    },
    remove: (): void => {
      resources.closeAll();
      for (const one of [path, before]) rmSync(one, { recursive: true, force: true });
    },
  };
};

export type Folder = ReturnType<typeof makeFolder>;

const fatedEngines = (fate: Fate, engines: EmbeddedEngines): EmbeddedEngines => {
  const { admission, memory, keys, log } = engines;
  return {
    ...engines,
    keys: fated(fate, keys, 'forSession', 'has', 'idsOf', 'destroy'),
    log: fated(fate, log, 'ends', 'read'),
    admission: fated(
      fate,
      admission,
      'admit',
      'remember',
      'release',
      'tail',
      'erase',
      'drop',
      'waiting',
      'job',
    ),
    memory: {
      ...memory,
      details: fated(fate, memory.details, 'holdings'),
      listing: fated(fate, memory.listing, 'turn', 'observation', 'fragments', 'sessions'),
    },
  };
};

/** Opens the process, and waits until it answers calls. */
export const openWorld = async (
  machine: Machine,
  folder: Folder,
  plant: Plant,
  onKill: () => void,
): Promise<World> => {
  folder.begins();
  plant.opened();
  const config = configOf(folder.path());
  const logger = makeLog('silent');
  const fate = makeFate(() => {
    machine.forgetTimers();
    onKill();
  });
  const threads = startsInOneThread(fate, plant);
  const opened = await openEngines(config, logger, 0, threads);
  const engines = fatedEngines(fate, opened);
  const accounts = makeAccounts({
    ...engines.accounts,
    pay: engines.pay,
    clock: Date.now,
    random: randomBytes,
    ends: () => engines.log.ends(),
    config: {
      signup: 'closed',
      authFailuresPerMinute: 0,
      budgets: config.budgets,
      limits: { tokens_in: config.quota.tokensIn, tokens_out: config.quota.tokensOut },
    },
  });
  // Signatures take a thread of their own, and say nothing that a history asks for.
  const receipts = { sign: async () => 'signed' };
  const planted = plant.engines(engines) as EmbeddedEngines;
  const useCases = makeUseCases(planted, { ...accounts, receipts }, Date.now, logger, config);
  let isReady = false;
  engines.watch.caughtUp.then(() => {
    isReady = true;
  });
  if (!(await machine.until(() => isReady || fate.isDead(), PATIENCE_MS)))
    throw new Error('the service does not catch up with its log');
  const world: World = {
    useCases,
    engines: planted,
    accounts,
    threads,
    fate,
    caller: async orgId => {
      const { limits } = (await accounts.organizations()).find(one => one.org_id === orgId)!;
      return {
        orgId,
        userId: 'owner',
        roles: ['*'],
        keyId: 'key_of_the_simulator',
        caps: { tokensIn: limits.tokens_in, tokensOut: limits.tokens_out },
        budgets: limits,
      };
    },
  };
  return world;
};
