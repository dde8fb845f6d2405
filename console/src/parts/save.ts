/** Saves a text as a file, as a link to it would. */
export const save = (parts: readonly string[], name: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...parts], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
