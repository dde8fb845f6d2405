/** The TypeScript client's types and operations. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Called, Contract } from './operations.ts';

const HEADER = '/** Generated from the OpenAPI document by `npm run client:generate`: do not edit. */\n\n';

/** The document's schemas. Members with a default stay optional, since a request may omit them. */
export const typesIn = async ({ document }: Contract): Promise<string> => {
  const types = await openapiTS(document as unknown as OpenAPI3, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  });
  return `${HEADER}${astToString(types)}`;
};

const WIDTH = 110;

const signature = (head: string, parameters: readonly string[], tail: string): string[] => {
  const line = `${head}${parameters.join(', ')}${tail}`;
  return line.length <= WIDTH ? [line] : [head, ...parameters.map(one => `  ${one},`), tail];
};

const requestOf = ({ id, summary, method, path, query, body, answer, isRepeatable }: Called): string => {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
  const parameters = [
    ...ids.map(name => `${name}: string`),
    ...(query.length > 0 ? [`asked: Query<'${id}'>`] : []),
    ...(body ? [`body: Schemas['${body}']`] : []),
  ];
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => `\${member(${name})}`);
  const whole = query.length > 0 ? `${filled}\${query(asked)}` : filled;
  const members = [
    `method: '${method}'`,
    `path: ${whole.includes('${') ? `\`${whole}\`` : `'${whole}'`}`,
    ...(body ? ['body'] : []),
    ...(isRepeatable ? [] : ['isRepeatable: false']),
    ...(method === 'DELETE' && !answer ? ['isDoneWhenGone: true'] : []),
  ];
  const type = answer ? `Schemas['${answer}']` : 'undefined';
  return [
    `/** ${summary}. */`,
    ...signature(`export const ${id} = (`, parameters, `): Request<${type}> => ({`),
    ...members.map(member => `  ${member},`),
    '});',
  ].join('\n');
};

/** A function per operation that makes its request. */
export const requestsIn = ({ called }: Contract): string =>
  [
    `${HEADER}import type { components } from './api-types.ts';`,
    "import { member, type Query, query } from './transport/query.ts';",
    "import type { Request } from './transport/transport.ts';",
    '',
    "type Schemas = components['schemas'];",
    ...called.map(operation => `\n${requestOf(operation)}`),
    '',
  ].join('\n');
