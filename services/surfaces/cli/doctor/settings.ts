import { describeConfig, type Environment, readConfig, unknownVariables } from '../../../../core/config.ts';
import { type Config, SETTINGS } from '../../../../schemas/config.ts';
import { CLUSTER_SETTINGS } from '../../../../schemas/config-cluster.ts';
import { makeChecks, type Report } from './check.ts';

const namesIn = (tree: object): string[] =>
  Object.values(tree).flatMap(node =>
    'parse' in node ? [(node as { name: string }).name] : namesIn(node as object),
  );

const given = (environment: Environment, names: readonly string[]): string[] =>
  names.flatMap(name => [name, `${name}_FILE`]).filter(name => environment[name]);

/** Variables that are set and that nothing reads, as another one says so: by the reason. */
const withoutEffect = (environment: Environment, { mode, extractor, embeddings, rerank }: Config) => [
  ...(mode === 'embedded'
    ? given(environment, namesIn(CLUSTER_SETTINGS)).map(name => [name, 'TURNSTONE_MODE is embedded'])
    : []),
  ...(extractor.kind === 'rules'
    ? given(environment, namesIn(SETTINGS.extractor).slice(1)).map(name => [
        name,
        'TURNSTONE_EXTRACTOR is rules',
      ])
    : []),
  ...(embeddings ? [] : given(environment, namesIn(SETTINGS.embeddings))).map(name => [
    name,
    'TURNSTONE_EMBEDDINGS_BASE_URL is not set',
  ]),
  ...(rerank ? [] : given(environment, namesIn(SETTINGS.rerank))).map(name => [
    name,
    'TURNSTONE_RERANK_BASE_URL is not set',
  ]),
];

/** Checks the variables of this environment; returns the configuration unless it is invalid. */
export const checkSettings = (environment: Environment, report: Report): Config | undefined => {
  const { ok, warn, fail } = makeChecks(report, 'settings');
  const read = readConfig(environment);
  if (!read.ok) {
    for (const fault of read.faults)
      fail(fault, 'set it right; docs/reference/configuration.md says what each accepts');
    return undefined;
  }
  const unknown = unknownVariables(environment);
  for (const name of unknown) warn(`nothing reads ${name}`, 'correct its name, or remove it');
  const vain = withoutEffect(environment, read.config);
  for (const [name, why] of vain) warn(`${name} has no effect: ${why}`, 'set both, or remove it');
  const set = describeConfig(environment).filter(({ isDefault }) => !isDefault).length;
  if (unknown.length + vain.length === 0) ok(`mode ${read.config.mode}, no fault in the ${set} that are set`);
  return read.config;
};
