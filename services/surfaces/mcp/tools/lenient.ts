/** As much of a JSON Schema as `lenient` reads. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the text itself if it is no JSON: the tool then says what it expected. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Returns arguments as the schema expects them, where models and their clients often send something else:
 * null for a member that may be left out, and a list or an object as a string of JSON. Everything else stays
 * as it was sent, and is judged by the tool.
 */
export const lenient = (schema: Schema, given: unknown): unknown => {
  const { type, properties = {}, required = [], items = {} } = schema;
  const value = typeof given === 'string' && (type === 'array' || type === 'object') ? parsed(given) : given;
  if (type === 'array' && Array.isArray(value)) return value.map(one => lenient(items, one));
  if (type !== 'object' || !isObject(value)) return value;
  const isLeftOut = (name: string, one: unknown): boolean =>
    one === null && Object.hasOwn(properties, name) && !required.includes(name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !isLeftOut(name, one))
      .map(([name, one]) => [name, Object.hasOwn(properties, name) ? lenient(properties[name]!, one) : one]),
  );
};

/**
 * Returns the arguments with the tool's own name instead of another one, `query` instead of `question`. Two
 * different values stay, so that the other name is refused as unknown.
 */
export const withOwnNames = (names: Readonly<Record<string, string>>, given: unknown): unknown => {
  if (!isObject(given)) return given;
  const args = { ...given };
  for (const [other, own] of Object.entries(names)) {
    if (args[other] !== null && (args[own] ?? args[other]) !== args[other]) continue;
    if (Object.hasOwn(args, other)) args[own] ??= args[other];
    delete args[other];
  }
  return args;
};
