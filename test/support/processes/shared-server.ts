import { type Server, startServer } from './server.ts';

let started: Promise<Server> | undefined;

/**
 * The server that the files of a worker share, for tests that need no more than organizations of their own,
 * which they sign up. It has no limits of failures and open requests, and ends with the worker.
 */
export const sharedServer = (): Promise<Server> => {
  started ??= startServer({
    environment: {
      TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000',
      TURNSTONE_OPEN_REQUESTS_PER_MINUTE: '0',
      TURNSTONE_SIGNUPS_PER_MINUTE: '0',
    },
  });
  return started;
};
