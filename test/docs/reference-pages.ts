/** The pages of docs/reference/ that are written from declarations: `npm run docs:reference`. */
import { Command, type Help } from 'commander';
import { RULES, RULES_VERSION } from '../../domain/screening/rules.ts';
import { placeholder } from '../../domain/screening/screen.ts';
import { SETTINGS } from '../../schemas/config.ts';
import { CLUSTER_SETTINGS } from '../../schemas/config-cluster.ts';
import type { Variable } from '../../schemas/config-values.ts';
import { operations } from '../../schemas/http/contract.ts';
import { RIGHTS, type Right } from '../../schemas/http/rights.ts';
import { ALL_COMMANDS } from '../../services/surfaces/cli/commands/all.ts';
import type { Terminal } from '../../services/surfaces/client/terminal.ts';
import { variablesIn } from '../support/variables.ts';
import { CHART_PAGES } from './chart-pages.ts';

const WRITTEN = '<!-- Written by `npm run docs:reference`. -->';

const code = (text: string): string => `\`${text}\``;

const defaultOf = ({ default: fallback, neededFor }: Variable<unknown>): string => {
  if (typeof fallback !== 'string' && fallback.embeddedReachable !== undefined)
    return ` (${code(fallback.embedded)}; ${code(fallback.embeddedReachable)} on other addresses than a loopback one; in the cluster ${code(fallback.cluster)})`;
  if (typeof fallback !== 'string')
    return ` (${code(fallback.embedded)}; in the cluster ${code(fallback.cluster)})`;
  if (fallback !== '') return ` (${code(fallback)})`;
  return neededFor === 'cluster' ? ' (needed in the cluster)' : '';
};

/** Returns what a wrong value is told; nothing where any is right. */
const acceptedBy = ({ parse }: Variable<unknown>): string => {
  try {
    parse('\u0000');
    return '';
  } catch (error) {
    return ` Accepts ${(error as RangeError).message}.`;
  }
};

const variableLine = (one: Variable<unknown>): string =>
  `- ${code(one.name)}${one.isSecret ? ', `_FILE`' : ''}${defaultOf(one)}: ${one.about}.${acceptedBy(one)}`;

export const configurationPage = (): string => {
  const cluster = new Set(variablesIn(CLUSTER_SETTINGS));
  const everywhere = variablesIn(SETTINGS).filter(one => !cluster.has(one));
  return [
    '# Variables',
    '',
    WRITTEN,
    '',
    'The configuration is read once, from the environment. All faults are reported together before anything starts (exit status 78).',
    '`turnstone config` prints the configuration that an environment gives, without its secrets. An empty variable counts as unset.',
    '',
    'In brackets is the default. A variable with `_FILE` holds a secret: the same name with `_FILE` behind it may name a file that has it instead.',
    '',
    '## In both modes',
    '',
    ...everywhere.map(variableLine),
    '',
    '## In the mode `cluster`',
    '',
    '[Run the cluster](../operate/cluster.md#variables) says which processes need which.',
    '',
    ...[...cluster].map(variableLine),
    '',
    '## Of the command line',
    '',
    '- `TURNSTONE_URL`: the server of commands and of `turnstone mcp`; by default that of the data folder, on any port.',
    '- `TURNSTONE_API_KEY`, `_FILE`: its key; by default the one in the data folder.',
    '- `TURNSTONE_MCP_USER`, `TURNSTONE_MCP_SESSION`: [MCP](../guides/connect/mcp.md#options): user and session of calls that name none.',
    '',
  ].join('\n');
};

const isShown = (command: Command): boolean => command.name() !== 'help';

/** A command and its own commands, in the order of `--help`. */
const withChildren = (command: Command): Command[] => [
  command,
  ...command.commands.filter(isShown).flatMap(withChildren),
];

const commandSection = (command: Command, help: Help): string[] => {
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const lines = [
    ...help.visibleArguments(command).map(one => [help.argumentTerm(one), help.argumentDescription(one)]),
    ...options.map(one => [help.optionTerm(one), help.optionDescription(one)]),
  ].map(([term = '', words = '']) => `- ${code(term)}: ${words}`);
  const usage = help.commandUsage(command).replace(/ \[options\]| \[command\]/g, '');
  const about = command.description();
  return [
    `${command.parent?.parent ? '###' : '##'} ${code(usage)}`,
    '',
    `${about[0]!.toUpperCase()}${about.slice(1)}.`,
    ...(lines.length > 0 ? ['', ...lines] : []),
    '',
  ];
};

export const commandsPage = (): string => {
  const program = new Command('turnstone');
  for (const add of ALL_COMMANDS) add(program, {} as Terminal, () => {});
  const commands = program.commands.filter(isShown).flatMap(withChildren);
  return [
    '# Commands',
    '',
    WRITTEN,
    '',
    '`turnstone --help`, and `--help` behind each command, say the same with examples. In a clone it is `npm run --silent turnstone -- …`.',
    'Commands call the server that `TURNSTONE_URL` and `TURNSTONE_API_KEY` name; by default that of the data folder, on any port, with the',
    'key that is there. Exit status: 0 done, 1 failed, 2 wrong usage, 69 service unreachable, 77 not allowed, 78 configuration.',
    '',
    ...commands.flatMap(command => commandSection(command, command.createHelp())),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
};

const REFUSED: Record<Right['reach'], string> = {
  scope: '',
  user: '. A key that is strict for a session: 403',
  organization: '. A strict key: 403',
};

const rightsPage = (): string => {
  const rows = Object.entries<Right>(RIGHTS).map(([id, { access, reach, untold }]) => {
    const { method, path, answer } = operations[id]!;
    const roles = access.map(code).join(' or ') || 'any key';
    const told = answer.schema ? 'the id alone' : `always ${answer.status}`;
    const blind = untold ? `. Without ${code('memory:read')}: ${told}` : '';
    return `- ${code(`${method.toUpperCase()} ${path}`)}: ${roles}${REFUSED[reach]}${blind}`;
  });
  return [
    '# Rights',
    '',
    WRITTEN,
    '',
    'The role that each call needs; `*` has every role. A call without it is a 403, and so is one that names a user that the key may not name.',
    '[Roles](api.md#roles) and [reach](api.md#what-a-key-reaches) say what that means.',
    '',
    ...rows,
    '',
  ].join('\n');
};

const screeningPage = (): string =>
  [
    '# Screening',
    '',
    WRITTEN,
    '',
    `The rules \`${RULES_VERSION}\` in the order in which they are applied. [Screen secrets](../guides/screening.md) says when, and to what. A text is searched by`,
    'one rule after the other, in time that grows with its length; what a rule has replaced, no later one finds. The patterns are JavaScript regular',
    'expressions. Where one has a group `secret`, that group alone is replaced, and the rest of the match stays.',
    '',
    ...RULES.flatMap(({ name, finds, pattern, endOf }) => [
      `## ${name}`,
      '',
      finds,
      '',
      `Placeholder: ${code(placeholder(name))}.${endOf ? ' The pattern finds candidates; the length and the check digits decide.' : ''}`,
      '',
      '```text',
      pattern.source,
      '```',
      '',
    ]),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');

export const REFERENCE_PAGES: Readonly<Record<string, () => string>> = {
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/commands.md': commandsPage,
  'docs/reference/rights.md': rightsPage,
  'docs/reference/screening.md': screeningPage,
  ...CHART_PAGES,
};
