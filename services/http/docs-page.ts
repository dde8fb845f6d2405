import { createHash } from 'node:crypto';
import type { OpenApiDocument, PathOperation } from '../../schemas/openapi.ts';

type Schema = Record<string, unknown>;

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #0a7d6c; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
h1 { margin: 0; } h2 { margin: 3rem 0 .5rem; border-bottom: 1px solid var(--line); } h3 { margin: 0; font-size: 1rem; }
article { margin: 1.5rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; } pre { overflow-x: auto; padding: .75rem 1rem; background: var(--soft); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--line); }
a { color: var(--accent); } nav ul { columns: 2; padding-left: 1.1rem; } .method { color: var(--accent); font-weight: 700; text-transform: uppercase; }
@media (max-width: 40rem) { nav ul { columns: 1; } }
`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ENTITIES[character]!);

const nameOf = (reference: unknown): string | undefined =>
  typeof reference === 'string' ? reference.split('/').at(-1) : undefined;

const link = (name: string): string => `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;

/** A schema's type in a few words; named ones as links. */
const typeOf = (schema: Schema): string => {
  const name = nameOf(schema.$ref);
  if (name) return link(name);
  if (Array.isArray(schema.allOf)) return (schema.allOf as Schema[]).map(typeOf).join(' with ');
  const { details } = (schema.properties ?? {}) as { details?: Schema };
  if (nameOf(details?.$ref)) return `details: ${typeOf(details!)}`;
  if (Array.isArray(schema.enum))
    return schema.enum.map(value => `<code>${escapeHtml(String(value))}</code>`).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as Schema)}`;
  return escapeHtml([schema.type ?? 'any'].flat().join(' or '));
};

/** What the schema asks beyond the type. */
const rulesOf = (schema: Schema): string => {
  const range = (unit: string, least: unknown, most: unknown): string | undefined => {
    if (least === undefined && most === undefined) return undefined;
    if (least === undefined) return `at most ${most}${unit}`;
    return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
  };
  const words = [
    range(' characters', schema.minLength, schema.maxLength),
    range(' elements', schema.minItems, schema.maxItems),
    range('', schema.minimum, schema.maximum),
    schema.format,
    schema['x-rule'],
    schema.default === undefined ? undefined : `default: ${JSON.stringify(schema.default)}`,
    schema.description,
  ];
  return words
    .filter(word => word !== undefined)
    .map(word => escapeHtml(String(word)))
    .join('; ');
};

/** One row a member, inner objects by their path: `turns[].text`. */
const rowsOf = (schema: Schema, path: string): string[] => {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, member]) => {
    const at = `${path}${name}`;
    const row = `<tr><td><code>${escapeHtml(at)}</code></td><td>${typeOf(member)}</td><td>${required.has(name) ? 'yes' : 'no'}</td><td>${rulesOf(member)}</td></tr>`;
    const inner = member.type === 'array' ? ((member.items ?? {}) as Schema) : member;
    return [row, ...rowsOf(inner, member.type === 'array' ? `${at}[].` : `${at}.`)];
  });
};

const membersOf = (schema: Schema): string => {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '';
  return `<table><tr><th>Member</th><th>Type</th><th>Required</th><th>Rule</th></tr>${rows.join('')}</table>`;
};

const curlOf = (method: string, path: string, operation: PathOperation): string => {
  const lines = [`curl -s${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$TURNSTONE_URL${path}"`];
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"');
  const example = operation.requestBody?.content['application/json']?.example;
  if (example !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`);
  }
  return lines.join(' \\\n  ');
};

const idOf = (operation: PathOperation): string => `op-${operation.operationId}`;

const articleOf = (
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: PathOperation,
): string => {
  const schema = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
  const body = schema ? `<h4>Body: ${typeOf(schema)}</h4>` : '';
  const query = operation.parameters
    .filter((parameter): parameter is { in: string; name: string; schema: Schema } => 'in' in parameter)
    .map(
      one =>
        `<tr><td><code>${escapeHtml(one.name)}</code></td><td>${one.in}</td><td>${rulesOf(one.schema)}</td></tr>`,
    );
  const parameters = query.length > 0 ? `<h4>Parameters</h4><table>${query.join('')}</table>` : '';
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const name = nameOf((response as Schema).$ref);
    const full = (name ? document.components.responses[name] : response) as Schema;
    const content = Object.values((full.content ?? {}) as Record<string, { schema: Schema }>)[0];
    const type = content ? typeOf(content.schema) : '';
    return `<tr><td>${status}</td><td>${escapeHtml(String(full.description))}</td><td>${type}</td></tr>`;
  });
  return `<article id="${idOf(operation)}"><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary)}. ${escapeHtml(operation.description ?? '')}</p>
<pre>${escapeHtml(curlOf(method, path, operation))}</pre>${body}${parameters}
<h4>Answers</h4><table>${answers.join('')}</table></article>`;
};

/** The OpenAPI document as one page that asks no host for anything, with the policy that holds it to that. */
export const docsPage = (document: OpenApiDocument): { html: string; contentSecurityPolicy: string } => {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name, description }) => {
    const articles = all
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => articleOf(document, method, path, operation));
    return `<h2>${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${articles.join('\n')}`;
  });
  const contents = all.map(
    ({ path, method, operation }) =>
      `<li><a href="#${idOf(operation)}"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></a></li>`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<article id="schema-${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${membersOf(schema as Schema)}</article>`,
  );
  const paragraphs = document.info.description.split('\n\n').map(text => `<p>${escapeHtml(text)}</p>`);
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title><style>${STYLE}</style></head>
<body><header><h1>${escapeHtml(document.info.title)} API</h1>${paragraphs.join('')}
<p>The same as data: <a href="/openapi.json">/openapi.json</a></p></header>
<nav><ul>${contents.join('')}</ul></nav>
<main>${sections.join('\n')}<h2>Schemas</h2>${schemas.join('\n')}</main></body></html>
`;
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, contentSecurityPolicy };
};
