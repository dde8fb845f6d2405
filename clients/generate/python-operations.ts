/** The Python client's operations. */
import { type Called, type Contract, nameOf, type Schema } from './operations.ts';
import { aliasesIn } from './python-models.ts';
import { call, INDENT, snake } from './python-text.ts';

/** Names of arguments, where the contract's is another one. */
const NAMES: Record<string, string> = { user_id: 'user', session_id: 'session', limit: 'page_size' };

interface Argument {
  name: string;
  type: string;
  isRequired: boolean;
}

/** A member of a query or a body: its name, and the expression that gives its value. */
type Member = [name: string, value: string];

/** The lines that make a dictionary; without what is None, unless it is sent as a whole. */
const dictionary = (variable: string, members: Member[], isWhole: boolean): string[] => {
  const [head, tail] = isWhole ? ['{', '}'] : ['without_none({', '})'];
  const items = members.map(([name, value]) => `"${name}": ${value}`);
  const short = `${INDENT}${variable} = ${head}${items.join(', ')}${tail}`;
  if (short.length <= 120) return [short];
  if (isWhole)
    return [`${INDENT}${variable} = {`, ...items.map(item => `${INDENT}${INDENT}${item},`), `${INDENT}}`];
  return [
    `${INDENT}${variable} = without_none(`,
    `${INDENT}${INDENT}{`,
    ...items.map(item => `${INDENT}${INDENT}${INDENT}${item},`),
    `${INDENT}${INDENT}}`,
    `${INDENT})`,
  ];
};

const isObject = ({ type }: Schema): boolean => type === 'object';

export const makeOperations = (contract: Contract): string => {
  const { schemas, called } = contract;
  const aliases = aliasesIn(contract);

  const typeOf = (schema: Schema): string => {
    if (nameOf(schema.$ref) === 'Filter') return 'Filter';
    if (schema.enum)
      return `models.${Object.keys(aliases).find(name => `${aliases[name]}` === `${schema.enum}`)}`;
    const [type, ...others] = [schema.type ?? []].flat();
    if (others.length > 0) return [type, ...others].map(one => typeOf({ ...schema, type: one! })).join(' | ');
    if (type === 'array')
      return isObject(schema.items!) ? 'list[dict[str, Any]]' : `Sequence[${typeOf(schema.items!)}]`;
    if (type === 'string') return schema.format === 'date-time' ? 'Instant' : 'str';
    return { integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type!] ?? 'Mapping[str, Any]';
  };

  const expressionOf = (name: string, schema: Schema): string => {
    if (schema.format === 'date-time') return `instant(${name})`;
    const isList = schema.type === 'array' && !isObject(schema.items!);
    return isList ? `None if ${name} is None else list(${name})` : name;
  };

  /**
   * The arguments and the members of an object that is sent, and the lines before it that make the objects
   * within.
   */
  const partsOf = (schema: Schema): { args: Argument[]; members: Member[]; nested: string[] } => {
    const args: Argument[] = [];
    const members: Member[] = [];
    const nested: string[] = [];
    for (const [member, one] of Object.entries(schema.properties!)) {
      const name = NAMES[member] ?? member;
      const isRequired = schema.required?.includes(member) ?? false;
      if (member === 'scope') {
        for (const each of ['user', 'session']) args.push({ name: each, type: 'str', isRequired: false });
        members.push([member, 'scope(user, session)']);
      } else if (one.properties) {
        const inner = partsOf(one);
        args.push(...inner.args);
        nested.push(...dictionary(member, inner.members, false));
        members.push([member, `${member} or None`]);
      } else {
        args.push({ name, type: typeOf(one), isRequired });
        members.push([member, expressionOf(name, one)]);
      }
    }
    return { args, members, nested };
  };

  const functionOf = ({ id, summary, method, path, query, body, answer, isRepeatable }: Called): string => {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
    const sent = body ? partsOf(schemas[body]!) : { args: [], members: [], nested: [] };
    // The transport adds the cursor, page by page.
    const asked = query.filter(({ name }) => name !== 'cursor');
    const args: Argument[] = [
      ...ids.map(name => ({ name, type: 'str', isRequired: true })),
      ...sent.args,
      ...asked.map(({ name, schema, required }) => ({
        name: NAMES[name] ?? name,
        type: name === 'filter' ? 'Filter' : typeOf(schema),
        isRequired: required,
      })),
    ];
    const required = args.filter(({ isRequired }) => isRequired);
    const optional = args.filter(({ isRequired }) => !isRequired);
    const parameters = [
      ...required.map(({ name, type }) => `${name}: ${type}`),
      ...(optional.length > 0 ? ['*'] : []),
      ...optional.map(({ name, type }) => `${name}: ${type} | None`),
    ];
    const queried = asked.map(({ name, schema }): Member => {
      const argument = NAMES[name] ?? name;
      return [name, name === 'filter' ? 'filter_text(filter)' : expressionOf(argument, schema)];
    });
    const filled = path.replace(/\{(\w+)\}/g, '{path_id($1)}');
    // A required member may be None: it is sent as null.
    const isWhole = sent.args.every(({ isRequired }) => isRequired);
    const passed = [
      `"${method}"`,
      `${ids.length > 0 ? 'f' : ''}"${filled}"`,
      ...(asked.length > 0 ? ['query=query'] : []),
      ...(body ? ['body=body'] : []),
      ...(isRepeatable ? [] : ['repeatable=False']),
    ];
    const request = `Request(${passed.join(', ')})`;
    return [
      ...call(`def ${snake(id)}(`, parameters, `) -> ${answer ? `Call[models.${answer}]` : 'Request'}:`),
      `${INDENT}"""${summary}."""`,
      ...(asked.length > 0 ? dictionary('query', queried, true) : []),
      ...sent.nested,
      ...(body ? dictionary('body', sent.members, isWhole) : []),
      `${INDENT}return ${answer ? `Call(${request}, models.${answer})` : request}`,
    ].join('\n');
  };

  const header = `"""The requests of all operations. Generated from the OpenAPI document by \`\`npm run client:generate\`\`: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import models
from .call import Call, Request
from .inputs import Instant, filter_text, instant, path_id, scope, without_none
from .sent import Filter`;
  return `${[header, ...called.map(functionOf)].join('\n\n\n')}\n`;
};
