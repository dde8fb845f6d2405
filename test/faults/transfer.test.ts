import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { idsIn } from '../../core/log/events.ts';
import { parseEnvelope } from '../../schemas/events/envelope.ts';
import { connect, inParallel, settled } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';
import { spawnServerless } from '../support/worlds/generations.ts';
import { CLOCK, expectKnown, fill, snapshot, summaryOf } from '../support/worlds/transfer-world.ts';

const environment = { TURNSTONE_CLOCK: CLOCK };
/** Each has an observation of its own: with what else the world has, some ten appends of an import. */
const TURNS = 1_200;
const KILLS = rounds(2, 3);
const MINUTE = 60_000;

/** The organization's events that a folder's log holds. */
const eventsIn = (dataDir: string): number => {
  const log = new DatabaseSync(join(dataDir, 'log.db'), { readOnly: true, timeout: 5_000 });
  try {
    const tables = log
      .prepare(
        `SELECT name FROM sqlite_schema WHERE name GLOB 'turns/*' OR name GLOB 'observations/*' OR name GLOB 'usage/*'`,
      )
      .all();
    const values = tables.flatMap(({ name }) => log.prepare(`SELECT value FROM "${name}"`).all());
    const ids = values.flatMap(({ value }) =>
      idsIn(parseEnvelope(value as Uint8Array) as Record<string, unknown>),
    );
    return new Set(ids).size;
  } finally {
    log.close();
  }
};

/**
 * Kill -9 of whoever writes, after any of its appends. Switched off by hand:
 * services/use-cases/transfer/import.ts doesn't look for what the log has → what was there already is written
 * a second time.
 */
describe('an import that is killed in the middle, and repeated', () => {
  let file: string;
  let exported: ReturnType<typeof summaryOf>;
  let uninterrupted: Awaited<ReturnType<typeof snapshot>>;

  const importInto = (dataDir: string) => runCommand(['import', file], { TURNSTONE_DATA_DIR: dataDir });

  /** Its answers and its bill, on a folder that no server runs on. */
  const answersOf = async (dataDir: string) => {
    const server = await startServer({ environment, dataDir });
    const client = await connect(server);
    await settled(server.url, MINUTE);
    const answers = await snapshot(client);
    await expectKnown(client);
    await server.stop();
    return answers;
  };

  const newFolder = async (): Promise<string> => {
    const server = await startServer({ environment });
    await server.stop();
    return server.dataDir;
  };

  /** Waits until the import has written more, and ends it there. */
  const killInTheMiddle = async (dataDir: string, kill: () => Promise<void>): Promise<void> => {
    const before = eventsIn(dataDir);
    await until('it writes', () => eventsIn(dataDir) > before, MINUTE);
    await kill();
    expect(eventsIn(dataDir)).toBeLessThan(exported.trailer!.events!);
  };

  const expectWhole = async (dataDir: string): Promise<void> => {
    const before = eventsIn(dataDir);
    const { status, stdout } = await importInto(dataDir);
    const total = exported.trailer!.events!;
    expect({ status, before: before > 0 }).toEqual({ status: 0, before: true });
    expect(stdout.replaceAll(',', '')).toContain(
      `${total - before} events written; ${before} were there already.`,
    );
    const again = join(temporaryFolder(), 'again.jsonl');
    await runCommand(['export', '--org', 'local', '--output', again], { TURNSTONE_DATA_DIR: dataDir });
    const { types, trailer } = summaryOf(again);
    expect({ types, trailer }).toEqual({ types: exported.types, trailer: exported.trailer });
  };

  beforeAll(async () => {
    const source = await startServer({ environment });
    const client = await connect(source);
    await inParallel(TURNS / 100, 4, async batch => {
      const turns = Array.from({ length: 100 }, (_, i) => batch * 100 + i).map(n =>
        turn(1_000 + n, { observations: [`ref${n} was borrowed`] }),
      );
      await client.ingest({
        scope: { user_id: `user-${batch % 3}`, session_id: `session-${batch % 4}` },
        turns,
      });
    });
    await fill(client, source.url);
    await source.stop();
    file = join(temporaryFolder(), 'local.jsonl');
    await runCommand(['export', '--org', 'local', '--output', file], { TURNSTONE_DATA_DIR: source.dataDir });
    exported = summaryOf(file);
    const whole = await newFolder();
    await importInto(whole);
    uninterrupted = await answersOf(whole);
  }, 4 * MINUTE);

  it('loses nothing and has nothing twice, where the command itself writes', async () => {
    const dataDir = await newFolder();
    for (let n = 0; n < KILLS; n++) {
      const killed = spawnServerless(dataDir, 'import', file);
      await killInTheMiddle(dataDir, killed.kill);
    }
    await expectWhole(dataDir);
    expect(await answersOf(dataDir)).toEqual(uninterrupted);
  });

  it('loses nothing and has nothing twice, where a server writes', async () => {
    const dataDir = await newFolder();
    for (let n = 0; n < KILLS; n++) {
      const server = await startServer({ environment, dataDir });
      const broken = importInto(dataDir);
      await killInTheMiddle(dataDir, server.kill);
      expect((await broken).stderr).toContain('the server ended before the call did');
    }
    await expectWhole(dataDir);
    expect(await answersOf(dataDir)).toEqual(uninterrupted);
  });
});
