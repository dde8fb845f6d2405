/**
 * The format of everything that an installation stores: the data folder's files, and the topics with what is built from them. Increased
 * only before 0.1.0, with each change after which old data can't be read whole; from 0.1.0 on old data is read for ever.
 */
export const FORMAT = 2;

/**
 * Returns why data must not be read; undefined where it is of this format.
 *
 * @param data what was found, for the operator
 * @param found its format; undefined where it names none
 * @param remedy what to begin with instead
 */
export const formatFault = (data: string, found: number | undefined, remedy: string): string | undefined => {
  if (found === FORMAT) return undefined;
  const [by, named] =
    found !== undefined && found > FORMAT
      ? ['a newer version', `format ${found}`]
      : ['a development version before 0.1.0', found === undefined ? 'no format number' : `format ${found}`];
  return `${data} was written by ${by} (${named}; this version reads format ${FORMAT}). ${remedy}`;
};
