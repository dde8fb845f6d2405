import { changed, promoted, type RegisteredGeneration, standbyOf } from '../../../core/generations.ts';
import { positionsIn } from '../../../core/log/positions.ts';
import type { GenerationEngine } from '../../../core/ports/projection/generation-engine.ts';
import type { GenerationRegistry } from '../../../core/ports/projection/generation-registry.ts';
import type { Verification } from '../../../core/ports/projection/generations.ts';
import type { EventLog, Positions } from '../../../core/ports.ts';
import type { Generational } from '../../../projections/all.ts';
import type { FillPorts } from './fill.ts';

/** One projection that has generations, and the ports that their replay needs. */
export interface Projection<Row, Request> extends Omit<FillPorts<Row, Request>, 'log'> {
  projection: Generational;
  /** The version that this release writes. */
  version: string;
  /** The embedding model to serve, where one is configured. */
  model?: string | undefined;
  engine: GenerationEngine<Row, Request>;
  registry: GenerationRegistry;
  log: Pick<EventLog, 'read' | 'ends'>;
  /** Next offsets that the projectors have not acknowledged. */
  committed: () => Promise<Positions>;
  /** Throws `conflict` when nothing may be built from the log. */
  assertWhole: () => Promise<void>;
  /** Compares a generation with the log. */
  verify: (generation: number, signal: AbortSignal) => Promise<Verification>;
}

export const asDropped = (one: RegisteredGeneration, reason: string): RegisteredGeneration => ({
  ...one,
  state: 'dropped',
  reason,
});

/** Removes the dropped generations; resolves with their numbers. */
export const removeDropped = async <Row, Request>({
  registry,
  projection,
  engine,
}: Pick<Projection<Row, Request>, 'registry' | 'projection' | 'engine'>): Promise<number[]> => {
  const registered = await registry.read(projection);
  const dropped = (registered?.generations ?? []).filter(({ state }) => state === 'dropped');
  for (const { number } of dropped) {
    await engine.remove(number);
    await registry.change(projection, registered => changed(registered, number, () => undefined));
  }
  return dropped.map(({ number }) => number);
};

/**
 * The last step of a promotion: switches reads to the generation, then registers that. Idempotent. Resolves
 * with the standby's number.
 */
export const serve = async <Row, Request>(
  { registry, projection, engine, committed, topics }: Projection<Row, Request>,
  generation: number,
): Promise<number | null> => {
  // A former generation of another version is no longer written to: it holds what is acknowledged by now.
  const frozenAt = positionsIn(await committed(), topics);
  // Every batch since the promotion began was written to it; everything before was built and verified.
  await engine.mark(generation, frozenAt);
  await engine.serve(generation);
  const registered = await registry.change(projection, before =>
    before.generations.some(one => one.number === generation && one.state === 'promoting')
      ? promoted(before, generation, frozenAt)
      : before,
  );
  return standbyOf(registered)?.number ?? null;
};
