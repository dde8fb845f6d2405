import { execFileSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, test } from 'vitest';
import {
  curl,
  firstTurn,
  ingestExample,
  pythonSnippet,
  typescript,
} from '../../../console/src/words/snippets.ts';
import type { RecallBody } from '../../../schemas/http/recall.ts';

const URL = 'http://127.0.0.1:8080';

/** Everything that one of the three languages would read as something else. */
const NASTY = `it's "so" $HOME \`id\` \\ \\n %s {x} \u2028 \u0085 é 🌲 end`;

const body = (more: Partial<RecallBody> = {}): RecallBody => ({
  scope: { org_id: 'local' },
  q: NASTY,
  ...more,
});

const full = body({
  scope: { org_id: 'local', user_id: "o'neil", session_id: 'a b' },
  mode: 'deep',
  top_k: 3,
  include_timeline: true,
  kinds: ['turn', 'entity'],
  since: '2026-01-01T00:00:00Z',
  until: '2026-02-01T23:59:59.999Z',
  as_of: '2026-03-01T10:00:59.999Z',
});

/** Returns the arguments that a shell hands to curl, a list for each call. */
const calls = (script: string): string[][] => {
  const shim = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done >&2; printf '\\n\\0' >&2; }\n`;
  const { stderr } = {
    stderr: execFileSync('bash', ['-c', `exec 2>&1 >/dev/null\n${shim}${script}`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TURNSTONE_API_KEY: 'ts_secret', HOME: '/elsewhere' },
    }),
  };
  return stderr
    .split('\n\0')
    .slice(0, -1)
    .map(call => call.split('\0').slice(0, -1));
};

describe('the same call as curl', () => {
  test('sends the key from the environment, then exactly the body', () => {
    const [recall, ...others] = calls(curl(URL, full));
    expect(others).toEqual([]);
    expect(recall).toContain('x-api-key: ts_secret');
    expect(recall).toContain(`${URL}/recall`);
    expect(JSON.parse(recall!.at(-1)!)).toEqual(full);
  });
});

describe('the first turn', () => {
  test('is of the organization and the user of the key', () => {
    const [ingest] = calls(firstTurn("https://o'neil.example", 'acme'));
    expect(ingest).toContain("https://o'neil.example/ingestion/memory");
    expect(JSON.parse(ingest!.at(-1)!).scope).toEqual({ org_id: 'acme', session_id: 'monday' });
  });

  test('of the example goes to the service that is looked at', () => {
    const said = execFileSync('sh', ['-c', `npm() { echo "$TURNSTONE_URL $*"; }\n${ingestExample(URL)}`]);
    expect(String(said)).toBe(`${URL} run turnstone -- ingest docs/example.jsonl\n`);
  });
});

describe('the same call as TypeScript', () => {
  /** Returns what the client would be called with. */
  const called = async (code: string): Promise<{ options: unknown; args: unknown[] }> => {
    const seen: { options: unknown; args: unknown[] } = { options: undefined, args: [] };
    class Turnstone {
      constructor(options: unknown) {
        seen.options = options;
      }
      async recall(...args: unknown[]) {
        seen.args = args;
        return { hits: { turns: [] }, confidence: 0 };
      }
    }
    const javascript = stripTypeScriptTypes(code.replace(/^import .*\n/, ''));
    const run = new Function('Turnstone', 'console', `return (async () => {${javascript}})()`);
    await run(Turnstone, { log: () => {} });
    return seen;
  };

  test('asks the same', async () => {
    expect(await called(typescript(URL, full))).toEqual({
      options: { baseUrl: URL },
      args: [
        NASTY,
        {
          user: "o'neil",
          session: 'a b',
          mode: 'deep',
          topK: 3,
          includeTimeline: true,
          kinds: ['turn', 'entity'],
          since: '2026-01-01T00:00:00Z',
          until: '2026-02-01T23:59:59.999Z',
          asOf: '2026-03-01T10:00:59.999Z',
        },
      ],
    });
    expect((await called(typescript(URL, body({ include_timeline: false })))).args).toEqual([
      NASTY,
      { allUsers: true },
    ]);
  });
});

describe('the same call as Python', () => {
  test('quotes every string as Python reads it', () => {
    const code = pythonSnippet(URL, full);
    expect(code).toContain('user="o\'neil"');
    expect(code).not.toContain('all_users');
    expect(pythonSnippet(URL, body({}))).toContain('all_users=True');
    expect(code).toContain('include_timeline=True');
    expect(code).toContain('kinds=["turn", "entity"]');
    // JSON and Python both read it: JSON's escapes, and no line end of Unicode as it is.
    const quoted = /^ {8}(".*"),$/m.exec(code)?.[1];
    expect(JSON.parse(quoted!)).toBe(NASTY);
    expect(code).not.toMatch(/[\u0080-\u009f\u2028\u2029]/);
  });
});

test('no snippet holds a key or a token', () => {
  for (const write of [curl, typescript, pythonSnippet]) {
    expect(write(URL, full)).toContain('TURNSTONE_API_KEY');
    expect(write(URL, full)).not.toMatch(/ts_[0-9a-f]|eyJ/);
  }
});
