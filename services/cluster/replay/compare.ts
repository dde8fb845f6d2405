import type { Registry } from '../../../infra/cluster/elasticsearch-registry.ts';
import type { GenerationEngine } from '../../../infra/cluster/generation-engine.ts';
import { type Generational, servingOf } from '../../../infra/cluster/generations.ts';
import type { Positions } from '../../ports.ts';

interface ComparePorts {
  registry: Registry;
  projection: Generational;
  engine: Pick<GenerationEngine<never, never>, 'figures'>;
  committed: () => Promise<Positions>;
}

/**
 * Compares a generation with the one that is served, by the figures of each of its parts, up to what both have: what the
 * projectors acknowledged. A generation of another version has other rows: it is compared with none.
 */
export const compareWithServing =
  ({ registry, projection, engine, committed }: ComparePorts) =>
  async (generation: number): Promise<{ rows: number; differences: number }> => {
    const registered = (await registry.read(projection))!;
    const serving = servingOf(registered);
    const own = registered.generations.find(({ number }) => number === generation)!;
    const below = await committed();
    const figures = await engine.figures(generation, below);
    if (serving?.version !== own.version) return { rows: figures.size, differences: 0 };
    const others = await engine.figures(serving.number, below);
    const parts = new Set([...figures.keys(), ...others.keys()]);
    const differences = [...parts].filter(part => (figures.get(part) ?? 0) !== (others.get(part) ?? 0));
    return { rows: parts.size, differences: differences.length };
  };
