import type { UseCases } from '../../../../core/use-cases.ts';
import { ingestionOperations } from '../../../../schemas/http/ingestion.ts';
import { type Endpoint, route } from '../endpoint.ts';

const { ingest, job } = ingestionOperations;

export const ingestionEndpoints = (useCases: UseCases): Endpoint[] => [
  route(ingest, async ({ principal, body, context }) => useCases.ingest(principal, await body(), context)),
  route(job, ({ principal, params }) => useCases.job(principal, params.id!)),
];
