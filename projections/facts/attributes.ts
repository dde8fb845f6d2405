/** Placeholder until the table lands. */
const ONE = new Set(['home', 'employer', 'job', 'partner', 'diet']);
export const holdsOne = (attribute: string): boolean =>
  ONE.has(attribute) || attribute.startsWith('favourite_');
export const attributesAskedFor = (question: string): string[] =>
  /\b(?:live|lives|living|home|address)\b/i.test(question) ? ['home'] : [];
