/**
 * Returns the URL of `<name>.thread` beside `moduleUrl`: TypeScript in a checkout, JavaScript in the
 * published package.
 */
export const threadFile = (moduleUrl: string, name: string): URL =>
  new URL(`./${name}.thread${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
