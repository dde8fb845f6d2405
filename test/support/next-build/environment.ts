/** Starts a process as the next build, which differs from today's in the version of one event (load.ts). */
export const NEXT_BUILD = { NODE_OPTIONS: `--import ${new URL('./load.ts', import.meta.url).href}` };
