import type { AlertGroup } from './alert.ts';
import { CLUSTER_ALERTS } from './cluster.ts';
import { LOG_ALERTS } from './log.ts';
import { MEMORY_ALERTS } from './memory.ts';
import { MODEL_ALERTS } from './models.ts';
import { SERVICE_ALERTS } from './service.ts';
import { TENANT_ALERTS } from './tenants.ts';

export const ALERT_GROUPS: readonly AlertGroup[] = [
  SERVICE_ALERTS,
  LOG_ALERTS,
  CLUSTER_ALERTS,
  MODEL_ALERTS,
  MEMORY_ALERTS,
  TENANT_ALERTS,
];
