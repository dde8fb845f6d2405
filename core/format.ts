/**
 * Version of everything that an installation stores: the data folder's files, and the topics with what is
 * built from them. Before 0.1.0 it increases with each change that makes old data unreadable; from 0.1.0 on,
 * old data stays readable for ever.
 */
export const FORMAT = 6;

/**
 * Returns why the data must not be read; undefined when it has this format.
 *
 * @param data describes the data to the operator
 * @param found its format; undefined where it names none
 * @param remedy what the operator should start from instead
 */
export const formatFault = (data: string, found: number | undefined, remedy: string): string | undefined => {
  if (found === FORMAT) return undefined;
  const [by, named] =
    found !== undefined && found > FORMAT
      ? ['a newer version', `format ${found}`]
      : ['a development version before 0.1.0', found === undefined ? 'no format number' : `format ${found}`];
  return `${data} was written by ${by} (${named}; this version reads format ${FORMAT}). ${remedy}`;
};
