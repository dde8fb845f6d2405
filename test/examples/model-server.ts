/**
 * An endpoint that speaks OpenAI's chat completions, as far as the examples do: it answers and keeps what it
 * was told.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ModelServer {
  /** To be given as the base URL. */
  url: string;
  /** The messages of each request. */
  asked: { role: string; content: string }[][];
  close(): void;
}

/** Answers with the number of the question. */
export const startModelServer = async (): Promise<ModelServer> => {
  const asked: ModelServer['asked'] = [];
  const server = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: ModelServer['asked'][number] };
    asked.push(messages);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ message: { role: 'assistant', content: `Answer ${asked.length}.` } }] }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
