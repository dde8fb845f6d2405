/**
 * A hostile tenant as a process of its own: run with the service's URL and the tenant's key. It does all at
 * once what costs the service most, until it is ended, and prints what came back as JSON when it gets
 * SIGTERM.
 */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

// It shares the machine with the service and must not be measured itself.
setPriority(19);

const [url = '', key = ''] = process.argv.slice(2);
const WRITERS = 4;
const SHUFFLERS = 2;
const RECALLERS = 4;
const ERASERS = 4;
const LONGEST_NAME = 'a'.repeat(200);
const SLOW = 1_000;
const FEEDS = 1_000;

const seen: Record<string, Record<string, number>> = {};
const count = (what: string, outcome: string | number): void => {
  seen[what] ??= {};
  const counts = seen[what];
  counts[outcome] = (counts[outcome] ?? 0) + 1;
};

const agent = new Agent({ keepAlive: true });
interface Answer {
  status: number;
  retryAfter: number;
  body: string;
}

const call = (path: string, body: string, token?: string, method = 'POST'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      {
        method,
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          ...(token && { authorization: `Bearer ${token}` }),
        },
      },
      answer => {
        let text = '';
        answer.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            retryAfter: Number(answer.headers['retry-after'] ?? 0),
            body: text,
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

const forever = async (what: string, step: () => Promise<Answer>): Promise<void> => {
  for (;;) {
    try {
      const { status } = await step();
      count(what, status);
      // A hostile client doesn't wait as long as it is told to.
      if (status >= 400) await pause(100);
    } catch (error) {
      count(what, (error as NodeJS.ErrnoException).code ?? 'error');
      await pause(100);
    }
  }
};

const turn = (text: string, observations: string[] = []) => ({
  role: 'user',
  text,
  timestamp: '2026-01-05T09:30:00Z',
  observations,
});

const write = (session: string, turns: object[], token: string): Promise<Answer> =>
  call(
    '/ingestion/memory',
    JSON.stringify({ scope: { org_id: 'x', user_id: 'known', session_id: session }, turns }),
    token,
  );

const hugeText = (): string => '𝔄'.repeat(4_096);
const largestWrite = (token: string): Promise<Answer> => {
  const observations = Array.from({ length: 64 }, hugeText);
  const turns = Array.from({ length: 3 }, () => turn(randomBytes(6).toString('hex'), observations));
  return write(`s${randomBytes(2).toString('hex')}`, turns, token);
};

/** Erases somebody of whom there is a turn, and somebody of whom there is nothing. */
const erasure = async (n: number): Promise<Answer> => {
  const user_id = `erased${n}`;
  const scope = { org_id: 'x', user_id };
  if (n % 2 === 0)
    await call('/ingestion/memory', JSON.stringify({ scope, turns: [turn(`erased ${n}`)] }), token);
  return call('/memory', JSON.stringify({ scope }), token, 'DELETE');
};

/** Keeps a post open that never ends; opens it again when it is closed. */
const slowPost = async (): Promise<void> => {
  const { hostname, port } = new URL(url);
  for (;;) {
    await new Promise<void>(resolve => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          'POST /auth/token-exchange HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
        );
      });
      const drip = setInterval(() => socket.write(' '), 2_000);
      socket.on('error', () => {});
      socket.on('data', data => count('slow posts', data.toString('latin1').slice(9, 12)));
      socket.on('close', () => {
        clearInterval(drip);
        resolve();
      });
    });
    count('slow posts', 'closed');
    await pause(1_000);
  }
};

const feed = async (token: string): Promise<void> => {
  for (;;) {
    await new Promise<void>(resolve => {
      const sent = request(
        `${url}/events?after=now`,
        { agent: new Agent(), headers: { authorization: `Bearer ${token}` } },
        answer => {
          count('feeds', answer.statusCode!);
          answer.on('data', () => {});
          answer.on('close', resolve);
        },
      );
      sent.on('error', () => resolve());
      sent.end();
    });
    await pause(1_000);
  }
};

const exchanged = async (apiKey: string): Promise<string> => {
  const { body } = await call('/auth/token-exchange', JSON.stringify({ api_key: apiKey }));
  return (JSON.parse(body) as { access_token: string }).access_token;
};
const token = await exchanged(key);
/** The new key of a user to whom nothing is said. */
const made = await call(
  '/me/api-keys',
  JSON.stringify({ name: 'idle', user_id: 'idle', roles: ['memory:read'] }),
  token,
);
const idle = await exchanged((JSON.parse(made.body) as { api_key: string }).api_key);

const known = Array.from({ length: 1_000 }, (_, n) => turn(`known turn ${n}`));
await write('known', known, token);
const someKnown = (): object[] => known.filter(() => Math.random() < 0.5);

for (let n = 0; n < WRITERS; n++) void forever('largest writes', () => largestWrite(token));
for (let n = 0; n < SHUFFLERS; n++) void forever('known turns', () => write('known', someKnown(), token));
for (let n = 0; n < RECALLERS; n++)
  void forever('recalls', () =>
    call(
      '/recall',
      JSON.stringify({ scope: { org_id: 'x' }, q: `which known turn is ${n}?`, mode: 'deep' }),
      token,
    ),
  );
for (let n = 0; n < ERASERS; n++) {
  let next = n;
  void forever('erasures', () => {
    next += ERASERS;
    return erasure(next);
  });
}
let named = 0;
void forever('titles', () =>
  call(
    '/memory/sessions/known?user_id=known',
    JSON.stringify({ title: `${named++} ${LONGEST_NAME}`.slice(0, 200) }),
    token,
    'PATCH',
  ),
);
void forever('names', () =>
  call('/memory/users/idle', JSON.stringify({ names: [`Ida ${named++}`] }), token, 'PUT'),
);
void forever('receipts', () =>
  call(
    '/recall',
    JSON.stringify({ scope: { org_id: 'x' }, q: `which ${named++}?`, include_hits: false, receipt: true }),
    token,
  ),
);
for (let n = 0; n < SLOW; n++) void slowPost();
for (let n = 0; n < FEEDS; n++) void feed(idle);

process.once('SIGTERM', () => {
  process.stdout.write(JSON.stringify(seen));
  process.exit(0);
});
process.stdout.write('attacking\n');
