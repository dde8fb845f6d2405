/**
 * Makes of the process that imports it, and of its threads, the next build: two modules of today's are
 * others.
 */
import { registerHooks } from 'node:module';

const HERE = new URL('./', import.meta.url).href;
const OTHERS = new Map(
  ['registry.ts', 'turns.ts'].map(name => [
    new URL(`../../../schemas/events/${name}`, import.meta.url).href,
    HERE + name,
  ]),
);

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const other = OTHERS.get(found.url);
    return other && !context.parentURL?.startsWith(HERE) ? { ...found, url: other } : found;
  },
});
