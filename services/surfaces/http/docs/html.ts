const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for use between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => ENTITIES[character]!);

/** A linkable heading; levels 2 and 3 are listed beside the page. */
export interface Heading {
  depth: number;
  id: string;
  /** Without markup. */
  text: string;
}

/** The content of a page, without the parts that all pages share. */
export interface Body {
  title: string;
  html: string;
  headings: Heading[];
  /** Its words, for the search. */
  passages: Passage[];
}

/** The words below a heading, up to the next. */
export interface Passage {
  /** The heading's, on its page. */
  id: string;
  heading: string;
  text: string;
}
