import type { UseCases } from '../../../../core/use-cases.ts';
import { auditOperations } from '../../../../schemas/http/audit.ts';
import { type Endpoint, route } from '../endpoint.ts';

export const auditEndpoints = ({ audit }: Pick<UseCases, 'audit'>): Endpoint[] => [
  route(auditOperations.readAudit, ({ principal, query }) => audit(principal, query())),
];
