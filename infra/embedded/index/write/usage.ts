import type { DatabaseSync } from 'node:sqlite';
import type { ProjectedBatch, Tokens } from '../../../../services/core/ports.ts';
import { bytesOfId } from '../projections-database.ts';
import type { StepTurns } from './turns.ts';

/** Adds what the events of a step bill to their organizations' days, each event once. */
export const openUsageWriter = (
  database: DatabaseSync,
  { fresh, moved }: StepTurns,
): ((rows: ProjectedBatch['usage']) => void) => {
  const hasFragment = database.prepare('SELECT 1 FROM fragments WHERE id = ?');
  const insertBilled = database.prepare('INSERT OR IGNORE INTO usage_rows VALUES (?)');
  const addToDay = database.prepare(
    `INSERT INTO usage_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out`,
  );

  /** `usage_rows` need not repeat what `fragments` says. A turn without a fragment was erased: it was billed once. */
  const isFirst = (eventId: string): boolean => {
    if (fresh.delete(eventId)) return true;
    if (eventId.startsWith('trn_') && hasFragment.get(bytesOfId(eventId)!)) return false;
    return insertBilled.run(eventId).changes === 1;
  };

  const sumsOf = (rows: ProjectedBatch['usage']): Map<string, Map<string, Tokens>> => {
    const sums = new Map<string, Map<string, Tokens>>();
    const add = (org: string, day: string, tokensIn: number, tokensOut: number): void => {
      const days = sums.get(org) ?? new Map<string, Tokens>();
      sums.set(org, days);
      const sum = days.get(day) ?? { tokensIn: 0, tokensOut: 0 };
      days.set(day, { tokensIn: sum.tokensIn + tokensIn, tokensOut: sum.tokensOut + tokensOut });
    };
    for (const { eventId, org, day, tokensIn, tokensOut } of rows) {
      const movedFrom = moved.get(eventId);
      if (movedFrom !== undefined) add(org, movedFrom, -tokensIn, -tokensOut);
      if (movedFrom !== undefined || isFirst(eventId)) add(org, day, tokensIn, tokensOut);
    }
    return sums;
  };

  return rows => {
    for (const [org, days] of sumsOf(rows))
      for (const [day, { tokensIn, tokensOut }] of days) addToDay.run(org, day, tokensIn, tokensOut);
  };
};
