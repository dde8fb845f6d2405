#!/usr/bin/env node
// Kept to syntax that every Node can parse: an old one must get a line that says what to do, not a stack.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(`turnstone: Node 24 or newer is needed, this is ${process.versions.node}\n`);
  process.exit(1);
}

// The reader of our output may stop reading (`turnstone recall … | head`): no reason to fail, least of all
// for a server.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', error => {
    if (error.code !== 'EPIPE') throw error;
  });

// Compiled code is kept between starts, where Node can. Threads take it up by the variable alone.
const { enableCompileCache } = await import('node:module');
const { directory } = enableCompileCache();
if (directory) process.env.NODE_COMPILE_CACHE ??= directory;

const { processTerminal, run } = await import('./surfaces/cli/cli.ts');
const { composition } = await import('./compose/compose.ts');
process.exitCode = await run(process.argv.slice(2), processTerminal(composition));
// The output is given a moment to drain; something left open must not keep a finished process.
setTimeout(() => process.exit(), 500).unref();
