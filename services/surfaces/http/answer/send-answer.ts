import type { ServerResponse } from 'node:http';
import type { Answer } from '../endpoint.ts';

export const sendHead = (response: ServerResponse, { status, headers }: Omit<Answer, 'body'>): void => {
  response.statusCode = status;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  for (const name in headers) response.setHeader(name, headers[name]!);
};

/** Whether the client already has the version in the answer's `ETag`. */
const isKept = (response: ServerResponse): boolean => {
  const tag = response.getHeader('ETag');
  const kept = response.req.headers['if-none-match']?.split(',') ?? [];
  return tag !== undefined && kept.some(one => one.trim().replace(/^W\//, '') === tag);
};

/** Sends an answer; drops it if another one (a timeout) was already sent. */
export const send = (
  response: ServerResponse,
  { status, body, contentType, headers, sent }: Answer,
): void => {
  if (response.headersSent || response.destroyed) return;
  if (sent) response.once('finish', sent);
  sendHead(response, { status, headers });
  if (body === undefined) {
    response.end();
    return;
  }
  if (isKept(response)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const content =
    contentType === undefined ? JSON.stringify(body) : body instanceof Uint8Array ? body : String(body);
  response.setHeader('Content-Type', contentType ?? 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(content));
  response.end(content);
};
