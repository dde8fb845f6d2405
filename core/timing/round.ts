/**
 * A round of the event loop and its end. What has arrived in one round goes through the stages of its work
 * side by side, so that it shares a look-up, a message and a commit, and the code of a stage stays in the
 * processor's cache. Nothing waits for what isn't there: a round that brings calls is followed by a look for
 * more of them, since those that were answered together come again in a row.
 */

/** The stages at a round's end, in their order: each begins when the one before has done all it can. */
const STAGES = ['begin', 'decide', 'send'] as const;
export type Stage = (typeof STAGES)[number];

/** So many rounds of the event loop are one at most while each of them brings calls. */
const MOST_LOOKS = 4;

const due: Record<Stage, (() => void)[]> = { begin: [], decide: [], send: [] };
/** How many stages of the round under way have begun; all of them: no round is under way. */
let begun: number = STAGES.length;
let isNextScheduled = false;

const end = (stage: Stage): void => {
  const works = due[stage];
  due[stage] = [];
  for (const work of works) work();
};

/** Promises are settled between two immediates, so each stage begins when the one before has. */
const endRound = (): void => {
  STAGES.forEach((stage, i) => {
    setImmediate(() => {
      if (i === 0) isNextScheduled = false;
      begun = i + 1;
      end(stage);
    });
  });
};

/** How many calls have come so far. */
let calls = 0;

/**
 * Ends the round when the event loop brings no more calls, or after so many looks. What is alone is looked
 * after once, which takes microseconds.
 */
const look = (left: number): void => {
  const before = calls;
  setImmediate(() => {
    if (left === 1 || calls === before) endRound();
    else look(left - 1);
  });
};

const scheduleRound = (): void => {
  isNextScheduled = true;
  look(MOST_LOOKS);
};

/** Does the work at the end of this round, once. A stage that has begun is reached in the next round. */
const atEnd = (stage: Stage, work: () => void): void => {
  due[stage].push(work);
  if (begun > STAGES.indexOf(stage) && !isNextScheduled) scheduleRound();
};

/**
 * Returns a function that collects what it is given in one round and hands it to `work` at the round's end,
 * in the order of its arrival. `work` may not throw.
 */
export const gather = <Item>(stage: Stage, work: (items: Item[]) => void): ((item: Item) => void) => {
  let gathered: Item[] = [];
  const handOver = (): void => {
    const items = gathered;
    gathered = [];
    work(items);
  };
  return item => {
    if (gathered.push(item) === 1) atEnd(stage, handOver);
  };
};

let beginning: Promise<void> | undefined;

/** Resolves at the end of this round: its calls begin together. */
export const roundEnd = (): Promise<void> => {
  calls++;
  beginning ??= new Promise(resolve =>
    atEnd('begin', () => {
      beginning = undefined;
      resolve();
    }),
  );
  return beginning;
};
