/** Renders the OpenAPI document as the content of a page. */
import type { OpenApiDocument, PathOperation } from '../../../../../schemas/openapi.ts';
import { type Body, escapeHtml, type Heading, type Passage } from '../html.ts';
import { codeBlock } from '../markdown/code.ts';
import { membersOf, nameOf, rulesOf, type Schema, table, typeOf } from './schemas.ts';

interface Listed {
  method: string;
  path: string;
  operation: PathOperation;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

const block = (text: string): string => codeBlock(text, 'sh');

/** Writes an id in a path as a shell variable, because curl would expand the braces. */
const inShell = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);

const curlOf = ({ method, path, operation }: Listed): string => {
  const lines = [
    `curl -s${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$TURNSTONE_URL${inShell(path)}"`,
  ];
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  const example = operation.requestBody?.content['application/json']?.example;
  if (example !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`);
  }
  return lines.join(' \\\n  ');
};

const idOf = (operation: PathOperation): string => `op-${operation.operationId}`;

const named = ({ method, path }: Listed): string =>
  `<span class="method">${method}</span> <code>${escapeHtml(path)}</code>`;

const exampleOf = (status: string, { example, schema }: { schema: Schema; example?: unknown }): string => {
  if (example === undefined) return '';
  const text = typeof example === 'string' ? example.trimEnd() : JSON.stringify(example, null, 2);
  return `<h4>Example of a ${status}${schema.$ref ? `, ${typeOf(schema)}` : ''}</h4>${block(text)}`;
};

const articleOf = (document: OpenApiDocument, listed: Listed): string => {
  const { operation } = listed;
  const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
  const parameters = operation.parameters
    .filter((parameter): parameter is Parameter => 'in' in parameter)
    .map(
      one =>
        `<tr><td><code>${escapeHtml(one.name)}</code></td><td>${one.in}</td><td>${typeOf(one.schema)}</td><td>${one.required ? 'yes' : 'no'}</td><td>${rulesOf(one.schema)}</td></tr>`,
    );
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const shared = nameOf((response as Schema).$ref);
    const full = (shared ? document.components.responses[shared] : response) as Schema;
    const content = Object.values((full.content ?? {}) as Content)[0];
    const code = shared ? `<a href="#error-${status}">${status}</a>` : status;
    const row = `<tr><td>${code}</td><td>${escapeHtml(String(full.description))}</td><td>${content ? typeOf(content.schema) : ''}</td></tr>`;
    return { row, example: content && !shared ? exampleOf(status, content) : '' };
  });
  const text = [`${operation.summary}.`, operation.description].filter(Boolean).join(' ');
  return `<article id="${idOf(operation)}" aria-labelledby="${idOf(operation)}-name"><h3 id="${idOf(operation)}-name">${named(listed)}</h3>
<p>${escapeHtml(text)}</p>
${block(curlOf(listed))}${schema ? `<h4>Body: ${typeOf(schema)}</h4>` : ''}${parameters.length > 0 ? `<h4>Parameters</h4>${table('Parameters', ['Name', 'In', 'Type', 'Required', 'Rule'], parameters)}` : ''}
${answers.map(({ example }) => example).join('')}
<h4>Answers</h4>${table(
    'Answers',
    ['Status', 'When', 'Body'],
    answers.map(({ row }) => row),
  )}</article>`;
};

/** Lists every error once, with its meaning and an example. */
const refusalsOf = (document: OpenApiDocument): string =>
  Object.entries(document.components.responses)
    .map(([name, response]) => {
      const { description, headers, content } = response as {
        description: string;
        headers: object;
        content: Content;
      };
      const status = name.replace('Error', '');
      const sent = Object.keys(headers).filter(header => header !== 'X-Correlation-ID');
      const example = content['application/json']?.example;
      return `<article id="error-${status}" aria-labelledby="error-${status}-name"><h3 id="error-${status}-name">${status}</h3><p>${escapeHtml(description)}${sent.length > 0 ? ` Header: <code>${sent.join('</code>, <code>')}</code>.` : ''}</p>${example === undefined ? '' : block(JSON.stringify(example, null, 2))}</article>`;
    })
    .join('\n');

/** Operations and errors are found by what they are called and by what is said of them. */
const passageOf = ({ method, path, operation }: Listed): Passage => ({
  id: idOf(operation),
  heading: `${method.toUpperCase()} ${path}`,
  text: [`${operation.summary}.`, operation.description].filter(Boolean).join(' '),
});

const refusalPassages = ({ components }: OpenApiDocument): Passage[] =>
  Object.entries(components.responses).map(([name, response]) => {
    const status = name.replace('Error', '');
    const { description } = response as { description: string };
    return { id: `error-${status}`, heading: `Error ${status}`, text: description };
  });

const heading = (text: string, id: string): Heading => ({ depth: 2, id, text });

const section = ({ id, text }: Heading, inside: string): string =>
  `<h2 id="${id}">${escapeHtml(text)}</h2>${inside}`;

export const referenceOf = (document: OpenApiDocument): Omit<Body, 'title'> => {
  const all: Listed[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = document.tags.map(({ name, description }) => {
    const own = all.filter(({ operation }) => operation.tags.includes(name));
    const list = own.map(
      listed =>
        `<li><a href="#${idOf(listed.operation)}">${named(listed)}</a> ${escapeHtml(listed.operation.summary)}</li>`,
    );
    const articles = own.map(listed => articleOf(document, listed));
    const head = heading(name, `tag-${name.toLowerCase()}`);
    return {
      head,
      html: section(head, `<p>${escapeHtml(description)}</p><ul>${list.join('')}</ul>${articles.join('\n')}`),
    };
  });
  const refusals = heading('Every refusal', 'refusals');
  const schemas = heading('Schemas', 'schemas');
  const schemaArticles = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escapeHtml(name)}" aria-labelledby="schema-${escapeHtml(name)}-name"><h3 id="schema-${escapeHtml(name)}-name">${escapeHtml(name)}</h3>${membersOf(`Members of ${name}`, schema as Schema)}</article>`,
  );
  return {
    html: [
      ...tags.map(({ html }) => html),
      section(refusals, refusalsOf(document)),
      section(schemas, schemaArticles.join('\n')),
    ].join('\n'),
    headings: [...tags.map(({ head }) => head), refusals, schemas],
    passages: [...all.map(passageOf), ...refusalPassages(document)],
  };
};
