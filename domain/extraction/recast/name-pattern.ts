/** Source of a pattern for a name: capitals, with what stands between them. */
export const NAME =
  "\\p{Lu}[\\p{L}\\p{N}'’&-]*(?:\\.(?= \\p{Lu}))?(?: (?:(?:of|de|the|van|von|la|al|and) )?[\\p{Lu}\\d][\\p{L}\\p{N}'’&-]*){0,4}";
