import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../../core/errors.ts';
import type { RedisGate } from '../../infra/cluster/redis/gate/gate.ts';
import type { Generation } from '../../infra/cluster/redis/gate/gate-rebuild.ts';

const EVERY_MS = 1_000;
const CLOSES_WITHIN_MS = 1_000;

export interface CheckpointPorts<Facts> {
  gate: Pick<RedisGate<Facts>, 'isOpen' | 'generation'>;
  /** Writes the next checkpoint for this generation, unless another process did so a moment ago. */
  advance: (generation: Generation<Facts>) => Promise<void>;
  onTrouble: (error: unknown) => void;
}

/** Writes a checkpoint every second while the gate is open, so that a repair reads only the log after it. */
export const keepCheckpoints = <Facts>(
  { gate, advance, onTrouble }: CheckpointPorts<Facts>,
  everyMs = EVERY_MS,
): { close: () => Promise<void> } => {
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    try {
      if (gate.isOpen()) await advance(gate.generation());
    } catch (error) {
      // Outages are reported by the calls that need the engine.
      if (!isOutage(error)) onTrouble(error);
    }
  };
  const timer = setInterval(() => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
  }, everyMs).unref();
  return {
    close: async () => {
      clearInterval(timer);
      // Brokers that don't answer must not delay the end of the process.
      await Promise.race([writing, pause(CLOSES_WITHIN_MS, undefined, { ref: false })]);
    },
  };
};
