import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { openApiDocument } from '../../../../schemas/openapi.ts';
import { PAGE_POLICY } from '../docs/layout.ts';
import { makeSite } from '../docs/site.ts';
import type { Endpoint } from '../endpoint.ts';
import { once } from '../once.ts';

/** A picture may have styles of its own; opened by itself it may do nothing else. */
const ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A file in the two forms in which it is sent, made when it is first asked for. */
const packed = (text: () => string) =>
  once(() => {
    const bytes = Buffer.from(text());
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { bytes, gzipped: gzipSync(bytes), digest };
  });

/** One endpoint a file, so that what is no page is a 404 like any other path and no path is ever read from a request. */
export const docsEndpoints = (): Endpoint[] => {
  const { pages, assets } = makeSite(once(openApiDocument));
  const endpoint = (path: string, text: () => string, contentType: string, policy: string): Endpoint => {
    const file = packed(text);
    return {
      method: 'get',
      path,
      access: 'open',
      handle: async ({ accepts }) => {
        const { bytes, gzipped, digest } = file();
        const gzip = accepts('gzip');
        return {
          status: 200,
          body: gzip ? gzipped : bytes,
          contentType,
          headers: {
            'Content-Security-Policy': policy,
            'Referrer-Policy': 'no-referrer',
            // Of the version that runs: asked for each time, and sent when it has changed.
            'Cache-Control': 'no-cache',
            ETag: gzip ? `"${digest}-gzip"` : `"${digest}"`,
            Vary: 'Accept-Encoding',
            ...(gzip && { 'Content-Encoding': 'gzip' }),
          },
        };
      },
    };
  };
  return [
    ...pages.map(
      ({ address }): Endpoint => ({
        method: 'get',
        path: `${address}/`,
        access: 'open',
        handle: async () => ({ status: 308, headers: { Location: address } }),
      }),
    ),
    ...pages.map(({ address, html }) => endpoint(address, html, 'text/html; charset=utf-8', PAGE_POLICY)),
    ...assets.map(({ address, text, contentType }) => endpoint(address, text, contentType, ASSET_POLICY)),
  ];
};
