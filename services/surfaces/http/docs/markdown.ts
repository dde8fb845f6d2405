import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { type Body, escapeHtml, type Heading } from './html.ts';

/** A file's address within the site; undefined when it is not served. */
export type Resolve = (file: string) => string | undefined;

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

const isElsewhere = (href: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(href);

/** Rewrites a link between files as a link between pages; undefined when the target is not served. */
const rewritten = (href: string, file: string, resolve: Resolve): string | undefined => {
  if (isElsewhere(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [path = '', anchor] = href.split('#', 2);
  const address = resolve(posix.join(posix.dirname(file), path));
  return address && (anchor === undefined ? address : `${address}#${anchor}`);
};

/** Highlights the typed commands of a console block. */
const commandsMarked = (html: string): string => html.replace(/^\$ .*$/gm, line => `<b>${line}</b>`);

/**
 * Renders Markdown as the content of a page. HTML in it is shown as text; comments are left out.
 * @param file its path within the repository, to which its links are relative
 */
export const renderMarkdown = (source: string, file: string, resolve: Resolve): Body => {
  const slug = makeSlugs();
  const headings: Heading[] = [];
  let title = file;
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      heading({ tokens, depth }) {
        const text = textOf(tokens);
        const id = slug(text);
        if (depth === 1) title = text;
        headings.push({ depth, id, text });
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${escapeHtml(id)}">${inner} <a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to: ${escapeHtml(text)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = rewritten(href, file, resolve);
        if (to === undefined) {
          const path = posix.join(posix.dirname(file), href);
          return `<span title="${escapeHtml(path)}, in the repository">${inner}</span>`;
        }
        return `<a href="${escapeHtml(to)}"${isElsewhere(to) ? ' rel="noreferrer"' : ''}>${inner}</a>`;
      },
      image: ({ href, text }) =>
        `<img src="${escapeHtml(rewritten(href, file, resolve) ?? '')}" alt="${escapeHtml(text)}">`,
      code({ text, lang = '' }: Tokens.Code) {
        const html = escapeHtml(text);
        return `<pre tabindex="0"><code>${lang === 'console' ? commandsMarked(html) : html}</code></pre>\n`;
      },
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[]): string =>
          `<tr>${cells.map(cell => (cell.header && !cell.text ? '<td></td>' : this.tablecell(cell))).join('')}</tr>`;
        // A table with an empty header is a list of pairs.
        const head = header.some(({ text }) => text) ? `<thead>${row(header)}</thead>` : '';
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(source, { async: false });
  return { title, html, headings };
};
