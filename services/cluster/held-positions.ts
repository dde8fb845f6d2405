/** How far the serving generations hold the log, as their stores say themselves. */

import { servingOf } from '../../core/generations.ts';
import { offsetIn, parsePartition, positionsIn } from '../../core/log/positions.ts';
import type { GenerationEngine } from '../../core/ports/projection/generation-engine.ts';
import type { GenerationRegistry } from '../../core/ports/projection/generation-registry.ts';
import type { Positions } from '../../core/ports.ts';
import { GENERATIONAL, type Generational, PROJECTIONS } from '../../projections/all.ts';

type Marked = Pick<GenerationEngine<never, never>, 'positions'>;

export interface HeldPorts {
  registry: GenerationRegistry;
  generational: { [Name in Generational]: { engine: Marked } };
  /** Next offsets that the projectors have not acknowledged. */
  committed: () => Promise<Positions>;
}

/** The positions of one generation in the partitions of `of`; 0 where the store names none. */
export const heldBy = async (
  { positions }: Pick<Marked, 'positions'>,
  generation: number,
  of: Positions,
): Promise<Positions> => {
  const held = await positions(generation, Object.keys(of));
  return Object.fromEntries(Object.keys(of).map(name => [name, offsetIn(held, parsePartition(name))]));
};

/** Reads the positions that each projection's serving generation holds. */
export const readHeld = async (
  { registry, generational }: Pick<HeldPorts, 'registry' | 'generational'>,
  acknowledged: Positions,
): Promise<Map<Generational, Positions>> => {
  const held = new Map<Generational, Positions>();
  for (const projection of GENERATIONAL) {
    const registered = await registry.read(projection);
    const serving = registered && servingOf(registered);
    if (!serving) continue;
    const own = positionsIn(acknowledged, PROJECTIONS[projection].topics);
    held.set(projection, await heldBy(generational[projection].engine, serving.number, own));
  }
  return held;
};

/** Returns the positions to read again from: the lowest of each store that has not reached `acknowledged`. */
export const lackingIn = (held: Iterable<Positions>, acknowledged: Positions): Positions => {
  const lacking: Positions = {};
  for (const positions of held)
    for (const [name, offset] of Object.entries(positions))
      if (offset < offsetIn(acknowledged, parsePartition(name)))
        lacking[name] = Math.min(offset, lacking[name] ?? offset);
  return lacking;
};
