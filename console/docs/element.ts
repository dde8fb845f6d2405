/** Makes an element with attributes and what is in it; text is never read as HTML. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...inside: (string | Node)[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
};
