import { randomBytes } from 'node:crypto';
import { unavailable } from '../../../core/errors.ts';
import { encodeEvent } from '../../../core/log/encode.ts';
import type { PaidLog } from '../../../core/payers/paid-log.ts';
import { NOTES, type Payer } from '../../../core/payers/till.ts';
import type { NewRecord } from '../../../core/ports.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { repeat } from '../../../core/timing/repeat.ts';
import { within } from '../../../core/timing/within.ts';
import type { Gauge } from '../../../core/watch/gauges.ts';
import { digestOf } from '../../../projections/verify/row.ts';
import type { AuditNoted } from '../../../schemas/events/audit.ts';
import { makeNotedHours } from './noted-hours.ts';

/** Entries that wait for a log that can't be reached. */
const MOST_WAITING = 1_000;
const AGAIN_MS = 1_000;
const CLOSES_WITHIN_MS = 2_000;
const ACT_WAITS_MS = 1_000;
/** Entries a day of what a caller may repeat for nothing. */
const FREE_PER_DAY = 20_000;
const OF_KEYS: readonly Noted['action'][] = ['sign_in', 'keys.first_use'];

/** Keys that come have a budget of their own: nobody hides them behind calls that are refused. */
const freelyNoted = ({ org, action }: Noted): Payer => ({
  kind: 'budgeted',
  budgets: [
    {
      name: `${OF_KEYS.includes(action) ? 'audited-keys' : 'audited-calls'} ${org}`,
      perDay: FREE_PER_DAY,
      what: 'entries of the audit log',
    },
  ],
  needsRoom: true,
});

/** An entry without its time and id. */
export interface Noted extends AuditNoted {
  org: string;
  requestId: string;
}

/**
 * `each`: an act, which has paid for itself. `hourly`: whatever is free to repeat: one entry an hour for each
 * key, action, target and outcome. `before`: the same for a read, which must not go on without its entry.
 */
export type Noting = 'each' | 'hourly' | 'before';

export interface AuditNotes {
  /**
   * Appends an entry. Rejects with `unavailable` for `before` alone: an act is done, so its entry waits until
   * the log can be reached.
   */
  note(noted: Noted, how: Noting): Promise<void>;
  /** Rejects while entries wait. */
  probe(): Promise<string>;
  gauges: readonly Gauge[];
  /** Appends what waits, for two seconds at most. */
  close(): Promise<void>;
}

export interface AuditNotesPorts {
  log: Pick<PaidLog, 'append'>;
  /** Unix milliseconds. */
  clock: () => number;
  /** Default: a random one. */
  newId?: () => string;
}

const recordOf = (id: string, { org, requestId, ...data }: Noted, at: number): NewRecord => ({
  topic: 'audit',
  key: org,
  value: encodeEvent({
    id,
    type: 'audit.noted',
    org_id: org,
    recorded_at: new Date(at).toISOString(),
    correlation_id: requestId,
    data,
  }),
  headers: { correlation_id: requestId },
});

const withoutTarget = (noted: Noted): Noted => ({
  ...noted,
  target_kind: null,
  target_id: null,
  target_user: null,
});

/**
 * Tells entries of an hour apart. A sign-in from elsewhere is another one. An id is made of it too, so
 * that of several processes, or after a restart, the first copy in the log is the entry.
 */
const nameOf = (noted: Noted): unknown[] => [
  noted.org,
  noted.actor_kind,
  noted.actor_key,
  noted.action,
  noted.outcome,
  noted.target_kind,
  noted.target_id,
  noted.target_user,
  noted.action === 'sign_in' ? noted.actor_address : null,
];

/** The one door of the audit log. */
export const makeAuditNotes = ({
  log,
  clock,
  newId = () => `aud_${randomBytes(16).toString('hex')}`,
}: AuditNotesPorts): AuditNotes => {
  const hours = makeNotedHours();
  const waiting: NewRecord[] = [];
  let lost = 0;
  let flushing: Promise<void> | undefined;

  const append = async (records: readonly NewRecord[], payer: Payer = NOTES): Promise<void> => {
    await log.append(records, payer);
  };
  const appendLater = (record: NewRecord): void => {
    if (waiting.length < MOST_WAITING) waiting.push(record);
    else lost++;
  };
  const flush = (): Promise<void> => {
    const records = [...waiting];
    if (records.length === 0) return Promise.resolve();
    // A copy too many is no entry more: ids are those of the first attempt.
    flushing ??= append(records)
      .then(() => void waiting.splice(0, records.length))
      .catch(() => {})
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  };
  const again = repeat(flush, AGAIN_MS);

  /** Appends the entry of an hour, unless it was; a second caller waits for the first one's append. */
  const hourly = (noted: Noted, payer: Payer): Promise<void> => {
    const now = clock();
    const hour = Math.floor(now / HOUR_MS);
    const of = [noted.org, noted.actor_kind, noted.actor_key, noted.action, noted.outcome];
    const isTooMuch = hours.isTooMuch(of, digestOf(nameOf(noted)), now);
    const entry = isTooMuch ? withoutTarget(noted) : noted;
    return hours.once(of, digestOf(nameOf(entry)), now, () =>
      append([recordOf(`aud_${digestOf([...nameOf(entry), hour])}`, entry, now)], payer),
    );
  };

  return {
    note: async (noted, how) => {
      if (how === 'each') {
        const record = recordOf(newId(), noted, clock());
        // A copy too many is no entry more, and an act that is done doesn't wait for an outage.
        const slow = () => new Error('the log does not answer');
        await within(ACT_WAITS_MS, append([record]), slow).catch(() => appendLater(record));
        return;
      }
      try {
        await hourly(noted, how === 'before' ? NOTES : freelyNoted(noted));
      } catch (error) {
        if (how === 'before')
          throw unavailable('The audit log can not be written, and this is noted.', error);
        // The next call of its kind notes it.
      }
    },
    probe: async () => {
      if (waiting.length > 0) throw new Error(`${waiting.length} entries wait for the log`);
      return lost > 0 ? `writes; ${lost} entries were lost` : 'writes';
    },
    gauges: [
      {
        name: 'turnstone_audit_entries_waiting',
        help: 'Entries of the audit log that wait because the log could not be reached',
        read: () => waiting.length,
      },
      {
        name: 'turnstone_audit_entries_lost',
        help: 'Entries of the audit log that were dropped since the start: too many waited',
        read: () => lost,
      },
    ],
    close: async () => {
      const flushed = again.close().then(flush);
      await within(CLOSES_WITHIN_MS, flushed, () => new Error('the log does not answer')).catch(() => {});
    },
  };
};
