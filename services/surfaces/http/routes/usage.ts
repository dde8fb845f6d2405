import type { UseCases } from '../../../../core/use-cases.ts';
import { auditOperations } from '../../../../schemas/http/audit.ts';
import { statsOperations } from '../../../../schemas/http/stats.ts';
import { usageOperations } from '../../../../schemas/http/usage.ts';
import { type Endpoint, route } from '../endpoint.ts';

const { usageToday, usageMonth, usageDaily, usageStatement } = usageOperations;

/** Usage, counts by day, and the audit log: what an organization may know of what was done. */
export const usageEndpoints = (useCases: UseCases): Endpoint[] => [
  route(usageToday, async ({ principal, query, context }) =>
    useCases.usageToday(principal, query(), context),
  ),
  route(usageMonth, async ({ principal, query }) => useCases.usageMonth(principal, query())),
  route(usageDaily, async ({ principal, query }) => useCases.usageDaily(principal, query())),
  route(usageStatement, async ({ principal, query, context }) =>
    useCases.usageStatement(principal, query().month!, context),
  ),
  route(statsOperations.readStats, ({ principal, query }) => useCases.stats(principal, query())),
  route(auditOperations.readAudit, ({ principal, query }) => useCases.audit(principal, query())),
];
