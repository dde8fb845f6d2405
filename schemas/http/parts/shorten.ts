/** Cuts a list to one element above `most`, before all its faults are collected. */
const cut = (list: unknown, most: number): unknown =>
  Array.isArray(list) && list.length > most + 1 ? list.slice(0, most + 1) : list;

/** Returns `value` with its member `name` cut, if that is an array that is too long. */
export const shortenMember = (value: unknown, name: string, most: number): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const list = (value as Record<string, unknown>)[name];
  const short = cut(list, most);
  return short === list ? value : { ...value, [name]: short };
};
