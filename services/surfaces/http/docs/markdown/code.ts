/** Renders blocks of code: alone, or as a choice where several show one thing in several languages. */
import type { Token, Tokens } from 'marked';
import { escapeHtml } from '../html.ts';
import { transcriptOf } from './transcript.ts';

/**
 * Highlights the typed commands of a console block. The prompt is no part of a command: it can't be selected,
 * and copying leaves it out (console/docs/copy.ts).
 */
const withCommands = (text: string): string => {
  const before = text.split(/^\$ /m)[0]!;
  const steps = transcriptOf(text).map(
    ({ command, output }) =>
      `<i>$ </i><b>${escapeHtml(command)}</b>${output ? `\n${escapeHtml(output)}` : ''}`,
  );
  return escapeHtml(before) + steps.join('\n');
};

/** A block of code; `data-language` tells a script what is copied of it. */
export const codeBlock = (text: string, language = ''): string => {
  const inside = language === 'console' ? withCommands(text) : escapeHtml(text);
  return `<div class="code" data-language="${escapeHtml(language)}"><pre tabindex="0"><code>${inside}</code></pre></div>\n`;
};

/** The name of a block's language where it is one of several; undefined where it is none of a choice. */
const labelOf = ({ text, lang = '' }: Pick<Tokens.Code, 'text' | 'lang'>): string | undefined => {
  if (lang === 'ts') return 'TypeScript';
  if (lang === 'python') return 'Python';
  if (lang !== 'console' && lang !== 'sh') return undefined;
  const programs = (lang === 'sh' ? [text] : transcriptOf(text).map(({ command }) => command)).join('\n');
  if (/(^|\s)curl /.test(programs)) return 'curl';
  return /^(npx )?turnstone /m.test(programs) ? 'CLI' : undefined;
};

export interface Choices extends Tokens.Generic {
  choices: { label: string; text: string; language: string }[];
}

/** Blocks of a choice, each below the name of its language; a script makes tabs of them. */
export const codeTabs = (choices: Choices['choices']): string => {
  const blocks = choices.map(
    ({ label, text, language }) =>
      `<div class="choice" data-label="${label}"><p class="label">${label}</p>${codeBlock(text, language)}</div>`,
  );
  return `<div class="choices">${blocks.join('')}</div>\n`;
};

/**
 * Puts blocks that follow each other, with nothing between them and each in another language, into one token
 * of the type `choices`: a convention that needs no syntax, so that a code host shows the blocks in a row.
 */
export const withChoices = (tokens: readonly Token[]): Token[] => {
  const out: Token[] = [];
  let run: { label: string; token: Tokens.Code }[] = [];
  let spaces: Token[] = [];
  const flush = (): void => {
    if (run.length > 1)
      out.push({
        type: 'choices',
        raw: run.map(({ token }) => token.raw).join(''),
        choices: run.map(({ label, token }) => ({ label, text: token.text, language: token.lang ?? '' })),
      });
    else out.push(...run.map(({ token }) => token));
    out.push(...spaces);
    run = [];
    spaces = [];
  };
  for (const token of tokens) {
    const label = token.type === 'code' ? labelOf(token as Tokens.Code) : undefined;
    if (token.type === 'space' && run.length > 0) spaces.push(token);
    else if (label === undefined) {
      flush();
      out.push(token);
    } else {
      if (run.some(one => one.label === label)) flush();
      spaces = [];
      run.push({ label, token: token as Tokens.Code });
    }
  }
  flush();
  return out;
};
