/**
 * Decides when Redis must rewrite its files, so that data removed from its memory leaves its disk too. Makes
 * no calls to Redis.
 */

/**
 * The time after which a noted removal has happened: the calls that remove have a deadline of 30 s. Also the
 * wait for more of the same erasure, so that one rewrite covers all of it.
 */
const SETTLE_MS = 60_000;
/** Each rewrite writes the whole dataset, so we ask for one at most this often, however much is erased. */
const GAP_MS = 60_000;

export interface Times {
  settleMs: number;
  gapMs: number;
}

export const TIMES: Times = { settleMs: SETTLE_MS, gapMs: GAP_MS };

export type FileKind = 'aof' | 'rdb';
const FILE_KINDS: readonly FileKind[] = ['aof', 'rdb'];

/** The state of Redis's append-only file or its snapshot as Redis reports it; lists are by server. */
export interface OwnFile {
  /** The file may hold data that was removed from memory. */
  exists: boolean[];
  /** The number of rewrites begun since the server started. */
  begun: number[];
  /** A rewrite is running or scheduled. */
  isBusy: boolean;
  /** The last rewrite succeeded, or there was none. */
  isWell: boolean;
}

export interface OwnFiles extends Record<FileKind, OwnFile> {
  /**
   * The server process, whose start resets its counters. For several servers, all of them separated by
   * spaces.
   */
  run: string;
}

/** A rewrite that we requested. */
export interface Asked extends Record<FileKind, number[]> {
  /** The time before Redis was asked how many rewrites had begun (`aof`, `rdb`). */
  at: number;
  /**
   * The server processes that were asked; '' once the rewrite is accounted for and only `at` still counts.
   */
  run: string;
  /** The last removal that the rewrite covers, if it is the last one noted. */
  covers: number | undefined;
}

/** The removals and rewrites noted in Redis. All times are Unix milliseconds by Redis's clock. */
export interface Due {
  now: number;
  /** The first removal that no rewrite covers; undefined if the files hold no removed data. */
  since: number | undefined;
  /** The last removal. */
  noted: number | undefined;
  asked: Asked | undefined;
}

export type Decision =
  | { kind: 'wait' }
  /** `failed`: the files whose last requested rewrite failed. */
  | { kind: 'ask'; asked: Asked; files: FileKind[]; failed: FileKind[] }
  /**
   * The files are free of removed data: up to `covers` if that is still the last removal, else up to just
   * before `since`.
   */
  | { kind: 'settle'; covers: number | undefined; since: number; asked: Asked | undefined };

/**
 * Parses INFO's sections `server` and `persistence`. Throws if a counter is missing: no removal could ever be
 * settled.
 */
export const ownFilesIn = (info: string): OwnFiles => {
  const field = (name: string): string => {
    const value = new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
    if (value === undefined) throw new Error(`Redis does not report ${name}.`);
    return value;
  };
  const isOn = (name: string): boolean => field(name) !== '0';
  const hasAof = isOn('aof_enabled');
  return {
    run: field('run_id'),
    aof: {
      exists: [hasAof],
      begun: [Number(field('aof_rewrites'))],
      isBusy: isOn('aof_rewrite_in_progress') || isOn('aof_rewrite_scheduled'),
      isWell: field('aof_last_bgrewrite_status') === 'ok',
    },
    rdb: {
      // A Redis that never saves must not get a snapshot from us. Without an append-only file, it loaded its
      // data from a snapshot.
      exists: [isOn('rdb_saves') || (!hasAof && isOn('rdb_last_load_keys_loaded'))],
      begun: [Number(field('rdb_saves'))],
      isBusy: isOn('rdb_bgsave_in_progress'),
      isWell: field('rdb_last_bgsave_status') === 'ok',
    },
  };
};

/** Merges the files of several servers: they are free of removed data when all of them are. */
export const together = (servers: readonly OwnFiles[]): OwnFiles => {
  const sorted = [...servers].sort((a, b) => (a.run < b.run ? -1 : 1));
  const all = (kind: FileKind): OwnFile => {
    const files = sorted.map(server => server[kind]);
    return {
      exists: files.flatMap(({ exists }) => exists),
      begun: files.flatMap(({ begun }) => begun),
      isBusy: files.some(({ isBusy }) => isBusy),
      isWell: files.every(({ isWell }) => isWell),
    };
  };
  return { run: sorted.map(({ run }) => run).join(' '), aof: all('aof'), rdb: all('rdb') };
};

/**
 * Decides the next step. Only a rewrite that began after the removal drops the removed data, so only rewrites
 * that begin after our request count: not one that was running by then, but also a later one by Redis or an
 * operator.
 */
export const decide = (due: Due, files: OwnFiles, { settleMs, gapMs }: Times = TIMES): Decision => {
  const { now, since, noted, asked } = due;
  if (since === undefined || noted === undefined) return { kind: 'wait' };
  const existing = FILE_KINDS.filter(kind => files[kind].exists.includes(true));
  // A clock that went back, as with another primary, must not delay anything until it has caught up.
  const hasPassed = (time: number, ms: number): boolean => now < time || now - time >= ms;
  const isQuiet = hasPassed(noted, settleMs);
  // Before the removal has happened, a first snapshot would contain the data.
  if (existing.length === 0)
    return isQuiet ? { kind: 'settle', covers: noted, since, asked } : { kind: 'wait' };
  const mine = asked?.run === files.run ? asked : undefined;
  const hasBegun = (kind: FileKind): boolean => {
    const { exists, begun } = files[kind];
    const before = mine?.[kind] ?? [];
    return exists.every((isThere, at) => !isThere || begun[at]! > (before[at] ?? Infinity));
  };
  if (existing.every(kind => hasBegun(kind) && !files[kind].isBusy && files[kind].isWell)) {
    const { at, covers } = mine!;
    return { kind: 'settle', covers, since: at - settleMs, asked: { ...mine!, run: '' } };
  }
  // Redis refuses a second rewrite meanwhile, and the running one may be ours.
  if (existing.some(kind => files[kind].isBusy)) return { kind: 'wait' };
  if (asked && !hasPassed(asked.at, gapMs)) return { kind: 'wait' };
  // Under constant erasures there is never a quiet period to wait for.
  if (!isQuiet && !hasPassed(since, 2 * settleMs)) return { kind: 'wait' };
  return {
    kind: 'ask',
    asked: {
      at: now,
      run: files.run,
      aof: files.aof.begun,
      rdb: files.rdb.begun,
      covers: isQuiet ? noted : undefined,
    },
    files: existing,
    failed: existing.filter(kind => hasBegun(kind) && !files[kind].isWell),
  };
};
