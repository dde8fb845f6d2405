import { openApiDocument } from '../../../schemas/openapi.ts';
import { PAGE_POLICY } from '../docs/layout.ts';
import { makeSite } from '../docs/site.ts';
import type { Endpoint } from '../endpoint.ts';
import { once } from '../once.ts';

/** A picture may have styles of its own; opened by itself it may do nothing else. */
const ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** One endpoint a file, so that what is no page is a 404 like any other path and no path is ever read from a request. */
export const docsEndpoints = (): Endpoint[] => {
  const { pages, assets } = makeSite(once(openApiDocument));
  const endpoint = (path: string, body: () => string, contentType: string, policy: string): Endpoint => ({
    method: 'get',
    path,
    access: 'open',
    handle: async () => ({
      status: 200,
      body: body(),
      contentType,
      headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
    }),
  });
  return [
    {
      method: 'get',
      path: '/docs/',
      access: 'open',
      handle: async () => ({ status: 308, headers: { Location: '/docs' } }),
    },
    ...pages.map(({ address, html }) => endpoint(address, html, 'text/html; charset=utf-8', PAGE_POLICY)),
    ...assets.map(({ address, text, contentType }) => endpoint(address, text, contentType, ASSET_POLICY)),
  ];
};
