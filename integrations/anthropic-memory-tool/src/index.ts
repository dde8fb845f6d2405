/**
 * A backend for Anthropic's memory tool. Answers and errors are in the words of the SDK's own backend, which
 * Claude knows.
 */
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { Turnstone } from '@turnstone/client';
import { type File, makeFiles } from './files.ts';
import { linesAround, linesIn, linesWith } from './lines.ts';
import { checkParents, isDirectory, isIn, listing, pathOf, ROOT } from './paths.ts';

export interface MemoryOptions {
  /** Whose files they are. */
  user: string;
}

/** Makes the handlers, to be given to `betaMemoryTool`. A command begins when the one before it has ended. */
export const memoryHandlers = (turnstone: Turnstone, { user }: MemoryOptions): MemoryToolHandlers => {
  const files = makeFiles(turnstone, user);

  let last: Promise<unknown> = Promise.resolve();
  /** Claude may send several commands at once, and means them in their order. */
  const inOrder =
    <Command>(run: (command: Command) => Promise<string>) =>
    (command: Command): Promise<string> => {
      const answer = last.then(() => run(command));
      last = answer.catch(() => {});
      return answer;
    };

  /** Reads a file that is to be edited. */
  const edited = async (given: string): Promise<{ path: string; file: File }> => {
    const path = pathOf(given);
    const file = await files.read(path);
    if (file) return { path, file };
    if (isDirectory(path, await files.paths())) throw new Error(`The path ${given} is not a file.`);
    throw new Error(`The path ${given} does not exist. Please provide a valid path.`);
  };

  return {
    view: inOrder(async ({ path: given, view_range }) => {
      const path = pathOf(given);
      const file = path === ROOT ? undefined : await files.read(path);
      if (file)
        return `Here's the content of ${given} with line numbers:\n${linesIn(file.text, view_range ?? undefined)}`;
      const sizes = new Map<string, number>();
      for (const [one, { text }] of await files.all()) sizes.set(one, new TextEncoder().encode(text).length);
      if (isDirectory(path, [...sizes.keys()])) return listing(path, sizes);
      throw new Error(`The path ${given} does not exist. Please provide a valid path.`);
    }),

    create: inOrder(async ({ path: given, file_text }) => {
      const path = pathOf(given);
      const paths = await files.paths();
      if (paths.includes(path) || isDirectory(path, paths)) throw new Error(`File ${given} already exists`);
      checkParents(path, paths);
      await files.write(path, file_text);
      return `File created successfully at: ${given}`;
    }),

    str_replace: inOrder(async ({ path: given, old_str, new_str }) => {
      const { path, file } = await edited(given);
      const [line, ...others] = linesWith(file.text, old_str);
      if (line === undefined)
        throw new Error(
          `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${given}.`,
        );
      if (others.length > 0)
        throw new Error(
          `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${[line, ...others].join(', ')}. Please ensure it is unique`,
        );
      // As it is: in a string, `$&` would stand for what is replaced.
      const text = file.text.replace(old_str, () => new_str);
      await files.write(path, text, file);
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${linesAround(text, line)}`;
    }),

    insert: inOrder(async ({ path: given, insert_line, insert_text }) => {
      const { path, file } = await edited(given);
      const lines = file.text.split('\n');
      if (insert_line < 0 || insert_line > lines.length)
        throw new Error(
          `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        );
      lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''));
      await files.write(path, lines.join('\n'), file);
      return `The file ${given} has been edited.`;
    }),

    delete: inOrder(async ({ path: given }) => {
      const path = pathOf(given);
      if (path === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`);
      const gone = (await files.paths()).filter(file => isIn(file, path));
      if (gone.length === 0) throw new Error(`The path ${given} does not exist`);
      for (const file of gone) await files.remove(file);
      return `Successfully deleted ${given}`;
    }),

    rename: inOrder(async ({ old_path, new_path }) => {
      const [from, to] = [pathOf(old_path), pathOf(new_path)];
      if (from === ROOT) throw new Error(`Cannot rename the ${ROOT} directory itself`);
      const paths = await files.paths();
      if (paths.includes(to) || isDirectory(to, paths))
        throw new Error(`The destination ${new_path} already exists`);
      const moved = paths.filter(file => isIn(file, from));
      if (moved.length === 0) throw new Error(`The path ${old_path} does not exist`);
      if (isIn(to, from)) throw new Error(`Cannot move ${old_path} into itself`);
      checkParents(
        to,
        paths.filter(file => !moved.includes(file)),
      );
      for (const path of moved) {
        const file = await files.read(path);
        // Copied before it is destroyed: what is cut short has lost nothing.
        if (file) await files.write(`${to}${path.slice(from.length)}`, file.text);
        await files.remove(path);
      }
      return `Successfully renamed ${old_path} to ${new_path}`;
    }),
  };
};
