/** The figures of each measurement at scale, beside the targets of issue 18. */
import type { Figure, Part } from '../measure/figures-table.ts';
import type { Outage } from './first-admitted.ts';
import type { Erasure } from './scale-erasure.ts';
import type { AppendedSessions } from './scale-sessions.ts';

const MEGABYTE = 1e6;
const KEPT_SECONDS = 5;
const WIPED_SECONDS = 60;
const ERASURE_SECONDS = 10;
const REDIS_BYTES = 300 * MEGABYTE;

const written = (count: number): string => count.toLocaleString('en-US');

interface Indexes {
  keys: Pick<AppendedSessions, 'sessions' | 'records' | 'seconds'>;
  keySeconds: number;
  events: number;
  accountSeconds: { indexSeconds: number; redisSeconds: number };
}

export const indexPart = ({ keys, keySeconds, events, accountSeconds }: Indexes): Part => ({
  title: `Indexes: the keys of ${written(keys.sessions)} sessions, ${written(events)} account events`,
  figures: [
    { figure: 'keys appended', measured: keys.records / keys.seconds, unit: 'records/s' },
    { figure: 'the index of keys, from empty to full', measured: keySeconds, unit: 's' },
    { figure: 'the same', measured: keys.records / keySeconds, unit: 'documents/s' },
    { figure: 'the index of accounts, from empty to full', measured: accountSeconds.indexSeconds, unit: 's' },
    { figure: 'the same', measured: events / accountSeconds.indexSeconds, unit: 'events/s' },
    { figure: 'accounts into Redis, from the log', measured: accountSeconds.redisSeconds, unit: 's' },
  ],
});

interface Memory {
  sessions: number;
  events: number;
  turns: number;
  /** Seconds until all turns were settled. */
  seconds: number;
  /** Number of sessions whose keys are cached. */
  inUse: number;
  /** Bytes that Redis uses: empty, then with the account events, the turns, and the keys in use. */
  used: { before: number; accounts: number; admitted: number; cached: number };
}

export const memoryPart = ({ sessions, events, turns, seconds, inUse, used }: Memory): Part => {
  const megabytes = (bytes: number): Pick<Figure, 'measured' | 'unit'> => ({
    measured: bytes / MEGABYTE,
    unit: 'MB',
  });
  return {
    title: `Memory of Redis: ${written(sessions)} sessions, ${written(turns)} turns of this week`,
    figures: [
      { figure: 'with the sessions, before all else', ...megabytes(used.before) },
      {
        figure: 'more with the accounts',
        ...megabytes(used.accounts - used.before),
        note: `${written(events)} events`,
      },
      {
        figure: 'more with the turns, all settled',
        ...megabytes(used.admitted - used.accounts),
        note: `${Math.round((used.admitted - used.accounts) / turns)} bytes each, admitted at ${written(Math.round(turns / seconds))} a second`,
      },
      {
        figure: 'more with all of their sessions in use within the hour',
        ...megabytes(used.cached - used.admitted),
        note: `${written(inUse)} sessions, ${Math.round((used.cached - used.admitted) / inUse)} bytes each`,
      },
      {
        figure: 'sessions and turns',
        ...megabytes(used.before + used.admitted - used.accounts),
        target: { most: REDIS_BYTES / MEGABYTE },
      },
      { figure: 'all of it', ...megabytes(used.cached) },
    ],
  };
};

export const outagePart = ({ kept, wiped }: { kept: Outage; wiped: Outage }): Part => {
  const of = (name: string, outage: Outage, most: number): Figure => ({
    figure: `first admitted call, ${name}`,
    measured: outage.admittedSeconds,
    unit: 's',
    target: { most },
    note: `Redis answers after ${outage.answersSeconds.toFixed(1)} s`,
  });
  return {
    title: 'Redis killed and started again, from the start of its process',
    figures: [of('with its data', kept, KEPT_SECONDS), of('without', wiped, WIPED_SECONDS)],
  };
};

export const projectedPart = (sessions: number, seconds: number): Part => ({
  title: `Projection: a turn in each of ${written(sessions)} sessions of which nobody has the key in use`,
  figures: [{ figure: 'one projector', measured: sessions / seconds, unit: 'turns/s' }],
});

export const erasurePart = (mode: string, { seconds, calls, erased }: Erasure): Part => ({
  title: `Erasure of a user with ${written(erased.sessions)} sessions, in the mode ${mode}`,
  figures: [
    {
      figure: 'from the call to the receipt',
      measured: seconds,
      unit: 's',
      target: { most: ERASURE_SECONDS },
      note: `${written(erased.turns)} turns, calls: ${calls}`,
    },
  ],
});
