import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { blocksOf } from '../support/files/documents.ts';
import { ROOT } from '../support/processes/server.ts';
import { wholePrograms } from './programs.ts';
import { DOCUMENTS } from './which.ts';

/** TypeScript runs without a look at its types: a missing member would be undefined, and nobody told. */
it('the types of every program in TypeScript fit', () => {
  const programs = new Map<string, string>();
  for (const file of DOCUMENTS)
    for (const block of wholePrograms(blocksOf(file)))
      if (block.language === 'ts')
        programs.set(join(ROOT, dirname(file), `${basename(file, '.md')}-${block.line}.ts`), block.text);
  expect(programs.size).toBeGreaterThan(3);

  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = file => programs.has(file) || fileExists(file);
  host.readFile = file => programs.get(file) ?? readFile(file);
  host.getSourceFile = (file, ...rest) => {
    const text = programs.get(file);
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, rest[0], true);
  };
  const program = ts.createProgram([...programs.keys()], options, host);
  const faults = [...programs.keys()]
    .map(file => program.getSourceFile(file))
    .flatMap(source => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ])
    .map(
      ({ file, messageText }) =>
        `${relative(ROOT, file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  expect(faults).toEqual([]);
});
