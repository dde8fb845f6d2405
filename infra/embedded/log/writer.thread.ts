/**
 * The thread that writes the two synced files: the log and the sealing keys. Requests that arrive during a
 * commit share the next one.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isLocked } from '../sqlite-errors.ts';
import { openWriterFiles, type WriterFiles } from './writer-files.ts';
import type { WriterReply, WriterRequest } from './writer-messages.ts';

const paths = workerData as { logPath: string; keysPath: string };
/** Undefined after an error of the disk, until the files can be opened again. */
let files: WriterFiles | undefined = openWriterFiles(paths);

const ports = new Set<MessagePort>();
let queue: { port: MessagePort; request: WriterRequest }[] = [];
let scheduled = false;

const tellAll = (reply: WriterReply): void => {
  for (const port of ports) port.postMessage(reply);
};

const closeFiles = (): void => {
  try {
    files?.close();
  } catch {
    // Closing may write, too. Handles that stay open are closed when they are collected.
  }
  files = undefined;
};

const drain = (): void => {
  scheduled = false;
  const batch = queue;
  queue = [];
  try {
    // Opening reads the committed state: after a failed commit the offsets in memory may be wrong.
    files ??= openWriterFiles(paths);
    const replies = files.write(
      batch.map(({ request }) => request),
      () => tellAll({ destroyed: true }),
    );
    batch.forEach(({ port }, i) => {
      port.postMessage(replies[i]);
    });
    tellAll({ appended: true });
  } catch (error) {
    if (!isLocked(error)) closeFiles();
    const reason = error instanceof Error ? error.message : 'unknown fault';
    for (const { port, request } of batch) {
      port.postMessage({ number: request.number, error: reason } satisfies WriterReply);
    }
  }
};

const attach = (port: MessagePort): void => {
  ports.add(port);
  port.on('close', () => ports.delete(port));
  port.on('message', (request: WriterRequest) => {
    queue.push({ port, request });
    if (!scheduled) {
      scheduled = true;
      setImmediate(drain);
    }
  });
};

parentPort!.on('message', (message: { attach?: MessagePort; close?: true }) => {
  if (message.attach) attach(message.attach);
  if (message.close) {
    drain();
    for (const port of ports) port.close();
    try {
      files?.settle();
    } catch {
      // The disk fails or is full: the next start recovers the files.
    }
    closeFiles();
    parentPort!.postMessage('closed');
    parentPort!.close();
  }
});
parentPort!.postMessage('ready');
