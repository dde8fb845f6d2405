import { unavailable } from '../errors.ts';

/**
 * Shares a few slots fairly between organizations: a flood of work queues behind the flooder's own work. An
 * organization gets at most half of the slots, so that another's work begins at once, and at most half of the
 * waiting places. Free slots go round the waiting organizations.
 */
export interface FairQueue {
  /**
   * Runs the work when a slot is free. Throws the error of `refuse` when the queue is full, and the signal's
   * reason when it is aborted before the work begins.
   */
  run<T>(org: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether the organization's work would begin at once. */
  hasSlot(org: string): boolean;
  /** Whether the organization's work may wait. */
  hasRoom(org: string): boolean;
  /** Counts of the organization's work, and of the organizations that have any. */
  of(org: string): { running: number; waiting: number; organizations: number };
}

export interface FairQueueOptions {
  /** How much work runs at a time. */
  slots: number;
  /** How much may wait; default: any amount. */
  mostWaiting?: number;
  /** The error for work that finds no room; default: `unavailable`. */
  refuse?: (full: 'organization' | 'queue') => Error;
}

interface OfOrganization {
  running: number;
  /** In the order of their arrival; each begins its work. */
  waiting: Set<() => void>;
}

export const makeFairQueue = ({
  slots,
  mostWaiting = Number.POSITIVE_INFINITY,
  refuse = () => unavailable('Too much work is waiting.'),
}: FairQueueOptions): FairQueue => {
  const most = { running: Math.ceil(slots / 2), waiting: Math.ceil(mostWaiting / 2) };
  /** Those with work; the first one that may begin some is next. */
  const organizations = new Map<string, OfOrganization>();
  let running = 0;
  let waiting = 0;

  const ofOrganization = (org: string): OfOrganization => {
    const known = organizations.get(org);
    if (known) return known;
    const added: OfOrganization = { running: 0, waiting: new Set() };
    organizations.set(org, added);
    return added;
  };

  const forget = (org: string, own: OfOrganization): void => {
    if (own.running === 0 && own.waiting.size === 0) organizations.delete(org);
  };

  const beginNext = (): void => {
    if (running >= slots || waiting === 0) return;
    for (const [org, own] of organizations) {
      const [begin] = own.waiting;
      if (!begin || own.running >= most.running) continue;
      // To the end of the round.
      organizations.delete(org);
      organizations.set(org, own);
      begin();
      return;
    }
  };

  const hasSlot = (org: string): boolean =>
    running < slots && (organizations.get(org)?.running ?? 0) < most.running;
  const hasRoom = (org: string): boolean =>
    waiting < mostWaiting && (organizations.get(org)?.waiting.size ?? 0) < most.waiting;

  return {
    hasSlot,
    hasRoom,
    run: async (org, work, signal) => {
      signal?.throwIfAborted();
      const own = ofOrganization(org);
      const start = async () => {
        own.running++;
        running++;
        try {
          return await work();
        } finally {
          own.running--;
          running--;
          forget(org, own);
          beginNext();
        }
      };
      // Then nobody waits who could have it.
      if (hasSlot(org)) return start();
      if (!hasRoom(org)) {
        forget(org, own);
        throw refuse(waiting < mostWaiting ? 'organization' : 'queue');
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          own.waiting.delete(begin);
          waiting--;
          signal?.removeEventListener('abort', abort);
        };
        const begin = (): void => {
          leave();
          resolve(start());
        };
        const abort = (): void => {
          leave();
          forget(org, own);
          reject(signal!.reason);
        };
        own.waiting.add(begin);
        waiting++;
        signal?.addEventListener('abort', abort);
      });
    },
    of: org => {
      const own = organizations.get(org);
      return {
        running: own?.running ?? 0,
        waiting: own?.waiting.size ?? 0,
        organizations: organizations.size,
      };
    },
  };
};
