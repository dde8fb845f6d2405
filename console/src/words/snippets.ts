/**
 * Writes a recall as code to paste, curl with one header and no exchange; the key comes from the environment,
 * so the code contains no secret.
 */
import type { RecallBody } from '../../../schemas/http/recall.ts';

/** Quotes `text` as one word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a JSON literal, also valid in JavaScript and Python: their escapes are a superset of JSON's. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const post = (url: string, path: string, body: unknown): string =>
  [
    `curl -s ${shellWord(url + path)} \\`,
    `  -H "x-api-key: $TURNSTONE_API_KEY" -H 'content-type: application/json' \\`,
    `  -d ${shellWord(JSON.stringify(body, null, 2))}`,
  ].join('\n');

export const curl = (url: string, body: RecallBody): string => post(url, '/recall', body);

/** Returns the README's example, for the service that served this page. */
export const ingestExample = (url: string): string =>
  `TURNSTONE_URL=${shellWord(url)} npm run turnstone -- ingest docs/example.jsonl`;

/** Returns a call for the key's own user, because not every key may name another one. */
export const firstTurn = (url: string, organization: string): string =>
  post(url, '/ingestion/memory', {
    scope: { org_id: organization, session_id: 'monday' },
    turns: [
      { role: 'Ada', text: 'My sister Grace moved to Lisbon in March.', timestamp: '2026-04-02T09:30:00Z' },
    ],
  });

/** Returns the options of a call by the client's names, in the form's order, without unset options. */
const given = (options: Record<string, unknown>): [string, unknown][] =>
  Object.entries(options).filter(([, value]) => value !== undefined && value !== false);

export const typescript = (url: string, body: RecallBody): string => {
  const options = given({
    user: body.scope.user_id,
    allUsers: body.scope.user_id === undefined,
    session: body.scope.session_id,
    mode: body.mode,
    topK: body.top_k,
    includeTimeline: body.include_timeline,
    kinds: body.kinds,
    since: body.since,
    until: body.until,
    asOf: body.as_of,
    receipt: body.receipt,
    utcOffset: body.utc_offset,
  });
  const lines = options.map(([name, value]) => `  ${name}: ${literal(value)},`);
  const call =
    lines.length === 0
      ? `turnstone.recall(${literal(body.q)})`
      : [`turnstone.recall(${literal(body.q)}, {`, ...lines, '})'].join('\n');
  return [
    "import { Turnstone } from '@turnstone/client';",
    '',
    '// The key is read from TURNSTONE_API_KEY.',
    `const turnstone = new Turnstone({ baseUrl: ${literal(url)} });`,
    `const { hits, confidence } = await ${call};`,
    'console.log(confidence, hits.turns);',
  ].join('\n');
};

const python = (value: unknown): string => {
  if (value === true) return 'True';
  return Array.isArray(value) ? `[${value.map(python).join(', ')}]` : literal(value);
};

export const pythonSnippet = (url: string, body: RecallBody): string => {
  const options = given({
    user: body.scope.user_id,
    all_users: body.scope.user_id === undefined,
    session: body.scope.session_id,
    mode: body.mode,
    top_k: body.top_k,
    include_timeline: body.include_timeline,
    kinds: body.kinds,
    since: body.since,
    until: body.until,
    as_of: body.as_of,
    receipt: body.receipt,
    utc_offset: body.utc_offset,
  });
  const lines = options.map(([name, value]) => `        ${name}=${python(value)},`);
  const call =
    lines.length === 0
      ? `turnstone.recall(${literal(body.q)})`
      : ['turnstone.recall(', `        ${literal(body.q)},`, ...lines, '    )'].join('\n');
  return [
    'from turnstone_client import Turnstone',
    '',
    '# The key is read from TURNSTONE_API_KEY.',
    `with Turnstone(base_url=${literal(url)}) as turnstone:`,
    `    answer = ${call}`,
    '    print(answer.confidence, answer.hits.turns)',
  ].join('\n');
};
