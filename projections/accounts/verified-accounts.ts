import { makeIdSet } from '../verify/id-set.ts';
import type { LogRows, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row } from '../verify/row.ts';
import {
  type AccountEvent,
  type AccountState,
  foldAccount,
  type GetDocument,
} from './accounts-projection.ts';
import { endOfDocument } from './lifetimes.ts';

/** Sorts members by name, so that the hash doesn't depend on which store wrote the document. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
};

export const accountRow = (state: AccountState): Row => {
  const { kind, id, org, document } = state;
  const hash = digestOf([kind, org, id, sorted(document)]);
  const end = endOfDocument(state);
  return { projection: 'accounts', kind, org, id, unit: id, hash, address: undefined, isWhole: true, end };
};

/** The documents of `accounts`: each event once, in log order. */
export const ACCOUNT_ROWS: VerifiedRows<AccountEvent> = {
  hasSampled: false,
  hasWhole: true,
  fromLog: (): LogRows<AccountEvent> => {
    const states = new Map<string, AccountState>();
    const known = makeIdSet();
    let report: ((row: Row) => void) | undefined;
    const get = ((kind, id) => states.get(`${kind} ${id}`)?.document) as GetDocument;
    return {
      take: event => {
        if (!known.add(event.id)) return [];
        for (const state of foldAccount(get, event)) {
          states.set(`${state.kind} ${state.id}`, state);
          report?.(accountRow(state));
        }
        return [];
      },
      whole: () => [...states.values()].map(accountRow),
      onChange: listener => {
        report = listener;
      },
    };
  },
};
