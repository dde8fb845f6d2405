import type { AccountStore } from '../../../core/ports/accounts/account-store.ts';
import {
  type AccountEvent,
  type AccountState,
  foldAccount,
  type GetDocument,
  rotationOf,
} from '../../../projections/accounts/accounts-projection.ts';

export interface MemoryAccountStore extends AccountStore {
  /** In the order of the log. */
  events: AccountEvent[];
  /** Called before each event is stored; what it throws is an outage. */
  beforeRecord: (event: AccountEvent) => void | Promise<void>;
}

/** Accounts in memory, over the same fold as the engines. */
export const memoryAccountStore = (): MemoryAccountStore => {
  const documents = new Map<string, AccountState>();
  const events: AccountEvent[] = [];
  const read: GetDocument = (kind, id) => {
    const state = documents.get(`${kind}/${id}`);
    // A copy, as any engine would return: nobody may change what is stored.
    return state && (structuredClone(state.document) as never);
  };
  const store: MemoryAccountStore = {
    events,
    beforeRecord: () => {},
    get: async (kind, id) => read(kind, id),
    list: async (kind, org) =>
      [...documents.values()]
        .filter(state => state.kind === kind && (org === undefined || state.org === org))
        .map(state => structuredClone(state.document) as never),
    liveKeys: async org => (await store.list('api_key', org)).filter(({ revoked_at }) => revoked_at === null),
    countOrganizations: async () =>
      (await store.list('organization')).filter(one => one.pruned_at === undefined).length,
    unusedSince: async (instant, most) =>
      (await store.list('organization'))
        .filter(one => one.unused && one.created_at <= instant)
        .slice(0, most),
    erasing: async () => (await store.list('organization')).filter(({ erasing }) => erasing !== undefined),
    record: async event => {
      await store.beforeRecord(event);
      if (events.some(({ id }) => id === event.id)) return 'conflict';
      events.push(event);
      for (const state of foldAccount(read, event)) documents.set(`${state.kind}/${state.id}`, state);
      return 'recorded';
    },
    rotate: async event => {
      const outcome = await store.record(event);
      return { outcome, rotation: read('rotation', event.data.token_id) ?? rotationOf(event) };
    },
    note: async event => {
      await store.record(event);
    },
  };
  return store;
};
