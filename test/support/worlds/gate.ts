import http from 'node:http';

/** The fate of a request: it passes, is refused with a status, or only its answer waits for the promise. */
export type Passage = 'pass' | { status: number; body: string } | { answerAfter: Promise<void> };

/** An HTTP server in front of an engine, at which a test stops or refuses single requests. */
export const openGate = async (target: string) => {
  const engine = new URL(target);
  const seen: string[] = [];
  let passage: (text: string) => Passage = () => 'pass';
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const text = `${decodeURIComponent(request.url!.replaceAll('+', ' '))}\n${body}`;
    seen.push(text);
    const verdict = passage(text);
    if (typeof verdict === 'object' && 'status' in verdict) {
      response.writeHead(verdict.status).end(verdict.body);
      return;
    }
    const onward = http.request(
      engine.origin + request.url,
      { method: request.method, headers: request.headers },
      async answer => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part as Buffer);
        if (verdict !== 'pass') await verdict.answerAfter;
        response.writeHead(answer.statusCode!, answer.headers).end(Buffer.concat(parts));
      },
    );
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  // Callers that may speak to the engine say so through the gate as well.
  const url = Object.assign(new URL(`http://127.0.0.1:${port}`), {
    username: engine.username,
    password: engine.password,
  });
  return {
    url: url.href,
    /** Query and values of every request so far. */
    seen,
    /** From now on each request is judged by this. */
    judge: (next: (text: string) => Passage): void => {
      passage = next;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
};
