/** The console: files that Vite built from services/surfaces/console, served under a policy that lets them ask this host alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ServiceError } from '../../core/errors.ts';
import type { Answer, Call, Endpoint } from './endpoint.ts';

/** Found from here in the sources and in the package alike. */
const BUILT = fileURLToPath(new URL('../console/dist/', import.meta.url));
const INDEX = 'index.html';
const ASSETS = 'assets/';

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

/** For the person who opens it; with a 503, which whoever watches a deployment sees. Waiting does not help, so none is named. */
const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnstone console: not built</title></head>
<body><main><h1>The console is not built</h1>
<p>In the folder of the sources, run <code>npm run build:console</code>, then start the service again.</p>
<p>Everything else works without it: <a href="/docs">the API</a>.</p></main></body></html>
`;

interface File {
  contentType: string;
  bytes: Buffer;
  gzipped: Buffer;
}

/** All files of a folder by their path in it, with `/` between its parts; empty when there is no such folder. */
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
    // An asset's name changes with what it holds; the page that names the assets is asked for each time.
    'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
  },
});

/**
 * `/console` and what is below it. The page has routes of its own, so every path answers it but those of files.
 * `folder` holds the built files; they are read when the first is asked for.
 */
export const consoleEndpoints = (folder = BUILT): Endpoint[] => {
  let files: Map<string, File> | undefined;

  const page = async ({ accepts }: Call, path = ''): Promise<Answer> => {
    files ??= readFiles(folder);
    const index = files.get(INDEX);
    if (!index) {
      const headers = { ...SECURITY, 'Cache-Control': 'no-store' };
      return { status: 503, body: NOT_BUILT, contentType: CONTENT_TYPES['.html']!, headers };
    }
    const file = files.get(path);
    if (!file && (path.startsWith(ASSETS) || extname(path) !== ''))
      throw new ServiceError('not_found', 'There is nothing at this path.');
    return answerWith(file ?? index, path.startsWith(ASSETS), accepts('gzip'));
  };

  return ['/console', '/console/', '/console/*path'].map(path => ({
    method: 'get',
    path,
    access: 'open',
    quiet: true,
    // A wildcard's value is the list of its segments.
    handle: call => page(call, ([call.params.path ?? []] as unknown as string[][]).flat().join('/')),
  }));
};
