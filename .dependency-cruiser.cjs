/**
 * Who may import whom (docs/internals/architecture.md). The floors of the house are one list: a folder imports what stands
 * below it. Every exception has its reason beside it. A broken rule fails `npm run check`.
 */

/** From the top down. A folder imports those below it, `config.ts` and itself. */
const FLOORS = [
  ['compose'],
  ['surfaces'],
  ['embedded', 'cluster'],
  ['use-cases'],
  ['operations'],
  ['workers'],
  ['core'],
];

const above = floor => FLOORS.slice(0, floor).flat();

const floors = FLOORS.flatMap((rooms, floor) =>
  rooms.map(room => ({
    name: `floor-${room}`,
    comment: `services/${room} knows nothing of what stands above or beside it`,
    severity: 'error',
    from: { path: `^services/${room}/` },
    to: {
      path: `^services/(${[...above(floor), ...rooms.filter(one => one !== room)].join('|') || 'main'})(/|[.]ts$)`,
    },
  })),
);

/** A vendor's client is imported in its folder alone. */
const VENDORS = {
  kafkajs: '^infra/cluster/kafka/',
  '@elastic/elasticsearch': '^infra/cluster/elasticsearch/',
  '@clickhouse/client': '^infra/cluster/clickhouse/',
  ioredis: '^infra/cluster/redis/',
  // A statement is verified where there may be no server: its events are sorted in a file of SQLite.
  sqlite: '^infra/embedded/|^services/surfaces/cli/statement/billed-events[.]ts$',
  express: '^services/surfaces/http/',
  '@modelcontextprotocol/sdk': '^services/surfaces/mcp/',
  zod: '^services/surfaces/mcp/',
  jose: '^services/use-cases/accounts/|^infra/secrets/signing-keys[.]ts$',
  pino: '^core/watch/logger[.]ts$',
  'prom-client': '^core/watch/metrics[.]ts$',
  commander: '^services/surfaces/cli/',
};

const only = ([module, allowed]) => ({
  name: `vendor-${module.replace(/^@/, '').replace('/', '-')}`,
  comment: `${module} is imported in ${allowed} alone`,
  severity: 'error',
  from: { path: '^(schemas|projections|services|infra)/', pathNot: allowed },
  to: { path: `^(node:)?${module}$|node_modules/${module}/` },
});

const PRODUCT = '^(schemas|projections|services|infra)/';
const CONSOLE = '^console/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'a circle has no first file to read; types count too',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'an import that nothing answers',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'a package that package.json does not name, or names for development alone',
      severity: 'error',
      from: { path: PRODUCT, pathNot: `^tools/build/|${CONSOLE}` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    {
      name: 'schemas-import-ajv-only',
      comment: 'schemas are data and checks of data',
      severity: 'error',
      // A variable's check looks at paths, files and addresses.
      from: { path: '^schemas/', pathNot: '^schemas/config-values[.]ts$' },
      to: { pathNot: '^schemas/|node_modules/(ajv|ajv-formats)/' },
    },
    {
      name: 'projections-are-inner',
      comment: 'a projection knows schemas and projections, never who runs it',
      severity: 'error',
      from: { path: '^projections/' },
      to: { path: '^(services|infra|test)/' },
    },
    {
      name: 'projections-are-pure',
      comment: 'no I/O, no threads, no machine clock in a fold; bytes are passed in',
      severity: 'error',
      from: { path: '^projections/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer|util)$' },
    },
    ...floors,
    {
      name: 'infra-implements-ports',
      comment: 'an adapter knows schemas, projections and core',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^(services|test)/', pathNot: '^core/' },
    },
    {
      name: 'infra-is-opened-in-two-places',
      comment: 'embedded/open.ts and cluster/open.ts open the adapters; everything else is given its ports',
      severity: 'error',
      from: {
        path: '^services/',
        pathNot: [
          '^services/(embedded|cluster)/open[.]ts$',
          // The stages of open.ts that have a file of their own.
          '^services/embedded/readers[.]ts$|^services/cluster/(adapters|projections|secrets)[.]ts$',
          // A connection can't cross threads: each thread opens its own.
          '^services/(embedded/threads|cluster)/[a-z-]+[.]thread[.]ts$',
        ],
      },
      // What an adapter has beside its port may be named as a type.
      to: { path: '^infra/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'embedded-never-knows-cluster',
      comment: 'two sets of engines implement the same ports; neither depends on the other',
      severity: 'error',
      from: { path: '^infra/embedded/' },
      to: { path: '^infra/cluster/' },
    },
    {
      name: 'cluster-never-knows-embedded',
      comment: 'two sets of engines implement the same ports; neither depends on the other',
      severity: 'error',
      from: { path: '^infra/cluster/' },
      to: { path: '^infra/embedded/' },
    },
    {
      name: 'routes-call-use-cases',
      comment: 'a route knows what a request may ask of the service (core/use-cases.ts) and no port',
      severity: 'error',
      from: { path: '^services/surfaces/http/' },
      to: { path: '^services/(core/(ports|log)|embedded|cluster|workers)' },
    },
    {
      name: 'commands-talk-http',
      comment:
        'commands for people know the contract; serve, migrate and the operator commands open the engines; a statement is computed again without a server',
      severity: 'error',
      from: {
        path: '^services/surfaces/cli/',
        pathNot: '^services/surfaces/cli/((serve|operator|migrate)[.]ts$|statement/billed-events[.]ts$)',
      },
      to: { path: '^services/(embedded|cluster|use-cases|workers|core/(ports|log))|^projections/' },
    },
    {
      name: 'mcp-talks-http',
      comment:
        'the MCP server is a client of the contract; from the service it takes only how to listen, what it reads, and how words are quoted',
      severity: 'error',
      from: { path: '^services/surfaces/mcp/' },
      to: {
        path: '^services/|^projections/|^schemas/',
        pathNot:
          '^services/surfaces/(mcp|client)/|^services/surfaces/http/(listen|server|connections|body)[.]ts$|^core/(watch/logger|time|errors)[.]ts$|^schemas/http/|^domain/context/quote[.]ts$',
      },
    },
    {
      name: 'mcp-takes-types-of-the-contract',
      comment: 'validation stays in the server',
      severity: 'error',
      from: { path: '^services/surfaces/mcp/' },
      to: { path: '^schemas/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'surfaces-stand-on-the-client',
      comment:
        'commands and the MCP server call the service as any program does; the service itself knows no client',
      severity: 'error',
      from: { path: PRODUCT, pathNot: '^services/surfaces/(cli|mcp|client|console)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'importers-only-read',
      comment: 'bytes of an export in, turns out: an importer knows no terminal, no server and no port',
      severity: 'error',
      from: { path: '^services/surfaces/importers/' },
      to: {
        path: '^(services|projections|infra)/',
        pathNot: '^services/(surfaces/importers/|core/tokens/|core/time[.]ts|use-cases/transfer/format[.]ts)',
      },
    },
    {
      name: 'the-console-runs-in-a-browser',
      comment: 'it imports no code of the server',
      severity: 'error',
      from: { path: CONSOLE },
      to: { path: '^(projections|services|infra)/', pathNot: CONSOLE },
    },
    {
      name: 'the-console-takes-types-of-the-contract',
      comment: 'types from the schemas and the generated client types; validation stays in the server',
      severity: 'error',
      from: { path: CONSOLE },
      to: { path: '^(schemas|clients)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-the-console',
      comment: 'the server serves its built files',
      severity: 'error',
      from: { path: PRODUCT, pathNot: CONSOLE },
      to: { path: CONSOLE },
    },
    {
      name: 'nothing-ships-tests',
      comment: 'the package has no tests',
      severity: 'error',
      from: { path: PRODUCT },
      to: { path: '^test/' },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'the published client has no dependencies',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    ...Object.entries(VENDORS).map(only),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Our own build output alone: a package whose files are in dist/ is held to its rule.
    exclude: { path: '^(dist|console/dist|clients/typescript/dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
