const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, character => ENTITIES[character]!);

/** A heading that can be linked to; levels 2 and 3 are listed beside the page. */
export interface Heading {
  depth: number;
  id: string;
  /** Without mark-up. */
  text: string;
}

/** A page's inside, without what all pages share. */
export interface Body {
  title: string;
  html: string;
  headings: Heading[];
}
