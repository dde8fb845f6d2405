/** The console: Vite's build, served under a policy that allows requests to this host only. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ServiceError } from '../../../core/errors.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';

/** The same relative path in the sources and in the package. */
const BUILT = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
const INDEX = 'index.html';
const ASSETS = 'assets/';
const ICON = '/console/favicon.svg';

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY = { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Referrer-Policy': 'no-referrer' };

/** Sent with a 503, which monitoring notices, and without Retry-After: waiting does not help. */
const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnstone console: not built</title></head>
<body><main><h1>The console is not built</h1>
<p>In the source folder, run <code>npm run build:console</code>, then restart the service.</p>
<p>Everything else works without it: <a href="/docs">the API</a>.</p></main></body></html>
`;

/** For somebody who asks for `/` at a terminal; a browser goes on to the console. */
const SIGNPOST = `Turnstone: a conversation memory service.

/console       the console
/docs          the documentation (for a model: /llms.txt)
/openapi.json  the API
`;

interface File {
  contentType: string;
  bytes: Buffer;
  gzipped: Buffer;
}

/** All files of a folder by relative path, with `/` as separator; empty if the folder does not exist. */
const readFiles = (folder: string): Map<string, File> => {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    names = [];
  }
  return new Map(
    names.map(name => {
      const bytes = readFileSync(name);
      const path = name.slice(join(folder, '/').length).replaceAll('\\', '/');
      const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
      return [path, { contentType, bytes, gzipped: gzipSync(bytes) }];
    }),
  );
};

const answerWith = ({ contentType, bytes, gzipped }: File, isAsset: boolean, gzip: boolean): Answer => ({
  status: 200,
  body: gzip ? gzipped : bytes,
  contentType,
  headers: {
    ...SECURITY,
    // An asset's name changes with its content; the page that refers to it is revalidated each time.
    'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
  },
});

const moved = (path: string, status: 303 | 308, location: string, body?: string): Endpoint => ({
  method: 'get',
  path,
  access: 'open',
  quiet: true,
  handle: async () => ({
    status,
    headers: { Location: location },
    ...(body !== undefined && { body, contentType: 'text/plain; charset=utf-8' }),
  }),
});

/**
 * `/`, the site's icon, `/console` and below. The page routes on the client side, so every path that is not
 * a file's returns the page. `folder` contains the built files, which are read on the first request.
 */
export const consoleEndpoints = (folder = BUILT): Endpoint[] => {
  let files: Map<string, File> | undefined;

  const page = async ({ acceptsGzip }: Call, path = ''): Promise<Answer> => {
    files ??= readFiles(folder);
    const index = files.get(INDEX);
    if (!index) {
      const headers = { ...SECURITY, 'Cache-Control': 'no-store' };
      return { status: 503, body: NOT_BUILT, contentType: CONTENT_TYPES['.html']!, headers };
    }
    const file = files.get(path);
    if (!file && (path.startsWith(ASSETS) || extname(path) !== ''))
      throw new ServiceError('not_found', 'There is nothing at this path.');
    return answerWith(file ?? index, path.startsWith(ASSETS), acceptsGzip());
  };

  const pages = ['/console', '/console/', '/console/*path'].map(
    (path): Endpoint => ({
      method: 'get',
      path,
      access: 'open',
      quiet: true,
      // A wildcard's value is the list of its segments.
      handle: call => page(call, ([call.params.path ?? []] as unknown as string[][]).flat().join('/')),
    }),
  );
  return [
    moved('/', 303, '/console', SIGNPOST),
    // Browsers ask for it where a page, such as an answer of the API, names no icon.
    moved('/favicon.ico', 308, ICON),
    ...pages,
  ];
};
