/**
 * Who may import whom. FLOORS is the whole house: a room imports the rooms below it, none above or beside it. What ships
 * is in it; console/, clients/, integrations/, examples/, test/ and tools/ stand beside it. An exception has its reason
 * beside it. A broken rule fails `npm run check`. The map of the rooms: docs/internals/architecture.md.
 */

/** From the top down: a floor a line. */
const FLOORS = [
  ['services/main.ts'],
  ['services/compose/'],
  ['services/surfaces/'],
  ['services/embedded/', 'services/cluster/'],
  ['services/use-cases/'],
  ['services/operations/'],
  ['services/workers/'],
  ['infra/embedded/', 'infra/cluster/'],
  ['infra/identity/', 'infra/llm/', 'infra/secrets/', 'infra/telemetry/', 'infra/webhooks/'],
  ['core/'],
  ['projections/'],
  ['domain/'],
  ['schemas/'],
];

const pattern = rooms => `^(${rooms.map(room => room.replace('.', '[.]')).join('|')})`;

const floors = FLOORS.flatMap((rooms, floor) =>
  rooms.map(room => ({
    name: `floor-${room.replace(/\W+/g, '-').replace(/-$/, '')}`,
    comment: `${room} imports what stands below it: nothing above, nothing beside it`,
    severity: 'error',
    from: { path: pattern([room]) },
    to: { path: pattern([...FLOORS.slice(0, floor).flat(), ...rooms.filter(one => one !== room)]) || '^$' },
  })),
).filter(({ to }) => to.path !== '^()');

const PRODUCT = '^(schemas|domain|projections|core|infra|services)/';

/** A vendor's client is imported in its folder alone. */
const VENDORS = {
  kafkajs: '^infra/cluster/kafka/client/',
  '@elastic/elasticsearch': '^infra/cluster/elasticsearch/',
  '@clickhouse/client': '^infra/cluster/clickhouse/',
  ioredis: '^infra/cluster/redis/',
  // A statement is verified where there may be no server: it sorts in a file of SQLite.
  sqlite: '^infra/embedded/|^services/surfaces/cli/statement/billed-events[.]ts$',
  express: '^services/surfaces/http/',
  '@modelcontextprotocol/sdk': '^services/surfaces/mcp/',
  zod: '^services/surfaces/mcp/',
  jose: '^services/use-cases/accounts/|^infra/(identity/|secrets/signing-keys[.]ts$)',
  'openid-client': '^infra/identity/',
  pino: '^core/watch/logger[.]ts$',
  'prom-client': '^core/watch/metrics[.]ts$',
  // The API in core/tracing/, so that spans are made in one way.
  '@opentelemetry': '^core/tracing/|^infra/telemetry/',
  commander: '^services/surfaces/cli/',
};

const only = ([module, allowed]) => ({
  name: `vendor-${module.replace(/^@/, '').replace('/', '-')}`,
  comment: `${module} is imported in ${allowed} alone`,
  severity: 'error',
  from: { path: PRODUCT, pathNot: allowed },
  to: { path: `^(node:)?${module}$|node_modules/${module}/` },
});

/** No I/O, no threads, no machine clock: bytes are passed in. */
const PURE_MODULES = '^(node:)?(crypto|buffer|util)$';

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
      from: { path: PRODUCT },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    ...floors,
    {
      name: 'every-file-has-a-room',
      comment: 'what ships stands on a floor of the list',
      severity: 'error',
      from: { path: PRODUCT },
      to: { path: PRODUCT, pathNot: pattern(FLOORS.flat()) },
    },
    {
      name: 'what-ships-stands-alone',
      comment:
        'nothing that ships imports the console, the integrations, the examples, the tests or the tools',
      severity: 'error',
      from: { path: PRODUCT },
      to: { path: '^(console|integrations|examples|test|tools)/' },
    },
    {
      name: 'surfaces-stand-on-the-client',
      comment:
        'commands and the MCP server call the service as any program does; the service itself knows no client',
      severity: 'error',
      from: { path: PRODUCT, pathNot: '^services/surfaces/(cli|mcp|client)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'schemas-import-ajv-only',
      comment: 'schemas are data and checks of data',
      severity: 'error',
      // Checks of variables look at paths, files and addresses, and so does that of an API key's addresses.
      from: { path: '^schemas/', pathNot: '^schemas/(config-values|config-identity|address-range)[.]ts$' },
      to: { pathNot: '^schemas/|node_modules/(ajv|ajv-formats)/' },
    },
    {
      name: 'domain-and-projections-are-pure',
      comment: 'no I/O, no threads, no machine clock in a pure function or a fold; bytes are passed in',
      severity: 'error',
      from: { path: '^(domain|projections)/' },
      to: { dependencyTypes: ['core'], pathNot: PURE_MODULES },
    },
    {
      name: 'infra-is-opened-in-two-places',
      comment: 'embedded/open.ts and cluster/open.ts open the adapters; everything else is given its ports',
      severity: 'error',
      from: {
        path: '^services/',
        pathNot: [
          '^services/(embedded|cluster)/open[.]ts$',
          // The stages of open.ts that have files of their own, copies of a data folder, and a look at one.
          '^services/embedded/(backups|inspect-folder|readers)[.]ts$|^services/cluster/(adapters|projections|redis|secrets)[.]ts$',
          // Before the engines, whose calls are traced; and who vouches for callers, whatever the engines are.
          '^services/compose/(telemetry/telemetry|open-service)[.]ts$',
          // A connection can't cross threads: each thread opens its own.
          '^services/(embedded/threads|embedded/threads/replay|cluster)/[a-z-]+[.]thread[.]ts$',
          // The body of a projector's thread, and what open.ts starts: the simulator runs both in one thread.
          '^services/embedded/threads/(project-file|starts)[.]ts$',
        ],
      },
      // What an adapter has beside its port may be named as a type.
      to: { path: '^infra/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'routes-call-use-cases',
      comment: 'a route knows what a request may ask of the service (core/use-cases.ts) and no port',
      severity: 'error',
      from: { path: '^services/surfaces/http/' },
      to: { path: '^core/(ports|log)/|^services/(embedded|cluster|workers)/' },
    },
    {
      name: 'commands-talk-http',
      comment:
        'commands for people know the contract; serve, migrate and the operator commands open the engines; a statement is computed again without a server',
      severity: 'error',
      from: {
        path: '^services/surfaces/cli/',
        pathNot:
          '^services/surfaces/cli/((serve|migrate|operator/operator)[.]ts$|statement/billed-events[.]ts$)',
      },
      to: {
        path: '^services/(embedded|cluster|use-cases|workers)/|^core/(ports|log)/|^(projections|domain)/',
      },
    },
    {
      name: 'mcp-talks-http',
      comment:
        'the MCP server is a client of the contract; from the service it takes only how to listen, what it reads, and how words are quoted',
      severity: 'error',
      from: { path: '^services/surfaces/mcp/' },
      to: {
        path: PRODUCT,
        pathNot:
          '^services/surfaces/(mcp|client)/|^services/surfaces/http/(connection/(listen|server|connections)|request/request-body)[.]ts$|^core/(watch/logger|time|errors)[.]ts$|^schemas/http/|^domain/context/quote[.]ts$',
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
      name: 'importers-only-read',
      comment: 'bytes of an export in, turns and their price out: no terminal, no server and no port',
      severity: 'error',
      from: { path: '^services/surfaces/importers/' },
      to: {
        path: '^(services|core|projections|domain|infra)/',
        pathNot:
          '^(services/(surfaces/importers/|use-cases/transfer/export-format[.]ts)|core/(tokens/|time[.]ts)|domain/extraction/speaker[.]ts)',
      },
    },
    {
      name: 'the-console-runs-in-a-browser',
      comment: 'it imports no code of the server; the server serves its built files',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(domain|projections|core|infra|services|test|tools)/' },
    },
    {
      name: 'the-console-takes-types-of-the-contract',
      comment: 'types from the schemas and the generated client types; validation stays in the server',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(schemas|clients)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'the published client has no dependencies',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'integrations-stand-on-the-client',
      comment:
        'each is a package of its own: the client, what it integrates with, and nothing of the service',
      severity: 'error',
      from: { path: '^integrations/([^/]+)/' },
      to: {
        path: '^(schemas|domain|projections|core|infra|services|console|integrations|examples|test|tools)/',
        pathNot: '^integrations/$1/',
      },
    },
    ...Object.entries(VENDORS).map(only),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Our own build output alone: a package whose files are in dist/ is held to its rule.
    exclude: { path: '^(dist|console/dist|clients/typescript/dist|integrations/[^/]+/dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
