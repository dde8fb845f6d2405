/** The Python client's models of answers. */
import { type Contract, nameOf, type Schema } from './operations.ts';
import { docstring, INDENT } from './python-text.ts';

/** Enumerations with a name, and where the document has them. */
export const aliasesIn = ({ schemas, called }: Contract): Record<string, string[]> => {
  const { mode, holds, kinds } = schemas.Recall!.properties!;
  const turns = called.find(({ id }) => id === 'listTurns')!;
  const users = called.find(({ id }) => id === 'listUsers')!;
  return {
    AuditAction: schemas.AuditEntry!.properties!.action!.enum!,
    HitKind: kinds!.items!.enum!,
    Holds: holds!.enum!,
    Mode: mode!.enum!,
    Order: turns.query.find(({ name }) => name === 'order')!.schema.enum!,
    Screen: schemas.Screening!.properties!.screen!.enum!,
    ScreenChoice: schemas.SetScreening!.properties!.screen!.enum!,
    Role: schemas.CreateApiKey!.properties!.roles!.items!.enum!,
    Source: schemas.ObservationItem!.properties!.source!.enum!,
    SplitBy: schemas.UsageSplit!.properties!.by!.enum!,
    Sort: users.query.find(({ name }) => name === 'sort')!.schema.enum!,
    Verdict: schemas.Feedback!.properties!.verdict!.enum!,
    Stance: schemas.ObservationItem!.properties!.stance!.enum!,
    WebhookEvent: schemas.Webhook!.properties!.events!.items!.enum!,
  };
};

/** Objects without a name in the document are named after their member, unless that says too little. */
const NAMES: Record<string, string> = {
  'AuditEntry.actor': 'AuditActor',
  'AuditEntry.target': 'AuditTarget',
  'Erased.erased': 'ErasedCounts',
  'Explanation.parts': 'Part',
  'MemoryStats.confidence': 'ConfidenceBin',
  'MemoryStats.days': 'StatsOfDay',
  'MemoryStats.latency_ms': 'LatencyBin',
  'NewWebhook.paused': 'WebhookPause',
  'Receipt.feedback': 'FeedbackCounts',
  'Retention.next': 'NextRetention',
  'UsageDaily.days': 'UsageOfDay',
  'Webhook.paused': 'WebhookPause',
};
/** Not in the `repr`. */
const SECRET = new Set(['NewApiKey.api_key', 'NewWebhook.secret']);
const RESERVED = new Set(['from']);

const literal = (values: readonly string[]): string =>
  `Literal[${values.map(value => JSON.stringify(value)).join(', ')}]`;

/** As ruff formats it. */
const MOST_COLUMNS = 120;
const aliasOf = (name: string, values: readonly string[]): string => {
  const line = `${name}: TypeAlias = ${literal(values)}`;
  if (line.length <= MOST_COLUMNS) return line;
  const broken = literal(values).replace(/\[(.*)\]/, `[\n${INDENT}$1\n]`);
  const fits = broken.split('\n').every(each => each.length <= MOST_COLUMNS);
  const each = values.map(value => `${INDENT}${JSON.stringify(value)},\n`).join('');
  return `${name}: TypeAlias = ${fits ? broken : `Literal[\n${each}]`}`;
};

const bounded = (type: 'int' | 'float', { minimum, maximum }: Schema): string => {
  if (type === 'int' && minimum === 0 && maximum === undefined) return 'Count';
  const bounds = [
    ...(minimum === undefined ? [] : [`ge=${minimum}`]),
    ...(maximum === undefined ? [] : [`le=${maximum}`]),
  ];
  return bounds.length === 0 ? type : `Annotated[${type}, Field(${bounds.join(', ')})]`;
};

export const makeModels = (contract: Contract): string => {
  const { schemas, called } = contract;
  const aliases = aliasesIn(contract);
  const texts = new Map<string, string[]>();

  const enumerated = (values: string[]): string =>
    Object.entries(aliases).find(([, those]) => `${those}` === `${values}`)?.[0] ?? literal(values);

  /** The type of a member; classes that it needs are written before the class that has it. */
  const typeOf = (schema: Schema, owner: string, member: string): string => {
    if (schema.$ref) return modelOf(nameOf(schema.$ref)!);
    if (schema.oneOf) return schema.oneOf.map(one => typeOf(one, owner, member)).join(' | ');
    if (schema.enum) return enumerated(schema.enum);
    const types = [schema.type ?? []].flat();
    return types.map(type => ofType(type, schema, owner, member)).join(' | ');
  };

  const ofType = (type: string, schema: Schema, owner: string, member: string): string => {
    if (type === 'string')
      return schema.format === 'date-time' ? 'datetime' : schema.format === 'date' ? 'date' : 'str';
    if (type === 'integer') return bounded('int', schema);
    if (type === 'number') return bounded('float', schema);
    if (type === 'boolean') return 'bool';
    if (type === 'null') return 'None';
    if (type === 'array') return `list[${typeOf(schema.items!, owner, member)}]`;
    if (schema.additionalProperties)
      return `dict[str, ${typeOf(schema.additionalProperties, owner, member)}]`;
    const name = NAMES[`${owner}.${member}`] ?? `${member[0]!.toUpperCase()}${member.slice(1)}`;
    return write(name, schema);
  };

  const modelOf = (name: string): string => write(name, schemas[name]!);

  const memberOf = (name: string, schema: Schema, isRequired: boolean, owner: string): string[] => {
    const own = typeOf(schema, owner, name);
    const type = isRequired || own.endsWith(' | None') ? own : `${own} | None`;
    const isReserved = RESERVED.has(name);
    const value = isReserved ? ` = Field(alias="${name}")` : isRequired ? '' : ' = None';
    const told = SECRET.has(`${owner}.${name}`) ? `Annotated[${type}, Field(repr=False)]` : type;
    return [
      `${INDENT}${isReserved ? `${name}_` : name}: ${told}${value}`,
      ...(schema.description ? docstring(schema.description) : []),
    ];
  };

  const write = (name: string, schema: Schema): string => {
    if (texts.has(name)) return name;
    const { properties = {}, required = [], description } = schema;
    const isPage = 'next_cursor' in properties;
    const own = Object.entries(properties).filter(([member]) => !(isPage && member === 'next_cursor'));
    const members = own.flatMap(([member, one]) => memberOf(member, one, required.includes(member), name));
    texts.set(name, [
      `class ${name}(${isPage ? 'Page' : 'Answer'}):`,
      ...(description ? [...docstring(description), ''] : []),
      ...(isPage ? [`${INDENT}name = "${own[0]![0]}"`] : []),
      ...members,
    ]);
    return name;
  };

  modelOf('Freshness');
  texts.set('Page', [
    'class Page(Answer):',
    `${INDENT}"""A page of a list."""`,
    '',
    `${INDENT}name: ClassVar[str]`,
    `${INDENT}"""The name of the member with its items."""`,
    `${INDENT}next_cursor: str | None`,
  ]);
  for (const { answer } of called) if (answer) modelOf(answer);
  for (const name of ['TurnEvent', 'ObservationEvent']) modelOf(name);

  const header = `"""Models of answers. Generated from the OpenAPI document by \`\`npm run client:generate\`\`: do not edit.

Server and client may have different versions: an answer keeps members that the client doesn't know (\`\`model_extra\`\`), a
member that the server doesn't send is missing (\`\`AttributeError\`\`), and one of another type or outside its enumeration
stays unchanged.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Count: TypeAlias = Annotated[int, Field(ge=0)]
${Object.entries(aliases)
  .map(([name, values]) => aliasOf(name, values))
  .join('\n')}


class Answer(BaseModel):
    """An answer of the service; immutable."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)
`;
  return `${[header.trimEnd(), ...[...texts.values()].map(lines => lines.join('\n'))].join('\n\n\n')}\n`;
};
