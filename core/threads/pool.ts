import type { AskedThread } from './ask.ts';
import { makeBusyShares } from './busy-shares.ts';

export interface ThreadPool<Question, Answer> {
  /** Like `AskedThread.ask`. */
  ask(org: string, question: Question, signal?: AbortSignal): Promise<Answer>;
  /** All that were started; the first one is always there. */
  all(): readonly AskedThread<Question, Answer>[];
  /** Why one of them can't answer at the moment. */
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
 * Two threads that answer alike. All questions of an organization that are under way are in one of them, however many, but while
 * it changes threads: whoever asks much keeps no processor from those in the other. The second one starts when two
 * organizations ask at a time. It is `behind`, with less processor time where others want it, and whoever asks most is there.
 */
export const startThreadPool = <Question, Answer>(
  start: (isBehind: boolean) => AskedThread<Question, Answer>,
  shares = makeBusyShares(),
): ThreadPool<Question, Answer> => {
  const first = start(false);
  const threads = [first];
  const organizations = new Map<string, OfOrganization<Question, Answer>>();
  let isClosing = false;

  /** For an organization of which nothing is under way. No question waits for the start of a thread while another runs. */
  const freeThread = (): AskedThread<Question, Answer> => {
    const [free = first] = threads.filter(thread => thread.isReady()).toSorted(byPending);
    if (free.pending() > 0 && threads.length === 1 && !isClosing) threads.push(start(true));
    return free;
  };

  /** Where whoever asks most belongs, unless others are there now: they would wait for it. */
  const threadBehind = (
    known: OfOrganization<Question, Answer> | undefined,
  ): AskedThread<Question, Answer> | undefined =>
    threads.slice(1).find(one => one.isReady() && one.pending() <= (known?.thread === one ? known.asked : 0));

  /** Its thread has ended, or is shared with others while another thread is idle. */
  const isLeft = ({ thread, asked }: OfOrganization<Question, Answer>): boolean =>
    thread.fault() !== undefined ||
    (thread.pending() > asked && threads.some(one => one.isReady() && one.pending() === 0));

  const placeOf = (org: string): OfOrganization<Question, Answer> => {
    const known = organizations.get(org);
    const behind = shares.isBusiest(org) ? threadBehind(known) : undefined;
    if (known && (behind ? known.thread === behind : !isLeft(known))) return known;
    const place = { thread: behind ?? freeThread(), asked: 0 };
    organizations.set(org, place);
    return place;
  };

  return {
    ask: async (org, question, signal) => {
      const own = placeOf(org);
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
