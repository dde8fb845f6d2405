/** The common part of both modes' floors: parsing a body, announcing the address, and stopping. */
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';

export const makeFloor = (): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.json({ limit: '4mb' }));
  return app;
};

/** Listens on a free port, which it prints as the service does; at SIGTERM it calls `close` and exits. */
export const serveFloor = (app: Express, close: () => Promise<void>): void => {
  const server = app.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`the floor is ready on http://127.0.0.1:${port}\n`);
  });
  process.on('SIGTERM', async () => {
    server.close();
    server.closeAllConnections();
    await close();
    process.exit(0);
  });
};
