import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Environment } from '../../../core/config.ts';
import type { Composition } from './composition.ts';

/** A command's input and output; tests pass their own. */
export interface Terminal {
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  environment: Environment;
  /** For commands that run or operate the service in this process. */
  composition: Composition;
}

export const print = (terminal: Terminal, line = ''): void => {
  terminal.stdout.write(`${line}\n`);
};

export const warn = (terminal: Terminal, line: string): void => {
  terminal.stderr.write(`turnstone: ${line}\n`);
};

type Style = Parameters<typeof styleText>[0];

/** Styles text for stdout; plain if it is not a terminal or `NO_COLOR` is set. */
export const styled = (terminal: Terminal, style: Style, text: string): string =>
  terminal.stdout.isTTY && !terminal.environment.NO_COLOR
    ? styleText(style, text, { validateStream: false })
    : text;

/** Stored text may contain escape sequences that rewrite the terminal: control characters become spaces. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Narrower lines would be broken at every word. */
const NARROWEST = 40;

/**
 * Characters to print on a line of stdout, at most `widest`. A pseudo-terminal without a size has 0 columns:
 * 80 then.
 */
export const lineWidth = ({ stdout }: Terminal, widest: number): number =>
  Math.max(NARROWEST, Math.min(widest, stdout.columns === 0 ? 80 : (stdout.columns ?? widest)));

/** Wraps `text` between words to lines of at most `width` characters; a longer word gets its own line. */
export const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
};

export const grouped = (value: number): string => value.toLocaleString('en-US');
