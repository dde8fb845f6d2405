import type { AskedThread } from './ask.ts';
import { makeBusyShares } from './busy-shares.ts';

export interface ThreadPool<Question, Answer> {
  /** Like `AskedThread.ask`. */
  ask(org: string, question: Question, signal?: AbortSignal): Promise<Answer>;
  /** All threads that were started; the first one always runs. */
  all(): readonly AskedThread<Question, Answer>[];
  /** Returns why one of them can't answer at the moment. */
  fault(): string | undefined;
  /** Waits for pending answers. */
  close(): Promise<void>;
}

interface OfOrganization<Question, Answer> {
  thread: AskedThread<Question, Answer>;
  /** Questions that are not answered yet. */
  asked: number;
}

type Counted = Pick<AskedThread<never, never>, 'pending'>;
const byPending = (a: Counted, b: Counted): number => a.pending() - b.pending();

/**
 * Starts two threads that answer alike. Except while it changes threads, all open questions of an
 * organization are in one of them, so that a busy organization takes no processor from those in the other.
 * The second thread starts when two organizations ask at the same time. It is `behind`, with a lower
 * priority, and serves the busiest organization.
 */
export const startThreadPool = <Question, Answer>(
  start: (isBehind: boolean) => AskedThread<Question, Answer>,
  shares = makeBusyShares(),
): ThreadPool<Question, Answer> => {
  const first = start(false);
  const threads = [first];
  const organizations = new Map<string, OfOrganization<Question, Answer>>();
  let isClosing = false;

  /**
   * Picks a thread for an organization without open questions. No question waits for a thread to start while
   * another runs.
   */
  const freeThread = (): AskedThread<Question, Answer> => {
    const [free = first] = threads.filter(thread => thread.isReady()).toSorted(byPending);
    if (free.pending() > 0 && threads.length === 1 && !isClosing) threads.push(start(true));
    return free;
  };

  /**
   * Returns the low-priority thread for the busiest organization, unless others use it: they would have to
   * wait.
   */
  const threadBehind = (
    known: OfOrganization<Question, Answer> | undefined,
  ): AskedThread<Question, Answer> | undefined =>
    threads.slice(1).find(one => one.isReady() && one.pending() <= (known?.thread === one ? known.asked : 0));

  /** Whether to leave the thread: it has ended, or is shared with others while another thread is idle. */
  const isLeft = ({ thread, asked }: OfOrganization<Question, Answer>): boolean =>
    thread.fault() !== undefined ||
    (thread.pending() > asked && threads.some(one => one.isReady() && one.pending() === 0));

  const assignmentOf = (org: string): OfOrganization<Question, Answer> => {
    const known = organizations.get(org);
    const behind = shares.isBusiest(org) ? threadBehind(known) : undefined;
    if (known && (behind ? known.thread === behind : !isLeft(known))) return known;
    const assignment = { thread: behind ?? freeThread(), asked: 0 };
    organizations.set(org, assignment);
    return assignment;
  };

  return {
    ask: async (org, question, signal) => {
      const own = assignmentOf(org);
      const ended = shares.begin(org);
      own.asked++;
      try {
        return await own.thread.ask(question, signal);
      } finally {
        ended();
        own.asked--;
        if (own.asked === 0 && organizations.get(org) === own) organizations.delete(org);
      }
    },
    all: () => threads,
    fault: () => threads.map(thread => thread.fault()).find(fault => fault !== undefined),
    close: async () => {
      isClosing = true;
      await Promise.all(threads.map(thread => thread.close()));
    },
  };
};
