import type { UseCases } from '../../core/use-cases.ts';
import type { Gauge } from '../../core/watch/gauges.ts';
import type { Config } from '../../schemas/config.ts';
import { version } from '../surfaces/client/version.ts';

/**
 * The gauges of a process as a whole: what it is, and what `/readyz` says of it, which Prometheus can't read.
 */
export const stateGauges = (
  ready: UseCases['ready'],
  { mode, role }: Pick<Config, 'mode' | 'role'>,
): Gauge[] => {
  const labels = { version: version(), mode, role };
  return [
    {
      name: 'turnstone_build_info',
      help: 'Always 1; its labels say what runs',
      labels: ['version', 'mode', 'role'],
      read: () => [{ labels, value: 1 }],
    },
    {
      name: 'turnstone_ready',
      help: '1 while the process can do something of what its role is for, as /readyz says it',
      read: async () => ((await ready()).ready ? 1 : 0),
    },
    {
      name: 'turnstone_engine_up',
      help: '1 of each engine and part of the process that /readyz finds well, 0 of each that it names in degraded',
      labels: ['engine'],
      read: async () =>
        Object.entries((await ready()).engines).map(([engine, { ok }]) => ({
          labels: { engine },
          value: ok ? 1 : 0,
        })),
    },
  ];
};
