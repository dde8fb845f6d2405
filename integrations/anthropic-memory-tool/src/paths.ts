/** Paths below `/memories`, and directories: those that lead to a file. */

export const ROOT = '/memories';

/** Returns the path without `.`, `..` and superfluous slashes. Throws for one that isn't in the root. */
export const pathOf = (given: string): string => {
  const names: string[] = [];
  for (const name of given.split('/'))
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  const path = `/${names.join('/')}`;
  if (!given.startsWith('/') || !isIn(path, ROOT)) throw new Error(`Path must be in ${ROOT}, got: ${given}`);
  return path;
};

/** Whether the path is the directory, or below it. */
export const isIn = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory}/`);

/** Whether there is a directory: the root is always there, others lead to a file. */
export const isDirectory = (path: string, files: readonly string[]): boolean =>
  path === ROOT || files.some(file => file !== path && isIn(file, path));

/** Throws if a file is where the path has a directory. */
export const checkParents = (path: string, files: readonly string[]): void => {
  const parent = files.find(file => file !== path && isIn(path, file));
  if (parent !== undefined) throw new Error(`The path ${parent} is not a directory.`);
};

const UNITS = ['B', 'K', 'M', 'G'];

const sizeOf = (bytes: number): string => {
  const unit = bytes === 0 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024));
  const size = bytes / 1024 ** unit;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[unit]}`;
};

/**
 * Lists a directory as the tool's contract has it, two levels deep and without hidden items. `sizes` are
 * bytes by file; a directory has those of all its files.
 */
export const listing = (directory: string, sizes: ReadonlyMap<string, number>): string => {
  const lines: string[] = [];
  const list = (parent: string, depth: number): void => {
    const below = [...sizes].filter(([path]) => path !== parent && isIn(path, parent));
    const names = new Set(below.map(([path]) => path.slice(parent.length + 1).split('/')[0]!));
    for (const name of [...names].sort()) {
      if (name.startsWith('.') || name === 'node_modules') continue;
      const path = `${parent}/${name}`;
      const isFile = sizes.has(path);
      lines.push(`${sizeOf(total(path))}\t${path}${isFile ? '' : '/'}`);
      if (!isFile && depth < 2) list(path, depth + 1);
    }
  };
  const total = (path: string): number =>
    [...sizes].reduce((sum, [file, size]) => (isIn(file, path) ? sum + size : sum), 0);
  list(directory, 1);
  const header = `Here're the files and directories up to 2 levels deep in ${directory}, excluding hidden items and node_modules:`;
  return [header, `${sizeOf(total(directory))}\t${directory}`, ...lines].join('\n');
};
