/** The words of a Markdown document by its headings, as the search and the links need them. */
import type { Token, Tokens } from 'marked';
import type { Passage } from '../html.ts';

/** GitHub's heading ids, so that links work there and here: a repeated heading ends in `-1`. */
export const makeSlugs = (): ((text: string) => string) => {
  const seen = new Map<string, number>();
  return text => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
};

/** The text of inline tokens, without markup. */
export const textOf = (tokens: readonly Token[] = []): string =>
  tokens.map(token => ('tokens' in token && token.tokens ? textOf(token.tokens) : plain(token))).join('');

const NAMED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (token: Token): string => {
  const text = 'text' in token ? String(token.text) : '';
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, entity => NAMED[entity]!);
};

/** The words of any tokens, one line a block; comments are left out. */
const wordsOf = (token: Token): string => {
  if (token.type === 'space' || token.type === 'html' || token.type === 'hr') return '';
  if (token.type === 'list') return (token as Tokens.List).items.map(wordsOf).join(' ');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map(row => row.map(cell => textOf(cell.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'code') return (token as Tokens.Code).text;
  return textOf([token]);
};

/** Splits a document at its headings; what stands before the first one is dropped. */
export const passagesOf = (tokens: readonly Token[]): Passage[] => {
  const slug = makeSlugs();
  const passages: Passage[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = textOf(token.tokens);
      passages.push({ id: slug(heading), heading, text: '' });
      continue;
    }
    const passage = passages.at(-1);
    const words = passage && wordsOf(token).replace(/\s+/g, ' ').trim();
    if (words) passage.text += `${passage.text && ' '}${words}`;
  }
  return passages;
};
