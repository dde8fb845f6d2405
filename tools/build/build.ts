/**
 * Emits the package's JavaScript to dist/, because Node strips no types under node_modules. Each file is
 * transpiled on its own (`isolatedModules`); `npm run check` checks the types. Data files are copied next to
 * their readers.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
// Builds the console first: its files are data of the service.
import './console.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = join(ROOT, 'dist');
const FOLDERS = '{schemas,domain,projections,core,infra,services,clients/typescript/src}';
const DATA = '{json,bin,sql,lua}';

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options, errors } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, ts.createCompilerHost(options)));

/** `nodenext` would need a package.json to recognize a single file as a module. */
const MODULES = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

rmSync(DIST, { recursive: true, force: true });
const sources = globSync(`${FOLDERS}/**/*.ts`, { cwd: ROOT });
for (const file of sources) {
  const { outputText, diagnostics = [] } = ts.transpileModule(readFileSync(join(ROOT, file), 'utf8'), {
    fileName: file,
    compilerOptions: { ...options, ...MODULES, noEmit: false },
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0)
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
  write(join(DIST, file.replace(/\.ts$/, '.js')), outputText);
}

const data = [
  ...globSync(`${FOLDERS}/**/*.${DATA}`, { cwd: ROOT }),
  ...globSync('console/dist/**/*.*', { cwd: ROOT }),
];
for (const file of data) {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  cpSync(join(ROOT, file), join(DIST, file));
}

// The documents that the service shows at /docs (services/surfaces/http/docs/files.ts), at the same paths.
const DOCUMENTS = [
  'docs/**/*.{md,svg,jsonl}',
  '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'clients/*/README.md',
  'integrations/README.md',
  'examples/README.md',
];
const documents = globSync(DOCUMENTS, { cwd: ROOT });
for (const file of documents) {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  cpSync(join(ROOT, file), join(DIST, file));
}

// The sources read the package's version from `../../package.json`; so does the output.
const { name, version, type } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
write(join(DIST, 'package.json'), `${JSON.stringify({ name, version, type, private: true }, null, 2)}\n`);

console.log(`dist: ${sources.length} modules, ${data.length} data files, ${documents.length} documents`);
