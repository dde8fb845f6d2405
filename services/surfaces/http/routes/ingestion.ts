import type { UseCases } from '../../../../core/use-cases.ts';
import { ingestionOperations } from '../../../../schemas/http/ingestion.ts';
import { type Endpoint, route } from '../endpoint.ts';

const { ingest, job } = ingestionOperations;

export const ingestionEndpoints = (useCases: UseCases): Endpoint[] => [
  route(ingest, async ({ principal, body, context, screened }) => ({
    ...(await useCases.ingest(principal, await body(), context)),
    ...screened(),
  })),
  route(job, ({ principal, params }) => useCases.job(principal, params.id!)),
];
