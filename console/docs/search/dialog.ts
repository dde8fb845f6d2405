/** The search as a dialog: words above, what they find below. The passages come with its first opening. */
import { element } from '../element.ts';
import { excerptOf, type Piece, piecesOf } from './excerpt.ts';
import { type Found, makeFind, type Passage } from './find.ts';

const INDEX = '/docs/search.json';

const withMarks = (pieces: readonly Piece[]): (string | HTMLElement)[] =>
  pieces.map(({ text, marked }) => (marked ? element('mark', {}, text) : text));

const resultOf = ({ address, page, heading, text, words }: Found): HTMLElement =>
  element(
    'li',
    {},
    element(
      'a',
      { href: address },
      element('strong', {}, ...withMarks(piecesOf(heading, words))),
      ...(heading === page ? [] : [element('span', { class: 'quiet' }, ` ${page}`)]),
      element('span', { class: 'excerpt' }, ...withMarks(excerptOf(text, words))),
    ),
  );

const load = async (): Promise<(query: string) => Found[]> => {
  const response = await fetch(INDEX);
  if (!response.ok) throw new Error(`The search answered ${response.status}.`);
  return makeFind((await response.json()) as Passage[]);
};

const told = (query: string, count: number): string => {
  if (query.trim() === '') return 'Words of a page, an endpoint, an error code.';
  return count === 0 ? `Nothing found for “${query.trim()}”.` : `${count} found`;
};

/** Moves between the field and the results with the arrow keys. */
const moveBy = (step: 1 | -1, stops: readonly HTMLElement[]): void => {
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
};

/** Builds the dialog and returns what opens it. */
export const makeSearch = (): (() => void) => {
  const field = element('input', {
    // Not of the type `search`, whose first Escape empties the field instead of closing the dialog.
    type: 'text',
    role: 'searchbox',
    enterkeyhint: 'go',
    'aria-label': 'Search the documentation',
    placeholder: 'Search',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const status = element('p', { class: 'quiet', role: 'status' });
  const list = element('ol', {});
  const close = element('button', { type: 'button' }, 'Close');
  const top = element('div', { class: 'row' }, field, close);
  const dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, top, status, list);
  document.body.append(dialog);

  let loading: Promise<(query: string) => Found[]> | undefined;
  const show = async (): Promise<void> => {
    const query = field.value;
    try {
      loading ??= load();
      const found = (await loading)(query);
      // Another letter may have been typed while the passages came.
      if (query !== field.value) return;
      list.replaceChildren(...found.map(resultOf));
      status.textContent = told(query, found.length);
    } catch (error) {
      // The next letter asks again.
      loading = undefined;
      list.replaceChildren();
      status.textContent = `The search could not be loaded. ${(error as Error).message}`;
    }
  };

  const links = (): HTMLElement[] => [...list.querySelectorAll('a')];
  field.addEventListener('input', () => void show());
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', event => {
    const isLink = (event.target as Element).closest('a') !== null;
    // A link to this page's own headings leaves the dialog open otherwise; so does a click beside it.
    if (isLink || event.target === dialog) dialog.close();
  });
  dialog.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.target === field) links()[0]?.click();
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    moveBy(event.key === 'ArrowDown' ? 1 : -1, [field, ...links()]);
  });
  return () => {
    if (!dialog.open) dialog.showModal();
    field.select();
    void show();
  };
};
