import { makeIdSet } from '../verify/id-set.ts';
import type { LogRows, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row, type RowAddress, unitOf } from '../verify/row.ts';
import { addRow, type DayOfActivity, emptyDay, ownersOf } from './activity-days.ts';
import { ACTIVITY_NUMBERS, ACTIVITY_TEXTS, type ActivityRow } from './activity-projection.ts';

/** The row of a counted event. */
export const countedRow = (counted: Omit<ActivityRow, keyof RowAddress>, address?: RowAddress): Row => {
  const { eventId, org, day } = counted;
  const values = [...ACTIVITY_TEXTS, ...ACTIVITY_NUMBERS].map(name => counted[name]);
  return {
    projection: 'activity',
    kind: 'counted',
    org,
    id: eventId,
    unit: unitOf(eventId),
    hash: digestOf(['counted', org, eventId, day, ...values]),
    address,
  };
};

/** The row of the sums of a day. */
export const activityDayRow = (counted: DayOfActivity): Row => {
  const { org, owner, day, turns, users, sessions, facts, recalls, latency, confidence } = counted;
  const id = JSON.stringify([org, owner, day]);
  const hash = digestOf(['day', id, turns, users, sessions, facts, recalls, latency, confidence]);
  return { projection: 'activity', kind: 'day', org, id, unit: id, hash, address: undefined, isWhole: true };
};

/** Sums by organization, owner and day, each event once. */
const makeDays = () => {
  const days = new Map<string, DayOfActivity>();
  const counted = makeIdSet();
  const seen = makeIdSet();
  const dayOf = (org: string, owner: string, day: string): DayOfActivity => {
    const id = JSON.stringify([org, owner, day]);
    const known = days.get(id) ?? emptyDay(org, owner, day);
    days.set(id, known);
    return known;
  };
  return {
    add: (row: ActivityRow): void => {
      const { eventId, org, owner, session, day } = row;
      if (!counted.add(JSON.stringify([org, eventId]))) return;
      const isNewSession = row.turns > 0 && seen.add(JSON.stringify(['session', org, day, owner, session]));
      const isNewUser = row.turns > 0 && owner !== '' && seen.add(JSON.stringify(['user', org, day, owner]));
      for (const one of ownersOf(row)) {
        const sum = dayOf(org, one, day);
        addRow(sum, row, 1);
        if (isNewSession) sum.sessions++;
        if (isNewUser) sum.users++;
      }
    },
    rows: (): Row[] => [...days.values()].map(activityDayRow),
  };
};

export const ACTIVITY_ROWS: VerifiedRows<ActivityRow> = {
  hasSampled: true,
  hasWhole: true,
  fromLog: (scope): LogRows<ActivityRow> => {
    const days = makeDays();
    return {
      take: (row, { topic, partition, offset }) => {
        if (scope.whole) days.add(row);
        return [countedRow(row, { topic, partition, offset })];
      },
      whole: days.rows,
    };
  },
};
