/** Faults that a seed chooses, one after the other, each healed before the next. */
import { pause } from '../wait.ts';
import { type Draw, drawing } from '../worlds/history.ts';

/** Breaks something, and resolves with what mends it. */
export type Fault = (draw: Draw) => Promise<() => Promise<void>>;

export interface NemesisOptions {
  seed: number;
  faults: Readonly<Record<string, Fault>>;
  rounds: number;
  /** The most milliseconds that a fault lasts. */
  lastingMs: number;
  /** Resolves when the clients have got on: after each fault all is well for a while. */
  moreWork: () => Promise<void>;
  /** Gets a line for each fault, for whoever looks for the cause of a violation. */
  done: string[];
}

/**
 * Runs the faults, each kind once before any comes again.
 */
export const harass = async ({
  seed,
  faults,
  rounds,
  lastingMs,
  moreWork,
  done,
}: NemesisOptions): Promise<void> => {
  const draw = drawing(seed);
  let left: string[] = [];
  for (let round = 0; round < rounds; round++) {
    if (left.length === 0) left = Object.keys(faults);
    const [name] = left.splice(draw(left.length), 1) as [string];
    const started = performance.now();
    done.push(`${round + 1}. ${name}`);
    const heal = await faults[name]!(draw);
    await pause(200 + draw(lastingMs));
    await heal();
    done[done.length - 1] += `, ${Math.round(performance.now() - started)} ms`;
    await moreWork();
  }
};
