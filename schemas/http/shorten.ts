/** Before every fault is looked for: arrays that are too long lose all but one of the elements too many. */
const cut = (list: unknown, most: number): unknown =>
  Array.isArray(list) && list.length > most + 1 ? list.slice(0, most + 1) : list;

/** The same value with `name` cut, if it is an object whose `name` is such an array. */
export const shortenMember = (value: unknown, name: string, most: number): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const list = (value as Record<string, unknown>)[name];
  const short = cut(list, most);
  return short === list ? value : { ...value, [name]: short };
};
