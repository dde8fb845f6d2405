import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { NewRecord } from '../../core/ports.ts';
import { type FrameHead, parseEnvelope, serialiseHead, splitFrame } from '../../schemas/events/envelope.ts';
import { deadLetter } from '../../services/workers/projector/poison.ts';
import { inFolder } from '../contracts/openers/log.ts';
import { stepsOf } from '../support/files/documents.ts';
import { changeProjections } from '../support/files/projections-file.ts';
import { connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { ROOT, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { checkout, faultOf, type } from './reader.ts';
import { blocksNamed, STAGED } from './which.ts';

/**
 * Tests what a document shows of something that went wrong, or took days, beside a service to which just that
 * has happened.
 */

/** The session that the example begins with. */
const KEY = JSON.stringify(['local', 'family', '2026-03']);

let running: Server | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

const start = async (dataDir: string, clock?: string): Promise<Server> => {
  await running?.stop();
  running = await startServer({ dataDir, environment: clock ? { TURNSTONE_CLOCK: clock } : {} });
  return running;
};

/** A service that knows the example. */
const withExample = async (dataDir: string): Promise<Server> => {
  const server = await start(dataDir);
  const { url, apiKey } = server;
  const environment = { TURNSTONE_URL: url, TURNSTONE_API_KEY: apiKey };
  expect(await runCommand(['ingest', join(ROOT, 'docs/example.jsonl')], environment)).toMatchObject({
    status: 0,
  });
  await settled(url);
  return server;
};

const setAside = async (dataDir: string): Promise<Server> => {
  await (await withExample(dataDir)).stop();
  await inFolder(dataDir, async ({ log, records, events }) => {
    const [turn] = (await events('turns')).filter(event => event.type === 'turn.recorded');
    const isTurn = (each: { partition: number; offset: number }) =>
      each.partition === turn!.partition && each.offset === turn!.offset;
    const original = (await records('turns')).find(isTurn)!;
    const record = (value: Uint8Array): NewRecord => ({ topic: 'turns', key: KEY, value, headers: {} });
    const head = parseEnvelope(original.value) as FrameHead;
    const { body } = splitFrame(original.value);
    await log.append([record(Buffer.from('words'))]);
    await log.append([record(Buffer.concat([serialiseHead({ ...head, version: 99 }), body]))]);
    // As a release before would have set it aside, which could not read it.
    const fault = { kind: 'poison', step: 'validate', reason: 'unknown event version' } as const;
    await log.append([deadLetter(original, fault)]);
  });
  const server = await start(dataDir);
  await settled(server.url);
  return server;
};

const tamperedWith = async (dataDir: string): Promise<Server> => {
  const server = await withExample(dataDir);
  await server.stop();
  changeProjections(
    dataDir,
    `UPDATE fragments SET role = 'Igor' WHERE no = (SELECT min(no) FROM fragments WHERE kind = 0);
     UPDATE findings SET outcome = NULL WHERE turn = (SELECT max(turn) FROM enrichments)`,
  );
  return server;
};

const cutShort = async (dataDir: string, folder: string): Promise<Server> => {
  const server = await withExample(dataDir);
  const whole = join(folder, 'whole.jsonl');
  expect(
    await runCommand(['export', '--org', 'local', '--output', whole], { TURNSTONE_DATA_DIR: dataDir }),
  ).toMatchObject({ status: 0 });
  writeFileSync(
    join(folder, 'cut.jsonl'),
    `${readFileSync(whole, 'utf8').split('\n').slice(0, 5).join('\n')}\n`,
  );
  return server;
};

const daysApart = async (dataDir: string): Promise<Server> => {
  const said = async (clock: string, text: string): Promise<Server> => {
    const server = await start(dataDir, clock);
    const turn = { role: 'Ada', text, timestamp: clock };
    await (await connect(server)).ingest({ scope: { user_id: 'ada', session_id: 'chat' }, turns: [turn] });
    await settled(server.url);
    return server;
  };
  await said('2026-11-20T09:00:00Z', 'Grace lives in Porto.');
  return said('2026-11-22T12:00:15Z', 'Grace lives in Lisbon now.');
};

const STAGES: Record<keyof typeof STAGED, (dataDir: string, folder: string) => Promise<Server>> = {
  'an event that was set aside': setAside,
  'a projection that was tampered with': tamperedWith,
  'an export that was cut short': cutShort,
  'turns that were recorded days apart': daysApart,
};

describe('what a document shows is so after', () => {
  it.for(Object.keys(STAGES) as (keyof typeof STAGED)[])('%s', async name => {
    const dataDir = temporaryFolder();
    const cwd = checkout(dataDir);
    const server = await STAGES[name](dataDir, cwd);
    const steps = blocksNamed(STAGED[name]).flatMap(block =>
      stepsOf(block).map(step => ({ ...step, block })),
    );
    expect(steps.length).toBeGreaterThan(0);
    const outcomes = await type(steps, server, { cwd });
    expect(steps.flatMap((step, index) => faultOf(step, outcomes[index]!) ?? [])).toEqual([]);
  });
});
