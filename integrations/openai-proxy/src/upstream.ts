/** Passes requests to the upstream and its answers back, as they are. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';

/** Headers of one connection, which aren't passed on, nor those that are the proxy's own. */
const NOT_PASSED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|x-turnstone-.*)$/;

const passed = (raw: readonly string[], also: string[] = []): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, i): [string, string] => [raw[2 * i]!, raw[2 * i + 1]!]).filter(
    ([name]) => !NOT_PASSED.test(name.toLowerCase()) && !also.includes(name.toLowerCase()),
  );

/**
 * Sends a request to `url`, with `body` or its own, which is passed on as it comes. `timeoutMs` is without a
 * byte from the upstream. Resolves with the beginning of the answer; rejects if there is none.
 */
export const forward = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { body, timeoutMs }: { body?: Buffer; timeoutMs: number },
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // An answer to a chat is read as it passes by, so it must not be compressed.
    const headers = passed(request.rawHeaders, body ? ['content-length', 'accept-encoding'] : []);
    if (body) headers.push(['content-length', String(body.length)], ['accept-encoding', 'identity']);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    headers.push(['host', url.host]);
    const upstream = send(url, { method: request.method, headers: headers.flat() });
    upstream.setTimeout(timeoutMs, () => upstream.destroy(new Error('The upstream is silent.')));
    upstream.once('error', reject);
    upstream.once('response', answer => {
      upstream.off('error', reject);
      // From here on the answer's own stream tells of a broken connection.
      upstream.on('error', () => {});
      resolve(answer);
    });
    response.once('close', () => upstream.destroy());
    if (body) upstream.end(body);
    else pipeline(request, upstream).catch(reject);
  });

/** Sends the answer on. Resolves when all of it was sent; rejects if it broke on either side. */
export const passBack = async (
  answer: IncomingMessage,
  response: ServerResponse,
  more: readonly [string, string][] = [],
): Promise<void> => {
  const headers = [...passed(answer.rawHeaders), ...more].flat();
  response.writeHead(answer.statusCode!, answer.statusMessage, headers);
  // A stream's reader gets the headers before its first event.
  response.flushHeaders();
  await pipeline(answer, response);
};
