/** When Redis has to write its files anew, so that what was removed from its memory leaves its disk too: decided without Redis. */

/**
 * What is noted before it is removed is removed by then: the calls that do it have a deadline of 30 s. Also how long we wait for
 * more of the same erasure, so that one rewrite does for all.
 */
const SETTLE_MS = 60_000;
/** Each rewrite writes the whole dataset. However much is erased, we ask for one at most this often. */
const GAP_MS = 60_000;

export interface Times {
  settleMs: number;
  gapMs: number;
}

export const TIMES: Times = { settleMs: SETTLE_MS, gapMs: GAP_MS };

export type FileKind = 'aof' | 'rdb';
const FILE_KINDS: readonly FileKind[] = ['aof', 'rdb'];

/** What Redis reports about its append-only file or its snapshot; lists are by server. */
export interface OwnFile {
  /** The file may hold what was removed from memory. */
  exists: boolean[];
  /** How many rewrites have begun since the server started. */
  begun: number[];
  /** One is running, or scheduled. */
  isBusy: boolean;
  /** The last one succeeded, or there was none. */
  isWell: boolean;
}

export interface OwnFiles extends Record<FileKind, OwnFile> {
  /** The server process: its counters start with it. Of several servers all of them, separated by spaces. */
  run: string;
}

/** A rewrite that we asked for. */
export interface Asked extends Record<FileKind, number[]> {
  /** Before Redis was asked how many rewrites had begun (`aof`, `rdb`). */
  at: number;
  /** The server processes that were asked; '' once the rewrite is accounted for, and only `at` still counts. */
  run: string;
  /** The last removal that it covers, if that is the last one noted. */
  covers: number | undefined;
}

/** What is noted in Redis. All times are Unix milliseconds by Redis' clock. */
export interface Due {
  now: number;
  /** The first removal that no rewrite covers; undefined when the files hold nothing that was removed. */
  since: number | undefined;
  /** The last removal. */
  noted: number | undefined;
  asked: Asked | undefined;
}

export type Decision =
  | { kind: 'wait' }
  /** `failed`: what we had asked for before, in vain. */
  | { kind: 'ask'; asked: Asked; files: FileKind[]; failed: FileKind[] }
  /** The files are free of what was removed: until `covers`, if that is still the last removal, else until before `since`. */
  | { kind: 'settle'; covers: number | undefined; since: number; asked: Asked | undefined };

/** Parses the sections `server` and `persistence` of INFO. Throws when a counter is missing: nothing could ever be settled. */
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
      // A Redis that never saves must not get a snapshot from us. Without an append-only file it has loaded its data from one.
      exists: [isOn('rdb_saves') || (!hasAof && isOn('rdb_last_load_keys_loaded'))],
      begun: [Number(field('rdb_saves'))],
      isBusy: isOn('rdb_bgsave_in_progress'),
      isWell: field('rdb_last_bgsave_status') === 'ok',
    },
  };
};

/** The files of several servers, which are free of what was removed when all of them are. */
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
 * Only a rewrite that began after the removal drops what was removed. So it has to be counted after we asked: one that was running
 * by then doesn't count, one that Redis or an operator began later does.
 */
export const decide = (due: Due, files: OwnFiles, { settleMs, gapMs }: Times = TIMES): Decision => {
  const { now, since, noted, asked } = due;
  if (since === undefined || noted === undefined) return { kind: 'wait' };
  const existing = FILE_KINDS.filter(kind => files[kind].exists.includes(true));
  // A clock that went back, as it may with another primary, must not delay anything until it has caught up.
  const hasPassed = (time: number, ms: number): boolean => now < time || now - time >= ms;
  const isQuiet = hasPassed(noted, settleMs);
  // Until it is removed, a first snapshot would have it.
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
  // Redis refuses a second one meanwhile, and the one that is running may be ours.
  if (existing.some(kind => files[kind].isBusy)) return { kind: 'wait' };
  if (asked && !hasPassed(asked.at, gapMs)) return { kind: 'wait' };
  // While erasures never stop, there is no quiet to wait for.
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
