/**
 * Loaded into a server before its own code: ends it when the tests that started it are gone, however they
 * ended. Their end of the pipe to its stdin then closes.
 */
import type { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

// Threads load it as well; theirs is another stdin.
if (isMainThread) {
  const parent = process.stdin as Socket;
  parent.on('end', () => process.exit(1)).resume();
  // Watching must not keep a server from ending by itself.
  parent.unref();
}
