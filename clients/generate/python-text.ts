/** Pieces of Python, formatted as ruff formats them. */

const WIDTH = 120;

export const INDENT = '    ';

export const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** A docstring of the text, wrapped. */
export const docstring = (text: string, indent = INDENT): string[] => {
  const lines: string[] = [];
  let line = `${indent}"""`;
  for (const word of text.replaceAll('\\', '\\\\').split(/\s+/)) {
    const isFirst = line === `${indent}"""`;
    const longer = isFirst || line === indent ? line + word : `${line} ${word}`;
    // The last line has the closing quotes.
    if (longer.length + 3 > WIDTH && !isFirst) {
      lines.push(line);
      line = indent + word;
    } else line = longer;
  }
  return [...lines, `${line}"""`];
};

/** `head(one, two) tail` on one line where it fits, or else with a line each. */
export const call = (head: string, items: readonly string[], tail: string, indent = ''): string[] => {
  const short = `${indent}${head}${items.join(', ')}${tail}`;
  if (items.length === 0 || short.length <= WIDTH) return [short];
  return [`${indent}${head}`, ...items.map(item => `${indent}${INDENT}${item},`), `${indent}${tail}`];
};
