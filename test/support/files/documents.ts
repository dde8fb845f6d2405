/** The code blocks of Markdown documents, and how commands among them are run and held to what is shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transcriptOf } from '../../../services/surfaces/http/docs/markdown/transcript.ts';
import { spawnProgram } from '../processes/command-line.ts';
import { ROOT } from '../processes/server.ts';

export interface Block {
  /** Within the repository. */
  file: string;
  /** The number of its first line of text, from 1. */
  line: number;
  language: string;
  text: string;
}

export interface Step {
  command: string;
  /**
   * The part of its output that is shown; undefined where the document shows none, and the command has to
   * succeed.
   */
  output?: string;
}

export interface Outcome {
  status: number;
  /** The text of stdout and stderr, in the order of their coming. */
  output: string;
}

export const readDocument = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Blocks between fences, also those within a list. */
export const blocksOf = (file: string, source = readDocument(file)): Block[] =>
  [...source.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: text = '' }) => ({
      file,
      line: source.slice(0, index).split('\n').length + 1,
      language: language.trim(),
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );

/** A `console` block as its commands with what they print, a `sh` block as one command. */
export const stepsOf = ({ language, text }: Block): Step[] =>
  language === 'console' ? transcriptOf(text) : [{ command: text.trimEnd() }];

/** Masks what differs from run to run: times, ids, rates, tokens. The words around them must not differ. */
export const masked = (text: string): string =>
  text
    .replace(/\b([a-z]{3})_[0-9a-f]{16,}/g, '$1_…')
    .replace(/\b[0-9a-f]{16,}\b/g, '…')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '…')
    .replace(/\bts_[\w-]+…?/g, 'ts_…')
    .replace(/\beyJ[\w.-]*…?/g, 'eyJ…')
    .replace(/"next_cursor":"[\w-]+…?"/g, '"next_cursor":"…"')
    .replace(/^id: \S+$/gm, 'id: …')
    .replace(/\d[\d,.]*/g, '#')
    .replace(/[ \t]+/g, ' ')
    .replace(/-{3,}/g, '---')
    .trim();

/** Whether a command printed what is shown of it; a line `…` stands for any lines. */
export const isShown = (shown: string, printed: string): boolean => {
  const parts = masked(shown)
    .split(/^…$/m)
    .map(part => part.trim());
  const text = masked(printed);
  if (parts.length === 1) return parts[0] === text;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = text.indexOf(part, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  return parts.at(-1) === '' || at === text.length;
};

const STEP_END = '\u0001';

/** Runs commands one after the other in one shell. */
export const runSteps = async (
  steps: readonly Step[],
  {
    before = '',
    ...options
  }: { before?: string; cwd: string; environment: Record<string, string>; within: number },
): Promise<Outcome[]> => {
  const script = steps.map(({ command }) => `{ ${command}\n} 2>&1; printf '${STEP_END}%d${STEP_END}' $?`);
  const { stdout } = await spawnProgram('bash', ['-c', [before, ...script].join('\n')], options);
  const pieces = stdout.split(STEP_END);
  return steps.map((_, index) => ({
    output: pieces[2 * index] ?? '',
    status: Number(pieces[2 * index + 1] ?? Number.NaN),
  }));
};

/** A document whose transcripts show what was just printed, in order, where they showed something else. */
export const updated = (source: string, printed: readonly (string | undefined)[]): string => {
  let next = 0;
  return source.replace(/^( *)```console\n([\s\S]*?)^ *```$/gm, (_all, indent: string, text: string) => {
    const steps = transcriptOf(text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
    const lines = steps.map(({ command, output = '' }) => {
      const now = printed[next++];
      const shown = now === undefined || isShown(output, now) ? output : now.trim();
      return `$ ${command}${shown ? `\n${shown}` : ''}`;
    });
    return ['```console', ...lines, '```'].join('\n').replaceAll(/^(?=.)/gm, indent);
  });
};
