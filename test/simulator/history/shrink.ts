/** Makes a failing history short: parts are left out for as long as it fails in the same way. */
import type { Played } from './run.ts';
import type { Step } from './steps.ts';

export interface Shrunk {
  steps: readonly Step[];
  played: Played;
  runs: number;
}

/** A step that asks for less: no other call overtakes it, one turn, the first death. */
const simpler = (step: Step): Step[] => {
  const simple: Step[] = [];
  const { beside, ...alone } = step;
  if (beside) simple.push(alone);
  if (step.op === 'write' && step.turns.length > 1)
    simple.push(...step.turns.map(n => ({ ...step, turns: [n] })));
  if (step.op === 'write' && step.ttlMs !== undefined) {
    const { ttlMs: _, ...lasting } = step;
    simple.push(lasting);
  }
  if (step.op === 'kill' && step.lost !== 'nothing') simple.push({ ...step, lost: 'nothing' });
  return simple;
};

/** @param most how often it may be run again */
export const shrink = async (
  steps: readonly Step[],
  played: Played,
  play: (steps: readonly Step[]) => Promise<Played>,
  most = 150,
): Promise<Shrunk> => {
  const invariant = played.failure!.invariant;
  // The steps after the failure have no part in it.
  let best = { steps: steps.slice(0, played.failure!.at + 1), played };
  let runs = 0;
  const fails = async (candidate: readonly Step[]): Promise<boolean> => {
    if (runs >= most) return false;
    runs++;
    const next = await play(candidate);
    if (next.failure?.invariant !== invariant) return false;
    best = { steps: candidate.slice(0, next.failure.at + 1), played: next };
    return true;
  };
  const leaveOut = async (): Promise<void> => {
    for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2))
      for (let from = best.steps.length - size; from > -size && runs < most; from -= size) {
        const start = Math.max(0, from);
        await fails([...best.steps.slice(0, start), ...best.steps.slice(from + size)]);
        from = Math.min(from, best.steps.length);
      }
  };
  const simplify = async (): Promise<void> => {
    for (let i = 0; i < best.steps.length; i++)
      for (const step of simpler(best.steps[i]!)) {
        const { steps: now } = best;
        if (await fails([...now.slice(0, i), step, ...now.slice(i + 1)])) break;
      }
  };
  for (let before = Number.POSITIVE_INFINITY; best.steps.length < before && runs < most; ) {
    before = best.steps.length;
    await leaveOut();
    await simplify();
  }
  return { ...best, runs };
};
