import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ServiceError } from '../../../../core/errors.ts';
import { openApiDocument } from '../../../../schemas/openapi.ts';
import { PAGE_POLICY } from '../docs/layout.ts';
import { makeSite } from '../docs/site.ts';
import type { Endpoint } from '../endpoint.ts';
import { once } from '../request/once.ts';

/** An image opened on its own may use its own styles and nothing else. */
const ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A file, plain and compressed, prepared on first request. */
const packed = (text: () => string) =>
  once(() => {
    const bytes = Buffer.from(text());
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { bytes, gzipped: gzipSync(bytes), digest };
  });

/** An endpoint per file: other paths are ordinary 404s, and no file path ever comes from a request. */
export const docsEndpoints = (): Endpoint[] => {
  const { pages, assets, nothing } = makeSite(once(openApiDocument));
  const endpoint = (path: string, text: () => string, contentType: string, policy: string): Endpoint => {
    const file = packed(text);
    return {
      method: 'get',
      path,
      access: 'open',
      handle: async ({ acceptsGzip }) => {
        const { bytes, gzipped, digest } = file();
        const gzip = acceptsGzip();
        return {
          status: 200,
          body: gzip ? gzipped : bytes,
          contentType,
          headers: {
            'Content-Security-Policy': policy,
            'Referrer-Policy': 'no-referrer',
            // Revalidated each time: the content changes with the running version.
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
    {
      method: 'get',
      path: '/docs/*path',
      access: 'open',
      isForNothing: true,
      // Programs are refused as everywhere.
      handle: async ({ acceptsHtml }) => {
        if (!acceptsHtml()) throw new ServiceError('not_found', 'There is nothing at this path.');
        const headers = { 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-store' };
        return { status: 404, body: nothing(), contentType: 'text/html; charset=utf-8', headers };
      },
    },
  ];
};
