/** A suite with a Redis of its own, which it may fill, starve and misconfigure (redis-server.ts). */
import { spawnSync } from 'node:child_process';
import { describe, it } from 'vitest';
import { describeOnEngines } from './engines.ts';

export const canStartRedis = spawnSync('redis-server', ['--version']).status === 0;

/**
 * A suite on the shared engines, but with a Redis of its own: where CI says that one must start, it fails
 * without.
 */
export const describeWithRedis = (name: string, body: () => void): void => {
  if (canStartRedis) describeOnEngines(name, body);
  else if (process.env.CI) throw new Error('redis-server must be installed');
  else describe.skip(name, () => it('needs redis-server on PATH', () => {}));
};
