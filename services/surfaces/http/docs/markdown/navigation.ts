import { posix } from 'node:path';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';
import { textOf } from './passages.ts';

export interface Entry {
  /** Its path within the repository. */
  file: string;
  label: string;
}

export interface Section {
  title: string;
  entries: Entry[];
}

const linksOf = (token: Token): Tokens.Link[] => {
  const links: Tokens.Link[] = [];
  walkTokens([token], one => {
    if (one.type === 'link') links.push(one as Tokens.Link);
  });
  return links;
};

/** The sections of a table of contents: its level 2 headings, each with the first link of every list item. */
export const sectionsOf = (source: string, file: string): Section[] => {
  const sections: Section[] = [];
  for (const token of lexer(source)) {
    if (token.type === 'heading' && token.depth === 2)
      sections.push({ title: textOf(token.tokens), entries: [] });
    if (token.type !== 'list') continue;
    for (const item of (token as Tokens.List).items) {
      const [link] = linksOf(item);
      if (!link) continue;
      const target = posix.join(posix.dirname(file), link.href);
      sections.at(-1)?.entries.push({ file: target, label: textOf(link.tokens) });
    }
  }
  return sections.filter(({ entries }) => entries.length > 0);
};
