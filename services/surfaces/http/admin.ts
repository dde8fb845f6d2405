import express, { type ErrorRequestHandler, type Express } from 'express';
import { ServiceError } from '../../core/errors.ts';
import type { OperatorCalls } from '../../core/ports/operator-calls.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Accounts } from '../../use-cases/accounts/accounts.ts';
import { operatorCallHandler } from './operator-calls.ts';

const isCap = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The operator's API, served only on a socket in the data folder. */
export const makeAdminApp = ({
  accounts,
  calls,
  log,
  closing,
}: {
  accounts: Accounts;
  calls: OperatorCalls;
  log: Log;
  /** Aborted when the server is closing. */
  closing: AbortSignal;
}): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '16kb' }));
  app.get('/orgs', async (_request, response) => {
    response.json({ orgs: await accounts.organizations() });
  });
  app.post('/orgs', async (request, response) => {
    response.status(201).json(await accounts.createOrganization(request.body?.org_id));
  });
  app.post('/orgs/:id/keys', async (request, response) => {
    response.status(201).json(await accounts.recoverKey(request.params.id));
  });
  app.put('/orgs/:id/limits', async (request, response) => {
    const { tokens_in, tokens_out } = request.body ?? {};
    if (!isCap(tokens_in) || !isCap(tokens_out)) {
      throw new ServiceError(
        'invalid',
        'tokens_in and tokens_out must be whole numbers from 0; 0 means no cap.',
      );
    }
    await accounts.setLimits(request.params.id, { tokens_in, tokens_out });
    response.status(204).end();
  });
  app.put('/orgs/:id/retention', async (request, response) => {
    response.json(await accounts.setRetention(request.params.id, request.body?.days));
  });
  app.post('/calls/:name', operatorCallHandler(calls, log, closing));
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (!(error instanceof ServiceError)) log.error({ err: error }, 'an operator call failed');
    const status = error instanceof ServiceError ? error.status : 500;
    response
      .status(status)
      .json({ message: error instanceof ServiceError ? error.message : 'Something went wrong.' });
  };
  app.use(onError);
  return app;
};
