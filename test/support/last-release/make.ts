/**
 * Makes the fixtures of test/golden/last-release with the release that they are of. They were made at 648b3e0c, the last
 * commit whose log has a record an event and whose `keys.db` has no column `under`:
 *
 *     git worktree add /tmp/then 648b3e0c && ln -s $PWD/node_modules /tmp/then/
 *     cp -r test/support/last-release /tmp/then/test/support/ && cd /tmp/then
 *     node test/support/last-release/make.ts folder ~/folder.zst
 *     node test/support/last-release/make.ts topics ~/topics.zst     # with the engines' four TURNSTONE_… addresses
 *
 * What they expect is what that release itself answered after its restart, on a copy of what its SIGKILL left.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKafkaLog } from '../../../infra/cluster/kafka/log.ts';
import { readConfig } from '../../../services/config.ts';
import type { Topic } from '../../../services/core/ports.ts';
import { connect, settled } from '../client.ts';
import { makeCluster } from '../cluster.ts';
import { runCommand } from '../command-line.ts';
import { dropNamespaceOfKilled } from '../drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../engine-urls.ts';
import { startServer, temporaryFolder } from '../server.ts';
import { answersOf } from './answers.ts';
import { type FolderThen, pack, type RecordThen, type TopicsThen } from './stored.ts';
import { CLOCK, type Filled, fill, killedAmid, type OrganizationThen } from './world.ts';

/** When it was started again: on the same day, so that this day is the only one. */
const LATER = '2026-10-20T12:00:00Z';
const SIZES = { folder: { writes: 24, size: 6 }, topics: { writes: 24, size: 6 } };
const OTHER = { writes: 6, size: 4 };

interface Running {
  url: string;
  kill(): Promise<void>;
}

const secondOrganization = async (environment: Record<string, string>): Promise<string> => {
  const { stdout, stderr } = await runCommand(['orgs', 'create', 'beta'], environment);
  const apiKey = /API key: (\S+)/.exec(stdout)?.[1];
  if (!apiKey) throw new Error(stdout + stderr);
  await runCommand(['orgs', 'set-limits', 'beta', '--tokens-in', '5000000'], environment);
  return apiKey;
};

/** `copied`: called between the SIGKILL and the restart. */
const tell = async (
  keys: { org: string; apiKey: string }[],
  size: { writes: number; size: number },
  first: Running,
  copied: () => Promise<() => Promise<Running>>,
): Promise<OrganizationThen[]> => {
  const filled: Filled[] = [];
  for (const [i, { apiKey }] of keys.entries()) {
    const { writes, size: each } = i === 0 ? size : OTHER;
    filled.push(await fill(await connect({ url: first.url, apiKey }), writes, each));
  }
  const mainClient = await connect({ url: first.url, apiKey: keys[0]!.apiKey });
  const amid = await killedAmid(mainClient, first.kill);
  filled[0]!.acknowledged.push(...amid.acknowledged);

  const second = await (await copied())();
  await settled(second.url, 60_000);
  const organizations: OrganizationThen[] = [];
  for (const [i, { acknowledged, ...rest }] of filled.entries()) {
    const client = await connect({ url: second.url, apiKey: keys[i]!.apiKey });
    const answers = await answersOf(client);
    const writes = [];
    for (const { write } of acknowledged) writes.push({ write, again: await client.ingest(write) });
    organizations.push({ ...keys[i]!, ...rest, answers, writes, doubtful: i === 0 ? amid.doubtful : [] });
  }
  await second.kill();
  return organizations;
};

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const NO_CAPS = { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' };

const makeFolder = async (): Promise<Buffer> => {
  const server = await startServer({ environment: { ...NO_CAPS, TURNSTONE_CLOCK: CLOCK } });
  const { dataDir } = server;
  const beta = await secondOrganization({ TURNSTONE_DATA_DIR: dataDir });
  const left = temporaryFolder();
  const organizations = await tell(
    [
      { org: 'local', apiKey: server.apiKey },
      { org: 'beta', apiKey: beta },
    ],
    SIZES.folder,
    server,
    async () => {
      cpSync(dataDir, left, { recursive: true, filter: path => !path.endsWith('.sock') });
      return () => startServer({ dataDir, environment: { ...NO_CAPS, TURNSTONE_CLOCK: LATER } });
    },
  );
  // SQLite makes its shared memory anew, and `url` names a port that is gone.
  const names = readdirSync(left).filter(name => !name.endsWith('-shm') && name !== 'url');
  const parts = names.map(name => readFileSync(join(left, name)));
  const files = names.map((name, i) => ({ name, bytes: parts[i]!.length }));
  return pack({ commit, files, organizations } satisfies FolderThen, parts);
};

const makeTopics = async (): Promise<Buffer> => {
  const engines = Object.fromEntries(
    ENGINES.map(name => [URL_VARIABLES[name], process.env[URL_VARIABLES[name]]!]),
  );
  const cluster = await makeCluster(engines, { TURNSTONE_CLOCK: CLOCK });
  const read = readConfig(cluster.environment);
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const config = read.config.cluster!;
  const server = await cluster.start('all');
  const beta = await secondOrganization(cluster.environment);

  const records: RecordThen[] = [];
  const parts: Uint8Array[] = [];
  const dump = async (): Promise<void> => {
    const log = await openKafkaLog(config);
    for (const [place, end] of Object.entries(await log.ends())) {
      const [topic, partition] = place.split('/') as [Topic, string];
      for (let offset = 0; offset < end; ) {
        const page = await log.read(topic, Number(partition), offset, 500);
        if (page.length === 0) break;
        for (const { name = null, headers, value } of page) {
          const bytes = value.length === 0 ? -1 : value.length;
          records.push({ topic, partition: Number(partition), name, headers, bytes });
          parts.push(value);
        }
        offset = page.at(-1)!.offset + 1;
      }
    }
    await log.close();
  };
  const organizations = await tell(
    [
      { org: 'acme', apiKey: cluster.apiKey },
      { org: 'beta', apiKey: beta },
    ],
    SIZES.topics,
    server,
    async () => {
      await dump();
      return () => cluster.start('all', { environment: { TURNSTONE_CLOCK: LATER } });
    },
  );
  await cluster.close();
  await dropNamespaceOfKilled(config);
  const { partitions } = config;
  const installationKey = readFileSync(config.installationKey, 'utf8');
  return pack({ commit, partitions, installationKey, records, organizations } satisfies TopicsThen, parts);
};

const [what, out] = process.argv.slice(2);
const packed = await (what === 'folder' ? makeFolder() : makeTopics());
writeFileSync(out!, packed);
console.log(`${out}: ${packed.length} bytes`);
process.exit(0);
