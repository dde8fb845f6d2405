import { rmSync } from 'node:fs';
import type { Server } from 'node:http';

/** How long in-flight requests may take before their connections are closed. */
const DRAIN_MS = 6_000;

/** Resolves when the server listens; rejects with the system error. */
export const listen = (server: Server, where: { host: string; port: number } | string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    const listening = (): void => {
      server.off('error', reject);
      resolve();
    };
    if (typeof where === 'string') server.listen(where, listening);
    else server.listen(where, listening);
  });

/** Listens on a socket that only its owner may use. */
export const listenPrivately = async (server: Server, path: string): Promise<void> => {
  rmSync(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await listen(server, path);
  } finally {
    process.umask(mask);
  }
};

/** Stops accepting connections, waits for requests in flight, then closes the remaining connections. */
export const drain = (server: Server): Promise<void> =>
  new Promise(resolve => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
