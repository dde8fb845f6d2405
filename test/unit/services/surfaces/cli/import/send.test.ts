import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { zipFile } from '../../../../../support/files/exports.ts';
import { type Body, importsOnStub } from '../../../../../support/files/importing.ts';
import type { Script } from '../../../../../support/http/stub-service.ts';

const { bodies, dataDir, importing, startService } = importsOnStub();

describe('an import that is broken off', () => {
  /** Twelve conversations; a server that knows what it stored, and has room for so many requests. */
  const conversations = (): Record<string, string> => ({
    'conversations.json': JSON.stringify(
      Array.from({ length: 12 }, (_, index) => ({
        uuid: `c${index}`,
        name: `Conversation ${index}`,
        chat_messages: [
          { uuid: 'm', sender: 'human', text: `number ${index}`, created_at: '2026-01-01T00:00:00Z' },
        ],
      })),
    ),
  });
  const world = async (room: number) => {
    const stored = new Set<string>();
    const limit = { room, key: 'first', lost: 0, user: 'owner' };
    const script: Script = ({ path, body }) => {
      if (path === '/me') return { status: 200, body: { org_id: 'acme', user_id: limit.user } };
      if (path !== '/ingestion/memory') return undefined;
      const { scope, turns } = body as Body;
      const isKnown = stored.has(scope.session_id!);
      if (!isKnown && stored.size >= limit.room)
        return {
          status: 429,
          body: { message: 'Daily quota exceeded.', details: { error: 'quota_exceeded' } },
        };
      stored.add(scope.session_id!);
      if (limit.lost-- > 0) return 'drop';
      const usage = { tokens_in: isKnown ? 0 : turns.length, tokens_out: 0 };
      const job_id = `${limit.key} ${scope.session_id}`;
      return { status: 202, body: { job_id, active_fragment_ids: [], passive_job_id: null, usage } };
    };
    await startService(script);
    return { stored, limit, zip: await zipFile('claude.zip', conversations()) };
  };
  const sent = (): number => bodies().length;
  const kept = (): { requests: number } | undefined => {
    const folder = join(dataDir(), 'imports');
    const [state] = readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
    return state;
  };

  it('by a quota says how to go on, and goes on there, with nothing sent twice but the last request', async () => {
    const { stored, limit, zip } = await world(5);
    const first = await importing(zip);
    expect(first.status).toBe(1);
    expect(first.stderr).toContain('stopped with 5 turns stored this time; the same command resumes after');
    expect(first.stderr).toMatch(/Daily quota exceeded\.\n {2}an operator raises the caps with/);
    // Four are under way at a time: of those that stand behind one that was refused nothing is kept.
    const acknowledged = kept()!.requests;
    expect(acknowledged).toBeGreaterThanOrEqual(2);
    expect(acknowledged).toBeLessThanOrEqual(5);

    limit.room = 100;
    const before = sent();
    const second = await importing(zip);
    const rest = 12 - acknowledged;
    expect(second.stderr).toContain(`resuming after ${acknowledged} turns that were stored before`);
    expect(second.stdout).toContain(`${rest} turns stored in ${rest} requests, 7 tokens billed`);
    expect({ sent: sent() - before, stored: stored.size }).toEqual({ sent: rest + 1, stored: 12 });
    expect(kept()).toBeUndefined();

    // Again from the beginning: all is known.
    expect((await importing(zip)).stdout).toContain('12 turns stored in 12 requests, 0 tokens billed');
  });

  it('says where the next one goes on, also when that is broken off', async () => {
    const { limit, zip } = await world(5);
    const first = await importing(zip);
    limit.room = 8;
    const second = await importing(zip);
    limit.room = 100;
    const third = await importing(zip);
    const told = (stderr: string) => /resumes after the first (\d+) turns/.exec(stderr)?.[1];
    expect(second.stderr).toContain(`resuming after ${told(first.stderr)} turns`);
    expect(third.stderr).toContain(`resuming after ${told(second.stderr)} turns`);
  });

  it('where nothing can be kept says that the next one starts over', async () => {
    const { zip } = await world(5);
    writeFileSync(join(dataDir(), 'imports'), '');
    expect((await importing(zip)).stderr).toContain('stored this time; the same command starts over, and');
  });

  it('starts over with --restart, for another user, and on a server that does not know the last request', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    limit.room = 100;
    const before = sent();
    expect((await importing(zip, '--user', 'other')).stdout).toContain('12 turns stored in 12 requests');
    expect(sent() - before).toBe(12);

    const again = await importing(zip, '--restart');
    expect(again.stdout).toContain('12 turns stored in 12 requests, 0 tokens billed');

    stored.clear();
    limit.room = 5;
    await importing(zip);
    stored.clear();
    limit.room = 100;
    const anew = await importing(zip);
    expect(anew.stderr).toBe('');
    // The cost of the question is on the bill too.
    expect(anew.stdout).toContain('12 turns stored in 12 requests, 12 tokens billed');
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where a service that lost all is broken off too', async () => {
    const { stored, limit, zip } = await world(9);
    await importing(zip);
    expect(kept()!.requests).toBeGreaterThan(5);

    stored.clear();
    limit.room = 3;
    expect((await importing(zip)).status).toBe(1);
    // The question went to storage, and a few from the beginning.
    expect(stored.size).toBe(3);

    limit.room = 100;
    expect((await importing(zip)).status).toBe(0);
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where the question itself is broken off behind the store', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    stored.clear();
    limit.room = 100;
    limit.lost = 1;
    const broken = await importing(zip);
    expect(broken.status).toBe(69);
    expect(stored.size).toBe(1);
    expect((await importing(zip)).status).toBe(0);
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where another service happens to know the last request', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    limit.key = 'second';
    limit.room = 100;
    const last = `claude-c${kept()!.requests - 1}`;
    stored.clear();
    stored.add(last);
    expect((await importing(zip)).stderr).toBe('');
    expect(stored.size).toBe(12);
  });

  it('leaves nothing out where the same file gives other requests, as under another name', async () => {
    const chat = Array.from({ length: 1_200 }, (_, index) => `[12.03.26, 10:00:00] Ada: number ${index}\n`);
    const files = { '_chat.txt': chat.join('') };
    const args = ['--time-zone', 'UTC'];
    const ofBen = await zipFile('WhatsApp Chat - Ben.zip', files);
    let room = 2;
    // Knows everything: only the file itself tells.
    const answer = { job_id: 'j', active_fragment_ids: [], passive_job_id: null, usage: { tokens_in: 0 } };
    await startService(({ path }) => {
      if (path !== '/ingestion/memory') return undefined;
      return room-- > 0 ? { status: 202, body: answer } : { status: 429, body: { message: 'full' } };
    });
    expect((await importing(ofBen, ...args)).status).toBe(1);
    expect(kept()!.requests).toBe(2);
    room = 100;
    const ofCy = await importing(await zipFile('WhatsApp Chat - Cy.zip', files), ...args);
    expect(ofCy.stderr).toBe('');
    expect(ofCy.stdout).toContain('1,200 turns stored in 3 requests');
  });

  it("starts over for another user's key, whose turns go elsewhere", async () => {
    const { limit, zip } = await world(5);
    await importing(zip);
    limit.room = 100;
    limit.user = 'other';
    const { stderr, stdout } = await importing(zip);
    expect(stderr).toBe('');
    expect(stdout).toContain('12 turns stored in 12 requests');
  });

  it('forgets with --restart before anything is sent', async () => {
    const { stored, limit, zip } = await world(5);
    await importing(zip);
    limit.room = 0;
    const before = sent();
    stored.clear();
    expect((await importing(zip, '--restart')).status).toBe(1);
    expect(kept()).toBeUndefined();
    expect(sent()).toBeGreaterThan(before);
  });

  it('is forgotten after ninety days, where its file never came again', async () => {
    const { zip } = await world(100);
    const folder = join(dataDir(), 'imports');
    mkdirSync(folder);
    const daysAgo = (name: string, days: number) => {
      writeFileSync(join(folder, name), '{}');
      utimesSync(join(folder, name), new Date(), new Date(Date.now() - days * 86_400_000));
    };
    daysAgo('old.json', 91);
    daysAgo('old.txt', 91);
    daysAgo('young.json', 89);
    expect((await importing(zip)).status).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['old.txt', 'young.json']);
  });

  it('is sent, with one warning, where nothing can be kept', async () => {
    const { zip } = await world(100);
    writeFileSync(join(dataDir(), 'imports'), 'a file');
    const { status, stdout, stderr } = await importing(zip);
    expect(status).toBe(0);
    expect(stdout).toContain('12 turns stored');
    expect(stderr).toBe(
      `turnstone: can't store the import's progress in ${dataDir()} (ENOTDIR): if interrupted, it starts over\n`,
    );
  });
});

describe('a channel with threads', () => {
  const message = (second: number, text: string, thread?: number) => ({
    type: 'message',
    user: 'U1',
    ts: `17724420${10 + second}.000000`,
    text,
    ...(thread !== undefined && { thread_ts: `17724420${10 + thread}.000000` }),
  });
  const channels = () =>
    zipFile('slack.zip', {
      'channels.json': '[{"id":"C1","name":"general"},{"id":"C2","name":"other"}]',
      'users.json': '[{"id":"U1","name":"ada"}]',
      'general/2026-03-02.json': JSON.stringify([
        message(0, 'Who has the key?', 0),
        message(1, 'Lunch?'),
        message(2, 'I do.', 0),
        message(3, 'At noon.'),
        message(4, 'Thanks.', 0),
      ]),
      'other/2026-03-02.json': JSON.stringify([message(5, 'Elsewhere.')]),
    });

  it('is sent in a request a session, each with its own title', async () => {
    await startService();
    const { stdout } = await importing(await channels());
    expect(stdout).toContain('6 turns stored in 3 requests');
    const sent = bodies().map(body => {
      const { options } = body as Body & { options?: { session_title?: string } };
      return [body.scope.session_id, options?.session_title, body.turns.map(({ text }) => text)];
    });
    expect(sent.toSorted()).toEqual([
      ['slack-C1', '#general', ['Lunch?', 'At noon.']],
      ['slack-C1-1772442010.000000', '#general: Who has the key?', ['Who has the key?', 'I do.', 'Thanks.']],
      ['slack-C2', '#other', ['Elsewhere.']],
    ]);
  });

  it('is selected with them by --only', async () => {
    await startService();
    const { stdout } = await importing(await channels(), '--only', '#general');
    expect(stdout).toContain('5 turns stored in 2 requests');
    expect(stdout).toContain('messages of other conversations: 1');
  });
});
