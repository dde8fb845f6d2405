/**
 * `node --experimental-vm-modules bare-context.mjs FOLDER URL KEY`: loads the client that is installed in a folder where there
 * are the names that Node, browsers and edge runtimes share, and no others, and makes calls with it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import vm from 'node:vm';

const [folder, baseUrl, apiKey] = process.argv.slice(2);
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
  console,
  options: { baseUrl, apiKey, user: 'edge' },
});

const modules = new Map();
const load = path => {
  const source = () => readFileSync(path, 'utf8');
  if (!modules.has(path)) modules.set(path, new vm.SourceTextModule(source(), { identifier: path, context }));
  return modules.get(path);
};

const main = new vm.SourceTextModule(
  `
  import { Turnstone } from '@turnstone/client';
  const turnstone = new Turnstone(options);
  await turnstone.remember({ role: 'user', text: 'The kettle is blue.' });
  const { hits } = await turnstone.recall('Which colour has the kettle?', { kinds: ['turn'] });
  for await (const { data } of turnstone.events()) if (data.user_id === 'edge') break;
  console.log(hits.turns[0].text, typeof process, typeof Buffer);
  `,
  { context },
);
const index = join(folder, 'node_modules/@turnstone/client/dist/index.js');
await main.link((name, { identifier }) =>
  load(name.startsWith('.') ? resolve(dirname(identifier), name) : index),
);
await main.evaluate();
