import type { UseCases } from '../../../../core/use-cases.ts';
import { curationOperations } from '../../../../schemas/http/curation.ts';
import { answering, type Endpoint, route } from '../endpoint.ts';

export const curationEndpoints = ({
  say,
  correct,
  retractTurn,
  retractObservation,
}: UseCases): Endpoint[] => [
  answering(curationOperations.say, async ({ principal, body, context, screened }) => ({
    status: curationOperations.say.answer.status,
    body: { ...(await say(principal, await body(), context)), ...screened() },
  })),
  route(curationOperations.correct, async ({ principal, params, body, context, screened }) => ({
    ...(await correct(principal, params.id!, await body(), context)),
    ...screened(),
  })),
  route(curationOperations.retractTurn, ({ principal, params, context }) =>
    retractTurn(principal, params.id!, context),
  ),
  route(curationOperations.retractObservation, ({ principal, params, context }) =>
    retractObservation(principal, params.id!, context),
  ),
];
