/** Renders JSON Schemas as readable tables. */
import { escapeHtml } from '../html.ts';

export type Schema = Record<string, unknown>;

export const nameOf = (reference: unknown): string | undefined =>
  typeof reference === 'string' ? reference.split('/').at(-1) : undefined;

const link = (name: string): string => `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;

/** A schema's type in a few words; named schemas as links. */
export const typeOf = (schema: Schema): string => {
  const name = nameOf(schema.$ref);
  if (name) return link(name);
  if (Array.isArray(schema.oneOf)) return (schema.oneOf as Schema[]).map(typeOf).join(' or ');
  if (Array.isArray(schema.allOf)) return (schema.allOf as Schema[]).map(typeOf).join(' with ');
  const { details } = (schema.properties ?? {}) as { details?: Schema };
  if (nameOf(details?.$ref)) return `details: ${typeOf(details!)}`;
  if (Array.isArray(schema.enum))
    return schema.enum.map(value => `<code>${escapeHtml(String(value))}</code>`).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf((schema.items ?? {}) as Schema)}`;
  return escapeHtml([schema.type ?? 'any'].flat().join(' or '));
};

/** The schema's constraints beyond the type. */
export const rulesOf = (schema: Schema): string => {
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

/**
 * A table that scrolls if it is too wide. role=group: as regions, the tables would crowd out the page's
 * landmarks.
 */
export const table = (label: string, head: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<div class="table" tabindex="0" role="group" aria-label="${escapeHtml(label)}"><table><thead><tr>${head.map(name => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

/** One row per member; nested members are named by path: `turns[].text`. */
const rowsOf = (schema: Schema, path: string): string[] => {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, member]) => {
    const at = `${path}${name}`;
    const row = `<tr><td><code>${escapeHtml(at)}</code></td><td>${typeOf(member)}</td><td>${required.has(name) ? 'yes' : 'no'}</td><td>${rulesOf(member)}</td></tr>`;
    const isList = member.type === 'array';
    const inner = isList ? [member.items ?? {}] : [member, ...((member.oneOf ?? []) as Schema[])];
    return [row, ...inner.flatMap(one => rowsOf(one as Schema, isList ? `${at}[].` : `${at}.`))];
  });
};

export const membersOf = (label: string, schema: Schema): string =>
  table(label, ['Member', 'Type', 'Required', 'Rule'], rowsOf(schema, ''));
