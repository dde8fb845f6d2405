/**
 * Who may import whom (docs/adr, README "Folders"):
 *   schemas <- projections <- services;  infra -> schemas, projections and the types of the ports.
 * Each rule names in `comment` what it keeps apart; a broken one fails `npm run check`.
 */

/** The composition root and the threads that it starts: the only places where an adapter is opened. */
const COMPOSITION =
  '^services/(compose|embedded|embedded-readers|cli/init-secrets)[.]ts$|^services/(threads|cluster)/';
/** What an adapter may know of the services: ports, how to say that an engine is out of reach, how to seal and to wrap. */
const FOR_ADAPTERS =
  '^services/(ports|ports/[a-z-]+|errors|sealing|key-wrapping|bounded-map|within)[.]ts$|^services/accounts/(store|failures)[.]ts$';

const VENDORS = {
  kafkajs: '^infra/cluster/kafka-',
  '@elastic/elasticsearch': '^infra/cluster/elasticsearch-',
  '@clickhouse/client': '^infra/cluster/clickhouse-',
  ioredis: '^infra/cluster/redis-client[.]ts$',
};

const only = (name, module, allowed) => ({
  name,
  comment: `${module} is imported in ${allowed} alone`,
  severity: 'error',
  from: { path: '^(schemas|projections|services|infra)/', pathNot: allowed },
  to: { path: `^(node:)?${module}$|node_modules/${module}/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'a cycle has no first file to read; types alone may point back',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
      from: {
        path: '^(schemas|projections|services|infra)/',
        pathNot: '^infra/build(-console)?[.]ts$|^services/surfaces/console/',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    {
      name: 'schemas-import-ajv-only',
      comment: 'schemas are data and checks of data',
      severity: 'error',
      from: { path: '^schemas/' },
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
      comment: 'no I/O, no threads, no clock of the machine in a fold; bytes are passed in',
      severity: 'error',
      from: { path: '^projections/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer|util)$' },
    },
    {
      name: 'infra-is-outer',
      comment: 'an adapter knows schemas, projections and the ports that it implements',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^(services|test)/', pathNot: FOR_ADAPTERS },
    },
    {
      name: 'only-the-composition-root-opens-adapters',
      comment: 'every other service is given its ports',
      severity: 'error',
      from: { path: '^services/', pathNot: COMPOSITION },
      to: { path: '^infra/' },
    },
    {
      name: 'embedded-never-knows-cluster',
      comment: 'two sets of engines behind the same ports; neither may lean on the other',
      severity: 'error',
      from: { path: '^infra/embedded/' },
      to: { path: '^infra/cluster/' },
    },
    {
      name: 'cluster-never-knows-embedded',
      comment: 'two sets of engines behind the same ports; neither may lean on the other',
      severity: 'error',
      from: { path: '^infra/cluster/' },
      to: { path: '^infra/embedded/' },
    },
    {
      name: 'routes-call-use-cases',
      comment: 'a route knows what may be asked of the service and no port',
      severity: 'error',
      from: { path: '^services/surfaces/http/' },
      to: {
        path: '^services/(ports|ports/[a-z-]+|accounts/store|engines|embedded|embedded-readers|compose)[.]ts$|^services/cluster/|^infra/',
      },
    },
    {
      name: 'the-command-line-talks-http',
      comment: 'commands for people know the contract; serve, orgs and migrate alone open the engines',
      severity: 'error',
      from: {
        path: '^services/surfaces/cli/',
        pathNot: '^services/surfaces/cli/(serve|operator|migrate)[.]ts$',
      },
      to: {
        path: '^services/(?!cli/|importers/|mcp/run[.]ts|operator/|config[.]ts|log[.]ts|use-cases[.]ts)|^projections/',
      },
    },
    {
      name: 'the-mcp-server-talks-http',
      comment:
        'it is a client of the contract, wherever the service runs; of the service it has how to listen',
      severity: 'error',
      from: { path: '^services/surfaces/mcp/' },
      to: {
        path: '^services/(?!mcp/|cli/(client|connection|exit|recall|terminal|version)[.]ts|http/(listen|server)[.]ts|log[.]ts|use-cases[.]ts)|^projections/|^schemas/',
      },
    },
    {
      name: 'importers-read-and-nothing-else',
      comment: 'bytes of an export in, turns out: an importer knows no terminal, no server and no port',
      severity: 'error',
      from: { path: '^services/surfaces/importers/' },
      to: {
        path: '^(services|projections|infra)/',
        pathNot: '^services/(importers/|tokens[.]ts|transfer/format[.]ts)',
      },
    },
    {
      name: 'the-console-runs-in-a-browser',
      comment: 'it knows nothing of the server',
      severity: 'error',
      from: { path: '^services/surfaces/console/' },
      to: { path: '^(projections|services|infra)/', pathNot: '^services/surfaces/console/' },
    },
    {
      name: 'the-console-takes-types-of-the-contract',
      comment: 'from the schemas and from what the OpenAPI document made; what checks it stays in the server',
      severity: 'error',
      from: { path: '^services/surfaces/console/' },
      to: { path: '^(schemas|clients)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-the-console',
      comment: 'the server serves its built files',
      severity: 'error',
      from: { path: '^(schemas|projections|services|infra)/', pathNot: '^services/surfaces/console/' },
      to: { path: '^services/surfaces/console/' },
    },
    {
      name: 'nothing-ships-tests',
      comment: 'the package has no tests',
      severity: 'error',
      from: { path: '^(schemas|projections|services|infra)/' },
      to: { path: '^test/' },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'what is published depends on nothing, of this repository or of others',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    only('sqlite-in-its-adapter', 'sqlite', '^infra/embedded/'),
    only('express-in-http', 'express', '^services/(http/|compose[.]ts$)'),
    only('mcp-sdk-in-mcp', '@modelcontextprotocol/sdk', '^services/surfaces/mcp/'),
    only('zod-in-mcp', 'zod', '^services/surfaces/mcp/'),
    only('jose-in-accounts', 'jose', '^services/accounts/|^infra/signing-keys[.]ts$'),
    ...Object.entries(VENDORS).map(([module, folder]) => only(`vendor-${module}`, module, folder)),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
