/** Programs that documents show, in one block or in several. */
import type { Block } from '../support/files/documents.ts';

export const EXTENSIONS: Readonly<Record<string, string>> = { ts: 'ts', python: 'py' };

/** A program that names itself in its first line, `// ask.ts`, is saved for the commands after it. */
export const nameOf = ({ text }: Block): string | undefined =>
  /^(?:\/\/|#) ([\w-]+\.(?:ts|py))\n/.exec(text)?.[1];

export const isProgram = ({ language }: Block): boolean => language in EXTENSIONS;

/** A block that imports nothing goes on with the program before it. */
const goesOnWith = (block: Block, before: Block | undefined): boolean =>
  before?.language === block.language && !nameOf(block) && !/^(import|from) /m.test(block.text);

/** The blocks with programs that are shown in parts made whole, where their last part stands. */
export const wholePrograms = (blocks: readonly Block[]): Block[] => {
  const whole: Block[] = [];
  for (const block of blocks) {
    const before = whole.findLast(isProgram);
    if (!isProgram(block) || !goesOnWith(block, before)) whole.push(block);
    else whole.splice(whole.indexOf(before!), 1, { ...block, text: `${before!.text}\n${block.text}` });
  }
  return whole;
};
