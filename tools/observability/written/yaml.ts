/** As much of YAML as Prometheus' files need. */
export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml | undefined };

/** Words that no reader of YAML takes for anything but text. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z][\w./-]*$/i;

const scalar = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "''")}'`);

const isEmpty = (value: Exclude<Yaml, string>): boolean => Object.keys(value).length === 0;

const indented = (lines: readonly string[], first = '  '): string[] =>
  lines.map((line, n) => (n === 0 ? first : '  ') + line);

const linesOf = (value: Exclude<Yaml, string>): string[] =>
  Array.isArray(value)
    ? value.flatMap((item: Yaml) =>
        typeof item === 'string' ? `- ${scalar(item)}` : indented(linesOf(item), '- '),
      )
    : Object.entries(value as Record<string, Yaml | undefined>).flatMap(([key, item]) => {
        if (item === undefined) return [];
        if (typeof item === 'string') return `${key}: ${scalar(item)}`;
        if (isEmpty(item)) return `${key}: ${Array.isArray(item) ? '[]' : '{}'}`;
        return [`${key}:`, ...indented(linesOf(item))];
      });

/** Returns the text of a file. Strings must be of one line. */
export const yaml = (value: Exclude<Yaml, string>): string => `${linesOf(value).join('\n')}\n`;
