/**
 * Loaded before a program: it gets this repository's packages as their sources are, not as they were built
 * last.
 */
import { registerHooks } from 'node:module';

const SOURCES: Readonly<Record<string, string>> = {
  '@turnstone/client': 'clients/typescript/src/index.ts',
  '@turnstone/vercel-ai-sdk': 'integrations/vercel-ai-sdk/src/index.ts',
};

registerHooks({
  resolve: (name, context, next) => {
    const source = SOURCES[name];
    return next(source ? new URL(`../../${source}`, import.meta.url).href : name, context);
  },
});
