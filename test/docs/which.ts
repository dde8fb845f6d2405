/** Which documents there are, and what of them this project does not run. */
import { globSync } from 'node:fs';
import { type Block, blocksOf } from '../support/files/documents.ts';
import { ROOT } from '../support/processes/server.ts';

/**
 * The documents that a reader finds: the pages of docs/, the papers of the root, and the READMEs of clients,
 * integrations and examples.
 */
export const DOCUMENTS: readonly string[] = globSync(
  [
    'docs/**/*.md',
    '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
    '{clients,integrations,examples}/{,*/}README.md',
  ],
  { cwd: ROOT },
).toSorted();

/** Run by a test of their own, which does more with what they leave behind. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'test/journeys/readme.test.ts',
  'docs/guides/importing.md': 'test/journeys/importing-guide.test.ts',
  'docs/guides/evaluation.md': 'test/journeys/evaluation.slow.test.ts',
};

interface Named {
  file: string;
  /** Somewhere in the block. */
  has: string;
}

interface NotRun extends Named {
  why: string;
}

/** Run by `staged.test.ts`, each beside a service to which what the document tells of has happened. */
export const STAGED = {
  'an event that was set aside': [
    { file: 'docs/operate/dead-letters.md', has: 'turnstone dead-letters list' },
    { file: 'docs/operate/dead-letters.md', has: 'turnstone dead-letters requeue --all --step' },
  ],
  'a projection that was tampered with': [{ file: 'docs/operate/projections.md', has: 'different digest' }],
  'an export that was cut short': [{ file: 'docs/operate/transfer.md', has: 'cut.jsonl' }],
  'turns that were recorded days apart': [
    { file: 'docs/guides/read.md', has: 'Where does Grace live?" --kinds turn' },
    { file: 'docs/guides/read.md', has: '--as-of 2026-11-22\n' },
  ],
} as const satisfies Record<string, readonly Named[]>;

/** The blocks that can't be run here. Their commands are still held to `--help` and to package.json. */
const NOT_RUN: readonly NotRun[] = [
  { file: 'docs/guides/read.md', has: 'turnstone stats', why: 'the durations are those of a machine' },
  { file: 'docs/start/README.md', has: 'npm ci && npm start', why: 'installs; .ci/run does it' },
  { file: 'docs/operate/README.md', has: 'npm ci && npm start', why: 'installs; .ci/run does it' },
  { file: 'docs/operate/README.md', has: 'docker build', why: 'needs a Docker engine' },
  {
    file: 'docs/internals/releasing.md',
    has: 'npm ci && npm pack',
    why: 'installs; packaging.slow.test.ts packs twice, and compares',
  },
  { file: 'docs/internals/releasing.md', has: 'npm publish', why: 'publishes' },
  { file: 'docs/internals/releasing.md', has: 'python -m build', why: 'needs a package from an index' },
  { file: 'docs/internals/releasing.md', has: 'docker build', why: 'needs a Docker engine and a registry' },
  { file: 'docs/internals/releasing.md', has: 'cosign verify', why: 'needs cosign and a registry' },
  {
    file: 'docs/internals/releasing.md',
    has: 'npm sbom',
    why: 'writes a file here; packaging.slow.test.ts reads what it writes',
  },
  {
    file: 'docs/operate/keys/single-sign-on.md',
    has: 'turnstone serve',
    why: 'needs an identity provider; test/journeys/single-sign-on.test.ts has one',
  },
  {
    file: 'docs/operate/keys/single-sign-on.md',
    has: '/auth/identity-token',
    why: 'needs the token of a platform; test/journeys/single-sign-on.test.ts has one',
  },
  { file: 'docs/operate/cluster.md', has: 'docker compose', why: 'needs a Docker engine' },
  { file: 'docs/operate/sizing.md', has: 'docker compose', why: 'needs a Docker engine' },
  {
    file: 'docs/operate/cluster/kubernetes.md',
    has: 'docker push',
    why: 'needs a Docker engine and a registry',
  },
  { file: 'docs/operate/cluster/kubernetes.md', has: 'kubectl', why: 'needs a cluster of Kubernetes' },
  { file: 'docs/operate/cluster/kubernetes.md', has: 'helm upgrade', why: 'needs a cluster of Kubernetes' },
  { file: 'docs/operate/backup.md', has: 'kafka-consumer-groups.sh', why: "needs Kafka's own tools" },
  {
    file: 'docs/operate/backup.md',
    has: 'turnstone backup',
    why: 'writes to /backups; test/faults has the drill',
  },
  {
    file: 'docs/operate/backup.md',
    has: 'turnstone restore',
    why: 'reads from /backups; test/faults has the drill',
  },
  {
    file: 'docs/operate/backup.md',
    has: 'turnstone removals list',
    why: 'writes to /elsewhere; test/faults has the drill',
  },
  {
    file: 'docs/operate/backup.md',
    has: 'turnstone removals repeat',
    why: 'needs a restored copy; test/faults has the drill',
  },
  {
    file: 'docs/operate/projections.md',
    has: 'turnstone replay recall',
    why: 'needs the engines of the mode cluster',
  },
  {
    file: 'docs/operate/projections.md',
    has: 'turnstone rollback recall',
    why: 'needs the engines of the mode cluster',
  },
  {
    file: 'docs/operate/projections.md',
    has: 'curl -s localhost:8080/readyz',
    why: 'needs projections of another version',
  },
  ...['agent-loop', 'chat-loop', 'express-chat', 'vercel-ai-sdk'].map(name => ({
    file: `examples/${name}/README.md`,
    has: `npx node examples/${name}/`,
    why: 'needs a language model; test/examples runs it with one of its own',
  })),
  ...[
    { file: 'integrations/anthropic-memory-tool/README.md', has: 'new Anthropic()' },
    { file: 'integrations/langchain/README.md', has: 'create_agent(' },
    { file: 'integrations/langchain-typescript/README.md', has: 'createAgent(' },
    { file: 'integrations/mastra/README.md', has: 'new Agent(' },
    { file: 'integrations/openai-agents/README.md', has: 'new Agent(' },
    { file: 'integrations/openai-agents-python/README.md', has: 'Runner.run(' },
    { file: 'integrations/pydantic-ai/README.md', has: 'TurnstoneMemory(' },
    { file: 'integrations/openai-proxy/README.md', has: 'npx node integrations/openai-proxy/' },
    { file: 'integrations/openai-proxy/README.md', has: 'new OpenAI({' },
    { file: 'integrations/vercel-ai-sdk/README.md', has: 'generateText({' },
  ].map(named => ({
    ...named,
    why: 'needs a language model; test/integrations runs it with one of its own',
  })),
  ...['langchain', 'openai-agents-python', 'pydantic-ai'].map(name => ({
    file: `integrations/${name}/README.md`,
    has: 'pip install',
    why: 'needs the packages that it is for; test/integrations runs it',
  })),
  {
    file: 'integrations/claude-code/README.md',
    has: 'claude --plugin-dir',
    why: 'needs Claude Code; test/integrations runs its hooks and its server',
  },
  {
    file: 'examples/langchain/README.md',
    has: 'chain.py',
    why: 'needs the packages of LangChain; test/examples runs it',
  },
  {
    file: 'clients/python/README.md',
    has: 'clients/python[dev]',
    why: 'is for whoever works on the client; test/clients runs it',
  },
  { file: 'docs/internals/measurements/benchmarks.md', has: 'npm run bench', why: 'takes half an hour' },
  {
    file: 'docs/internals/measurements/hostile-tenant.md',
    has: 'TURNSTONE_TEST_LONG',
    why: 'takes an hour',
  },
  {
    file: 'docs/internals/measurements/results.md',
    has: 'npm run evaluate',
    why: 'needs data that is not part of this project',
  },
];

const isNamed = ({ file, text }: Block, { file: of, has }: Named): boolean =>
  file === of && text.includes(has);

export const blocksOfAll = (): Block[] => DOCUMENTS.flatMap(file => blocksOf(file));

/** In the order of the names; one may name a block that another names too. */
export const blocksNamed = (names: readonly Named[]): Block[] => {
  const all = blocksOfAll();
  return [...new Set(names.flatMap(one => all.filter(block => isNamed(block, one))))];
};

export const isRunHere = (block: Block): boolean =>
  !(block.file in ELSEWHERE) &&
  ![...NOT_RUN, ...Object.values(STAGED).flat()].some(one => isNamed(block, one));

/** Entries that name no block any more. */
export const staleEntries = (): Named[] =>
  [...NOT_RUN, ...Object.values(STAGED).flat()].filter(one => blocksNamed([one]).length === 0);
