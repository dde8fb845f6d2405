import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { type Body, escapeHtml, type Heading } from '../html.ts';
import { type Choices, codeBlock, codeTabs, withChoices } from './code.ts';
import { makeSlugs, passagesOf, textOf } from './passages.ts';

/** A file's address within the site; undefined when it is not served. */
export type Resolve = (file: string) => string | undefined;

const isElsewhere = (href: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(href);

/** Rewrites a link between files as a link between pages; undefined when the target is not served. */
const rewritten = (href: string, file: string, resolve: Resolve): string | undefined => {
  if (isElsewhere(href) || href.startsWith('#') || href.startsWith('/')) return href;
  const [path = '', anchor] = href.split('#', 2);
  const address = resolve(posix.join(posix.dirname(file), path));
  return address && (anchor === undefined ? address : `${address}#${anchor}`);
};

/**
 * Renders Markdown as the content of a page. HTML in it is shown as text; comments are left out.
 * @param file its path within the repository, to which its links are relative
 */
export const renderMarkdown = (source: string, file: string, resolve: Resolve): Body => {
  const slug = makeSlugs();
  const headings: Heading[] = [];
  let title = file;
  const marked = new Marked({
    extensions: [
      { name: 'choices', level: 'block', renderer: token => codeTabs((token as Choices).choices) },
    ],
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
      code: ({ text, lang = '' }: Tokens.Code) => codeBlock(text, lang),
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[]): string =>
          `<tr>${cells.map(cell => (cell.header && !cell.text ? '<td></td>' : this.tablecell(cell))).join('')}</tr>`;
        // A table with an empty header is a list of pairs.
        const head = header.some(({ text }) => text) ? `<thead>${row(header)}</thead>` : '';
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows.map(row).join('')}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(source);
  const html = marked.parser(withChoices(tokens));
  return { title, html, headings, passages: passagesOf(tokens) };
};
