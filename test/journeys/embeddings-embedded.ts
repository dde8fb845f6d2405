/** The service on a folder of its own with an embedding model behind it, from the write to the answer. */
import { expect } from 'vitest';
import { type EmbeddingServer, startEmbeddingServer } from '../support/http/embedding-server.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { environmentOf } from './embeddings.ts';

export interface ServiceWithModel {
  endpoint: EmbeddingServer;
  start(options?: { dataDir?: string; environment?: Record<string, string> }): Promise<Server>;
  /** Ends the servers that it started, and the model. */
  close(): Promise<void>;
}

export const makeServiceWithModel = async (): Promise<ServiceWithModel> => {
  const endpoint = await startEmbeddingServer();
  const servers: Server[] = [];
  return {
    endpoint,
    start: async (options = {}) => {
      const environment = { ...environmentOf(endpoint), ...options.environment };
      const server = await startServer({ ...options, environment });
      servers.push(server);
      return server;
    },
    close: async () => {
      await Promise.all(servers.map(server => server.kill()));
      await endpoint.close();
    },
  };
};

/** Runs an operator's command on the folder, and returns what it prints. */
export const operate = async (dataDir: string, ...args: string[]): Promise<string> => {
  const ended = await runCommand(args, { TURNSTONE_DATA_DIR: dataDir });
  expect({ args, ...ended }).toMatchObject({ args, status: 0 });
  return ended.stdout;
};
