import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, readDocument, stepsOf, updated } from '../support/files/documents.ts';
import { whyNoPython } from '../support/processes/python.ts';
import { ROOT, startServer } from '../support/processes/server.ts';
import { EXTENSIONS, isProgram, nameOf, wholePrograms } from './programs.ts';
import { makeEnvironment } from './python.ts';
import { type BlockStep, checkout, faultOf, type } from './reader.ts';
import { DOCUMENTS, isRunHere } from './which.ts';

/**
 * Tests that what the documents tell a reader to type works, and answers what they show. Each is read from
 * top to bottom in a folder of its own, beside a service of its own. With `UPDATE_DOCS` set, what is printed
 * now is written into it.
 */

/** The commands that a reader has run before the first one of a page. */
const WITH_EXAMPLE = ['guides/feed', 'guides/forget', 'operate/projections', 'operate/transfer'];
const BEFORE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    WITH_EXAMPLE.map(page => [`docs/${page}.md`, 'turnstone ingest docs/example.jsonl >/dev/null']),
  ),
  // Where a guide shows Python beside other languages, the page of the client said how to install it.
  'docs/guides/prompts.md': 'pip install --quiet ./clients/python',
};

/** The settings with which a page says that its service was started. */
const SETTINGS: Readonly<Record<string, Record<string, string>>> = {
  'docs/guides/webhooks.md': { TURNSTONE_WEBHOOKS_PRIVATE: 'yes' },
};

const RUN = ['sh', 'console', 'ts', 'python'];

/** All that a document has to run, in its order; programs are written to the folder. */
const stepsIn = (blocks: readonly Block[], folder: string, url: string): BlockStep[] => {
  const local = (text: string): string => text.replaceAll('http://127.0.0.1:8080', url);
  return blocks.flatMap(block => {
    if (!isProgram(block))
      return stepsOf(block).map(step => ({ ...step, command: local(step.command), block }));
    const name = nameOf(block);
    const file = name ?? `block-${block.line}.${EXTENSIONS[block.language]}`;
    writeFileSync(join(folder, file), local(block.text));
    const runner = block.language === 'ts' ? 'node' : 'python';
    return name === undefined ? [{ command: `${runner} ${file}`, block }] : [];
  });
};

const runnable = DOCUMENTS.map(file => ({
  file,
  blocks: blocksOf(file).filter(block => RUN.includes(block.language) && isRunHere(block)),
})).filter(({ blocks }) => blocks.length > 0);

const needsPython = (blocks: readonly Block[]): boolean =>
  blocks.some(({ language }) => language === 'python');

describe('what a document shows is so', () => {
  it.for(runnable)('$file', async ({ file, blocks }, context) => {
    const missing = needsPython(blocks) ? whyNoPython() : '';
    if (missing && process.env.CI) throw new Error(`${file} can't be run: ${missing}`);
    if (missing) return context.skip(missing);
    const server = await startServer({ environment: SETTINGS[file] ?? {} });
    try {
      const cwd = checkout(server.dataDir);
      const programs = needsPython(blocks) ? [makeEnvironment()] : [];
      const steps = stepsIn(wholePrograms(blocks), cwd, server.url);
      const outcomes = await type(steps, server, { cwd, before: BEFORE[file] ?? '', programs });
      if (process.env.UPDATE_DOCS) {
        const printed = blocksOf(file)
          .filter(({ language }) => language === 'console')
          .flatMap(block => stepsOf(block).map((_, index) => ({ line: block.line, index })))
          .map(({ line, index }) => {
            const own = steps.flatMap(({ block }, at) => (block.line === line ? [outcomes[at]!.output] : []));
            return own[index]?.replaceAll(server.url, 'http://127.0.0.1:8080');
          });
        writeFileSync(join(ROOT, file), updated(readDocument(file), printed));
        return;
      }
      expect(steps.flatMap((step, index) => faultOf(step, outcomes[index]!) ?? [])).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
