/** Loaded before an example: it gets the client as its sources are, not as it was built last. */
import { registerHooks } from 'node:module';

const source = new URL('../../clients/typescript/src/index.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) => next(name === '@turnstone/client' ? source : name, context),
});
