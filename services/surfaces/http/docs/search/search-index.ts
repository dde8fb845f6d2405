/** The passages of all pages as the search of the pages reads them (console/docs/search/find.ts). */
import { CONTENTS } from '../files.ts';
import type { Body } from '../html.ts';

/** Below this folder, records and measurements are found by how each passage begins: most words are there. */
const INTERNALS = 'docs/internals/';
const BEGINNING = 300;

interface Indexed {
  /** With the anchor of its heading: `/docs/concepts/recall#confidence`. */
  address: string;
  page: string;
  heading: string;
  text: string;
}

/** The passages of a page; the table of contents only repeats what the pages are called. */
export const indexedOf = (file: string, address: string, { title, passages }: Body): Indexed[] =>
  file === CONTENTS
    ? []
    : passages.map(({ id, heading, text }) => ({
        address: heading === title ? address : `${address}#${id}`,
        page: title,
        heading,
        text: file.startsWith(INTERNALS) ? text.slice(0, BEGINNING) : text,
      }));
