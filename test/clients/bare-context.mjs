/**
 * `node --experimental-vm-modules bare-context.mjs INDEX URL KEY`: loads the installed client where there are the names
 * that Node, browsers and edge runtimes share, and no others, and makes calls with it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import vm from 'node:vm';

const [index, baseUrl, apiKey] = process.argv.slice(2);
const context = vm.createContext({
  AbortController,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  crypto,
  fetch,
  setTimeout,
});

const modules = new Map();
const load = path => {
  const source = () => readFileSync(path, 'utf8');
  if (!modules.has(path)) modules.set(path, new vm.SourceTextModule(source(), { identifier: path, context }));
  return modules.get(path);
};

const main = load(join(import.meta.dirname, 'kettle.js'));
await main.link((name, { identifier }) =>
  load(name.startsWith('.') ? resolve(dirname(identifier), name) : index),
);
await main.evaluate();
console.log(await main.namespace.kettle({ baseUrl, apiKey }));
