import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';
import { expect, it } from 'vitest';
import { makeSlugs, textOf } from '../../services/surfaces/http/docs/markdown/passages.ts';
import { readDocument } from '../support/files/documents.ts';
import { ROOT } from '../support/processes/server.ts';
import { DOCUMENTS } from './which.ts';

const tokensOf = (file: string): Token[] => {
  const tokens: Token[] = [];
  walkTokens(lexer(readDocument(file)), token => {
    tokens.push(token);
  });
  return tokens;
};

const anchorsOf = (file: string): Set<string> => {
  const slug = makeSlugs();
  return new Set(
    tokensOf(file)
      .filter((token): token is Tokens.Heading => token.type === 'heading')
      .map(({ tokens }) => slug(textOf(tokens))),
  );
};

/** As GitHub shows them; test/http/docs-site.test.ts follows them as they are served. */
it('no link between documents is dead, nor the anchor that it names', () => {
  const dead: string[] = [];
  let followed = 0;
  for (const file of DOCUMENTS) {
    for (const token of tokensOf(file)) {
      if (token.type !== 'link' && token.type !== 'image') continue;
      const { href } = token as Tokens.Link | Tokens.Image;
      if (/^[a-z]+:/.test(href)) continue;
      followed += 1;
      const [path = '', anchor] = href.split('#', 2);
      const target = path === '' ? file : posix.join(posix.dirname(file), path);
      const isDead = path.startsWith('/') || !existsSync(join(ROOT, target));
      if (isDead || (anchor !== undefined && !anchorsOf(target).has(anchor))) dead.push(`${file}: ${href}`);
    }
  }
  expect(followed).toBeGreaterThan(50);
  expect(dead).toEqual([]);
});

it('every decision is listed', () => {
  const listed = tokensOf('docs/internals/decisions/README.md').flatMap(token =>
    token.type === 'link' ? [token.href] : [],
  );
  const folder = 'docs/internals/decisions';
  const decisions = DOCUMENTS.filter(file => file.startsWith(folder) && /\/\d/.test(file)).map(file =>
    posix.relative(folder, file),
  );
  expect(listed.toSorted()).toEqual(decisions);
});

it('every page is in the contents', () => {
  const listed = tokensOf('docs/README.md').flatMap(token =>
    token.type === 'link' ? [`docs/${token.href}`] : [],
  );
  const pages = DOCUMENTS.filter(file => /^docs\/.+\//.test(file) && !/decisions\/.+\/\d/.test(file));
  expect(pages.filter(page => !listed.includes(page))).toEqual([]);
});

it('no page is too long to be read', () => {
  const long = DOCUMENTS.filter(file => Buffer.byteLength(readDocument(file)) > 25_000);
  expect(long).toEqual([]);
});
