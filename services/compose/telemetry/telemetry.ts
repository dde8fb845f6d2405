import type { Log } from '../../../core/watch/logger.ts';
import type { Metrics } from '../../../core/watch/metrics.ts';
import type { Config } from '../../../schemas/config.ts';

/**
 * Starts the export of spans and metrics, where a receiver is configured: only then is the SDK loaded, some
 * hundred modules. Call it before anything that is traced is made.
 */
export const startTelemetry = async (
  { telemetry, mode, role }: Config,
  metrics: Metrics,
  log: Log,
): Promise<{ close(): Promise<void> } | undefined> => {
  const { endpoint } = telemetry;
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import('../../../infra/telemetry/open.ts');
  return openTelemetry({
    telemetry: { ...telemetry, endpoint },
    about: { 'turnstone.mode': mode, 'turnstone.role': role },
    metrics,
    log,
  });
};
