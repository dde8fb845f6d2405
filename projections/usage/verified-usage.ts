import { makeIdSet } from '../verify/id-set.ts';
import type { LogRows, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row, type RowAddress, unitOf } from '../verify/row.ts';
import { isUsageRow, type UsageRow, type UsageWrite } from './usage-projection.ts';

/** The row of a billed event with its tokens, and whose it is. */
export const billedRow = (billed: Omit<UsageRow, keyof RowAddress | 'named'>, address?: RowAddress): Row => {
  const { eventId, org, day, tokensIn, tokensOut, source, apiKey } = billed;
  return {
    projection: 'usage',
    kind: 'billed',
    org,
    id: eventId,
    unit: unitOf(eventId),
    // The hash excludes the event's address: another event may bill an erased turn.
    hash: digestOf(['billed', org, eventId, day, tokensIn, tokensOut, source, apiKey]),
    address,
  };
};

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
  return { projection: 'usage', kind: 'day', org, id, unit: id, hash, address: undefined, isWhole: true };
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

export const USAGE_ROWS: VerifiedRows<UsageWrite> = {
  hasSampled: true,
  hasWhole: true,
  fromLog: (scope): LogRows<UsageWrite> => {
    const days = makeDays();
    return {
      take: (row, event) => {
        // Names are in no row: an erasure may have removed them before or after.
        if (!isUsageRow(row) || row.day < (scope.firstDay ?? '')) return [];
        if (scope.whole) days.add(row);
        const { topic, partition, offset } = event;
        return [billedRow(row, { topic, partition, offset })];
      },
      whole: days.rows,
    };
  },
};
