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

/** Direction overrides and isolates, which reorder what a person sees. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/gu;
/** A style of `styled`, control characters but line breaks, and what some terminals take for those. */
const STYLE_OR_CONTROL = /\p{Cc}\[(?:1|2|22|36|39)m|[\p{Cc}--\n]+|[\u2028\u2029]/gv;

/** Returns lines as they may be written: words of others can't rewrite what the terminal shows. */
const harmless = (lines: string): string =>
  lines.replace(STYLE_OR_CONTROL, text => (text.startsWith('\u001b[') ? text : ' ')).replace(REORDERING, '');

/** Writes what a command answers. */
export const print = (terminal: Terminal, lines = ''): void => {
  terminal.stdout.write(`${harmless(lines)}\n`);
};

/** Writes JSON whose texts are exact: characters that a terminal would obey are escaped. */
export const printJson = (terminal: Terminal, value: unknown, indent?: number): void => {
  const json = JSON.stringify(value, null, indent).replace(
    /[[\p{Cc}--\n]\u2028\u2029\u202a-\u202e\u2066-\u2069]/gv,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  terminal.stdout.write(`${json}\n`);
};

/** Writes beside the answer: progress, and details of a warning. */
export const note = (terminal: Terminal, lines: string): void => {
  terminal.stderr.write(`${harmless(lines)}\n`);
};

export const warn = (terminal: Terminal, line: string): void => {
  note(terminal, `turnstone: ${line}`);
};

type Style = Parameters<typeof styleText>[0];

/** Styles text for stdout; plain if it is not a terminal or `NO_COLOR` is set. */
export const styled = (terminal: Terminal, style: Style, text: string): string =>
  terminal.stdout.isTTY && !terminal.environment.NO_COLOR
    ? styleText(style, text, { validateStream: false })
    : text;

/** Returns stored text as a part of a line: control characters, line breaks too, become spaces. */
export const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(REORDERING, '')
    .trim();

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
