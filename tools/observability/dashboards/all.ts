import type { Dashboard } from './dashboard.ts';
import { LOG } from './log.ts';
import { MEMORY } from './memory.ts';
import { SERVICE } from './service.ts';
import { TENANTS } from './tenants.ts';

export const DASHBOARDS: readonly Dashboard[] = [SERVICE, LOG, MEMORY, TENANTS];
