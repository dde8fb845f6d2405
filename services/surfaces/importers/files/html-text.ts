/** Renders HTML as the text that a reader sees: mails, and answers in Google's exports. */

/** Elements whose content nobody reads. */
const UNSEEN = new Set(['head', 'script', 'style', 'template', 'title']);
const BREAKING = new Set(
  'address article aside blockquote dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);

/** The named characters from U+00A0 on, in order. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const NAMED = new Map<string, string>([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['hellip', '…'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['sbquo', '‚'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bdquo', '„'],
  ['bull', '•'],
  ['euro', '€'],
  ['trade', '™'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ...LATIN.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)]),
]);

const characterOf = (all: string, hex?: string, decimal?: string, name?: string): string => {
  if (name !== undefined) return NAMED.get(name) ?? all;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
};

const decoded = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]\w{1,7}));/gi, characterOf);

const TAG = /^<(\/?)([a-z][a-z0-9]*)/i;
const LONGEST_TAG_NAME = 16;
/** Deeper quotations are written as this deep. */
const MOST_QUOTES = 6;

/**
 * Lines of a quotation begin with `> `, as in a mail without HTML. Takes time in proportion to the length.
 */
export const htmlText = (html: string): string => {
  const lines: string[] = [];
  let line = '';
  let quotes = 0;
  let preformatted = 0;
  const unclosed = new Set<string>();

  const endLine = (): void => {
    lines.push(`${'> '.repeat(Math.min(quotes, MOST_QUOTES))}${preformatted > 0 ? line : line.trim()}`);
    line = '';
  };
  const write = (text: string): void => {
    const words = decoded(text);
    if (preformatted === 0) line += words.replace(/[ \t\r\n\f]+/g, ' ');
    else {
      const [first = '', ...rest] = words.split(/\r?\n/);
      line += first;
      for (const next of rest) {
        endLine();
        line = next;
      }
    }
  };
  const open = (name: string, isEnd: boolean): void => {
    if (name === 'br') endLine();
    if (BREAKING.has(name) && line.trim() !== '') endLine();
    const change = isEnd ? -1 : 1;
    if (name === 'blockquote') quotes = Math.max(0, quotes + change);
    if (name === 'pre') preformatted = Math.max(0, preformatted + change);
    if (name === 'p' || name === 'blockquote') endLine();
    if (name === 'li' && !isEnd) line = '- ';
    if (!isEnd && (name === 'td' || name === 'th') && line.trim() !== '') line += ' ';
  };

  let at = 0;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    if (start < 0) break;
    write(html.slice(at, start));
    at = start;
    if (html.startsWith('<!--', start)) {
      const end = html.indexOf('-->', start + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const end = html.indexOf('>', start);
    if (end < 0) break;
    const [, slash, named] = TAG.exec(html.slice(start, start + LONGEST_TAG_NAME)) ?? [];
    const name = named?.toLowerCase();
    if (name === undefined && !/^<[!?/]/.test(html.slice(start, start + 2))) {
      write('<');
      at = start + 1;
      continue;
    }
    at = end + 1;
    if (name === undefined) continue;
    if (UNSEEN.has(name) && slash === '' && !unclosed.has(name)) {
      const closing = new RegExp(`</${name}\\b`, 'gi');
      closing.lastIndex = at;
      const found = closing.exec(html);
      if (found) at = found.index;
      else unclosed.add(name);
    } else open(name, slash === '/');
  }
  write(html.slice(at));
  endLine();
  return lines
    .join('\n')
    .replaceAll('\u00a0', ' ')
    .replace(/(?:\n(?:> )*){3,}/g, all => `\n\n${/(?:> )*$/.exec(all)![0]}`)
    .trim();
};
