/**
 * The written files of the Helm chart: its README, from the comments of values.yaml, and the names in its
 * schema that `config` may have, from the declarations of the variables.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../../schemas/config.ts';
import { ROOT } from '../support/processes/server.ts';
import { variablesIn } from '../support/variables.ts';

export const CHART = 'infra/helm/turnstone';
const read = (file: string): string => readFileSync(join(ROOT, CHART, file), 'utf8');

interface Value {
  path: string;
  about: string;
  /** As values.yaml has it; undefined for a map of more than `{}`. */
  text: string | undefined;
  children: Value[];
}

interface Section {
  title: string;
  values: Value[];
}

/**
 * Reads the form of YAML that values.yaml is in: a key a line, two spaces a level, comments above keys, and
 * `## Title` above a section. Returns the sections, and the paragraphs above the first one.
 */
const sectionsOf = (yaml: string): { intro: string[]; sections: Section[] } => {
  const intro: string[] = [''];
  const sections: Section[] = [];
  let about: string[] = [];
  const open: { indent: number; value: Value }[] = [];
  for (const line of yaml.split('\n')) {
    const [, indent = '', comment, key, text] =
      /^( *)(?:#+ ?(.*)|([\w-]+):(?: (.*))?)?$/.exec(line) ?? raise(`values.yaml: ${line}`);
    if (line.startsWith('## ')) {
      sections.push({ title: comment!, values: [] });
      about = [];
    } else if (comment !== undefined) {
      if (sections.length > 0) about.push(comment);
      else if (comment === '') intro.push('');
      else intro.push(`${intro.pop()!} ${comment}`.trim());
    } else if (key !== undefined) {
      while (open.length > 0 && open.at(-1)!.indent >= indent.length) open.pop();
      const parent = open.at(-1)?.value;
      const path = parent ? `${parent.path}.${key}` : key;
      const value = { path, about: about.join(' '), text, children: [] };
      (parent?.children ?? sections.at(-1)!.values).push(value);
      open.push({ indent: indent.length, value });
      about = [];
    }
  }
  return { intro, sections };
};

const raise = (reason: string): never => {
  throw new Error(reason);
};

const code = (text: string): string => `\`${text}\``;
const nameOf = ({ path }: Value): string => path.slice(path.lastIndexOf('.') + 1);

const linesOf = (value: Value): string[] => {
  const { path, about, text, children } = value;
  const said = about === '' ? '' : `: ${about}`;
  if (text !== undefined) return [`- ${code(path)} (${code(text)})${said}`];
  const isFlat = children.every(child => child.about === '' && child.text !== undefined);
  if (isFlat && about !== '') {
    const members = children.map(child => `${code(nameOf(child))} ${code(child.text!)}`).join(', ');
    return [`- ${code(path)} (${members})${said}`];
  }
  return [...(about === '' ? [] : [`- ${code(path)}${said}`]), ...children.flatMap(linesOf)];
};

const chartReadme = (): string => {
  const { intro, sections } = sectionsOf(read('values.yaml'));
  return [
    '# The chart `turnstone`',
    '',
    '<!-- Written by `npm run docs:reference`. -->',
    '',
    'Turnstone in the mode `cluster` on Kubernetes 1.27 or later: the API, projectors, enrichers and the migration, on engines of yours. It brings',
    'no engines. [Run it on Kubernetes](../../../docs/operate/cluster/kubernetes.md) has the steps. Values that contradict each other fail, with a',
    'sentence for each.',
    '',
    ...intro.slice(1).flatMap(paragraph => [paragraph, '']),
    'In brackets is the default.',
    ...sections.flatMap(({ title, values }) => ['', `## ${title}`, '', ...values.flatMap(linesOf)]),
    '',
  ].join('\n');
};

/** Variables that mean nothing in the mode cluster, or are for tests. */
const NOT_IN_CLUSTER = ['TURNSTONE_DATA_DIR', 'TURNSTONE_DISK_RESERVE_MB', 'TURNSTONE_CLOCK'];

/** The names of the variables in the templates: their values have places of their own. */
export const namesInTemplates = (): Set<string> => {
  const templates = globSync('templates/**/*.{tpl,yaml}', { cwd: join(ROOT, CHART) });
  const code = templates.map(file => read(file).replace(/\{\{-? *\/\*[\s\S]*?\*\/ *-?\}\}|^ *#.*$/gm, ''));
  return new Set([...code.join('\n').matchAll(/\bTURNSTONE_[A-Z_]+\b/g)].map(([name]) => name));
};

const inConfig = (): string[] => {
  const taken = new Set([...namesInTemplates()].map(name => name.replace(/_FILE$/, '')));
  return variablesIn(SETTINGS)
    .filter(({ name, isSecret }) => !isSecret && !taken.has(name) && !NOT_IN_CLUSTER.includes(name))
    .map(({ name }) => name);
};

const chartSchema = (): string => {
  const names = inConfig().map(name => `          "${name}"`);
  return read('values.schema.json').replace(
    /("propertyNames": \{\s*"enum": )\[[^\]]*\]/,
    (_all, before: string) => `${before}[\n${names.join(',\n')}\n        ]`,
  );
};

export const CHART_PAGES: Readonly<Record<string, () => string>> = {
  [`${CHART}/README.md`]: chartReadme,
  [`${CHART}/values.schema.json`]: chartSchema,
};
