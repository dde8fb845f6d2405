import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AskedThread, startAskedThread } from '../../../../core/threads/ask.ts';
import type { Question } from '../../../support/processes/answering.thread.ts';
import { temporaryFolder } from '../../../support/processes/server.ts';
import { until } from '../../../support/wait.ts';

const FILE = new URL('../../../support/processes/answering.thread.ts', import.meta.url);

const started: AskedThread<Question, string>[] = [];
afterEach(async () => {
  for (const thread of started.splice(0)) {
    // A question that is held would be waited for.
    await thread.ask({ kind: 'release' }).catch(() => {});
    await thread.close();
  }
});

const start = (data: () => unknown = () => ({}), idleMs?: number) => {
  const error = vi.fn();
  const thread = startAskedThread<Question, string>({
    name: 'recall',
    file: FILE,
    message: 'Recall is starting again.',
    worker: () => ({ workerData: data(), resourceLimits: { maxOldGenerationSizeMb: 64 } }),
    log: { error },
    ...(idleMs !== undefined && { idleMs }),
  });
  started.push(thread);
  return { thread, error };
};

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it('answers, also what was asked before it had loaded', async () => {
  const { thread, error } = start();
  expect(thread.isReady()).toBe(false);
  const asked = ['a', 'b'].map(text => thread.ask({ kind: 'echo', text }));
  expect(thread.pending()).toBe(2);
  expect(await Promise.all(asked)).toEqual(['a', 'b']);
  expect([thread.pending(), thread.isReady(), thread.fault()]).toEqual([0, true, undefined]);
  await thread.started;
  expect(error).not.toHaveBeenCalled();
});

it('throws what the thread threw: an outage stays one, and a fault of the code is none', async () => {
  const { thread } = start();
  const outage = await faultOf(thread.ask({ kind: 'fail', with: 'outage' }));
  expect(outage).toMatchObject({
    code: 'unavailable',
    message: 'The engine is away.',
    retryAfter: 7,
    cause: 'a cause',
  });
  const fault = await faultOf(thread.ask({ kind: 'fail', with: 'fault' }));
  expect(fault).toMatchObject({ message: 'a fault of the code' });
  expect(fault).not.toHaveProperty('code');
  expect((fault as Error).stack).toContain('answering.thread.ts');
  expect(await faultOf(thread.ask({ kind: 'fail', with: 'what no thread can send' }))).toBeInstanceOf(Error);
  expect(await thread.ask({ kind: 'echo', text: 'lives on' })).toBe('lives on');
});

it('is replaced when it ends; what was asked is unavailable, and it has a fault until it can answer again', async () => {
  const { thread, error } = start();
  await thread.started;
  const pending = [faultOf(thread.ask({ kind: 'hold' })), faultOf(thread.ask({ kind: 'end' }))];
  for (const fault of await Promise.all(pending))
    expect(fault).toMatchObject({ code: 'unavailable', message: 'Recall is starting again.' });
  expect([thread.pending(), thread.isReady(), thread.fault()]).toEqual([0, false, 'ended by a test']);
  expect(await faultOf(thread.ask({ kind: 'echo', text: 'a' }))).toMatchObject({ code: 'unavailable' });
  expect(error.mock.calls).toEqual([
    [{ thread: 'recall', reason: 'ended by a test' }, 'ended, starting another'],
  ]);
  const meanwhile = new Set<string | undefined>();
  await until('it is ready again', () => thread.isReady() || !meanwhile.add(thread.fault()));
  expect([...meanwhile]).toEqual(['ended by a test']);
  expect(thread.fault()).toBeUndefined();
  expect(await thread.ask({ kind: 'echo', text: 'again' })).toBe('again');
});

it('is tried again and again when it does not load, with a fault meanwhile', async () => {
  let failsToLoad = true;
  const { thread, error } = start(() => ({ failsToLoad }));
  await thread.started;
  expect(thread.fault()).toBe('it does not load');
  await until('it was tried again', () => error.mock.calls.length > 1);
  expect([thread.isReady(), thread.fault()]).toEqual([false, 'it does not load']);
  failsToLoad = false;
  await until('it is ready', thread.isReady);
  expect(await thread.ask({ kind: 'echo', text: 'a' })).toBe('a');
});

it('tells the thread that nobody waits, and rejects with the reason once the thread has let go', async () => {
  const { thread } = start();
  const gone = new AbortController();
  const reason = new Error('the client is gone');
  let fault: unknown;
  void faultOf(thread.ask({ kind: 'hold' }, gone.signal)).then(caught => {
    fault = caught;
  });
  await thread.ask({ kind: 'echo', text: 'it is held' });
  gone.abort(reason);
  await until('the thread knows', async () => (await thread.ask({ kind: 'cancelled' })) === '1');
  expect([fault, thread.pending()]).toEqual([undefined, 1]);
  await thread.ask({ kind: 'release' });
  await until('it has ended', () => fault !== undefined);
  expect([fault, thread.pending()]).toEqual([reason, 0]);
});

it('asks nothing for what is cancelled already', async () => {
  const { thread } = start();
  const reason = new Error('late');
  expect(await faultOf(thread.ask({ kind: 'hold' }, AbortSignal.abort(reason)))).toBe(reason);
  expect(thread.pending()).toBe(0);
});

it('waits for pending answers when it is closed, also twice, and takes no more questions', async () => {
  const { thread, error } = start();
  const held = thread.ask({ kind: 'hold' });
  const release = thread.ask({ kind: 'release' });
  const closed = [thread.close(), thread.close()];
  expect(await faultOf(thread.ask({ kind: 'echo', text: 'a' }))).toMatchObject({ code: 'unavailable' });
  expect(await Promise.all([held, release])).toEqual(['held', 'released']);
  await Promise.all(closed);
  expect(thread.isReady()).toBe(false);
  expect(error).not.toHaveBeenCalled();
});

/** Runs `script` with a `start` as above, in a process of its own. */
const printedBy = async (script: string): Promise<string> => {
  const module = new URL('../../../../core/threads/ask.ts', import.meta.url);
  const file = join(temporaryFolder(), 'asks.mjs');
  const options = { name: 'recall', message: 'Recall is starting again.' };
  writeFileSync(
    file,
    `import { startAskedThread } from ${JSON.stringify(module.href)};
    const start = more => startAskedThread({
      ...${JSON.stringify(options)},
      file: new URL(${JSON.stringify(FILE.href)}),
      worker: () => ({ workerData: {} }),
      ...more,
    });
    ${script}`,
  );
  return (await promisify(execFile)(process.execPath, [file])).stdout;
};

it('does not keep the process alive', async () => {
  const printed = await printedBy(`
    const thread = start({ log: console });
    const waiting = setInterval(() => {}, 1_000);
    await thread.started;
    clearInterval(waiting);
    console.log(thread.isReady());`);
  expect(printed).toBe('true\n');
});

it('keeps the process alive only while an answer is awaited', async () => {
  const printed = await printedBy(`
    const always = start({ log: console });
    const asked = start({ idleMs: Infinity });
    for (const thread of [always, asked]) console.log(await thread.ask({ kind: 'echo', text: 'answered' }));`);
  expect(printed).toBe('answered\nanswered\n');
});

describe('a thread that starts when it is asked', () => {
  it('starts with the first question, and again when it has ended', async () => {
    let starts = 0;
    const { thread, error } = start(() => ({ starts: ++starts }), 60_000);
    expect(starts).toBe(0);
    expect(await thread.ask({ kind: 'echo', text: 'a' })).toBe('a');
    expect(await faultOf(thread.ask({ kind: 'end' }))).toMatchObject({
      code: 'unavailable',
      cause: 'ended by a test',
    });
    expect(await thread.ask({ kind: 'echo', text: 'b' })).toBe('b');
    expect(starts).toBe(2);
    expect(error).not.toHaveBeenCalled();
  });

  it('ends when nobody has asked for long, but not while it is asked', async () => {
    let starts = 0;
    const { thread } = start(() => ({ starts: ++starts }), 50);
    const held = thread.ask({ kind: 'hold' });
    await thread.ask({ kind: 'echo', text: 'it is held' });
    await new Promise(resolve => setTimeout(resolve, 100));
    await thread.ask({ kind: 'release' });
    expect(await held).toBe('held');
    expect([thread.isReady(), starts]).toEqual([true, 1]);
    // Asked while the former one is ending still.
    while (thread.isReady()) await new Promise(resolve => setImmediate(resolve));
    expect(await thread.ask({ kind: 'echo', text: 'again' })).toBe('again');
    expect([thread.fault(), starts]).toEqual([undefined, 2]);
  });

  it('starts no more once it is closed', async () => {
    let starts = 0;
    const { thread } = start(() => ({ starts: ++starts }), 60_000);
    await thread.close();
    expect(await faultOf(thread.ask({ kind: 'echo', text: 'a' }))).toMatchObject({ code: 'unavailable' });
    expect(starts).toBe(0);
  });
});
