import { makeIdSet } from '../verify/id-set.ts';
import type { LogRows, RowScope, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row, type RowPlace, unitOf } from '../verify/row.ts';
import type { UsageRow } from './projection.ts';

/** The row of a billed event with its tokens. */
export const billedRow = (billed: UsageRow): Row => {
  const { eventId, org, day, tokensIn, tokensOut, topic, partition, offset } = billed;
  return {
    projection: 'usage',
    kind: 'billed',
    org,
    id: eventId,
    unit: unitOf(eventId),
    // The hash excludes the event's place: another event may bill an erased turn.
    hash: digestOf(['billed', org, eventId, day, tokensIn, tokensOut]),
    place: { topic, partition, offset },
  };
};

/** The row for the fact that a recall was billed, for a store that keeps nothing more. */
export const meteredRow = (eventId: string, place?: RowPlace): Row => ({
  projection: 'usage',
  kind: 'metered',
  org: '',
  id: eventId,
  unit: unitOf(eventId),
  hash: digestOf(['metered', eventId]),
  place,
});

export interface DayOfUsage {
  org: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  tokensIn: number;
  tokensOut: number;
}

/** The row of an organization's totals of a UTC day. */
export const dayRow = ({ org, day, tokensIn, tokensOut }: DayOfUsage): Row => {
  const id = JSON.stringify([org, day]);
  const hash = digestOf(['day', org, day, tokensIn, tokensOut]);
  return { projection: 'usage', kind: 'day', org, id, unit: id, hash, place: undefined, isWhole: true };
};

const rowsOf = (row: UsageRow, { topic, partition, offset }: RowPlace, { usage, org }: RowScope): Row[] => {
  if (usage === 'billed') return [billedRow(row)];
  // These rows can't be requested for one organization alone.
  if (topic !== 'usage' || org !== undefined) return [];
  return [meteredRow(row.eventId, { topic, partition, offset })];
};

/** Totals by organization and day, counting each event once. */
const makeDays = () => {
  const days = new Map<string, DayOfUsage>();
  const billed = makeIdSet();
  return {
    add: ({ eventId, org, day, tokensIn, tokensOut }: UsageRow): void => {
      if (!billed.add(eventId)) return;
      const id = JSON.stringify([org, day]);
      const sum = days.get(id) ?? { org, day, tokensIn: 0, tokensOut: 0 };
      days.set(id, sum);
      sum.tokensIn += tokensIn;
      sum.tokensOut += tokensOut;
    },
    rows: (): Row[] => [...days.values()].map(dayRow),
  };
};

export const USAGE_ROWS: VerifiedRows<UsageRow> = {
  hasSampled: true,
  hasWhole: true,
  fromLog: (scope): LogRows<UsageRow> => {
    const days = makeDays();
    return {
      take: (row, event) => {
        if (row.day < (scope.firstDay ?? '')) return [];
        if (scope.whole) days.add(row);
        return rowsOf(row, event, scope);
      },
      whole: days.rows,
    };
  },
};
