/**
 * The thread that writes the two synced files: the log and the sealing keys. Requests that arrive during a
 * commit share the next one. Records come first: keys that are made or destroyed cost more commits, for which
 * no append of somebody else's should wait.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isLocked } from '../sqlite-errors.ts';
import { openWriterFiles, reasonOf, type WriterFiles } from './writer-files.ts';
import type { WriterNews, WriterReply, WriterRequest, WriterRound } from './writer-messages.ts';
import { requestsOf } from './writer-round.ts';

const paths = workerData as { logPath: string; keysPath: string };
/** Undefined after an error of the disk, until the files can be opened again. */
let files: WriterFiles | undefined = openWriterFiles(paths);

const ports = new Set<MessagePort>();
interface Queued {
  port: MessagePort;
  request: WriterRequest;
}
let queue: Queued[] = [];
let scheduled = false;

const tellAll = (news: WriterNews): void => {
  for (const port of ports) port.postMessage(news);
};

/** Tells each connection in one message: the replies to its requests, and what all of them are told. */
const answer = (
  batch: readonly { port: MessagePort }[],
  replies: readonly WriterReply[],
  news: WriterNews,
): void => {
  const own = Map.groupBy(replies.keys(), i => batch[i]!.port);
  for (const port of new Set([...own.keys(), ...(news.appended ? ports : [])])) {
    const numbers = own.get(port);
    port.postMessage(numbers ? { ...news, replies: numbers.map(i => replies[i]!) } : news);
  }
};

const closeFiles = (): void => {
  try {
    files?.close();
  } catch {
    // Closing may write, too. Handles that stay open are closed when they are collected.
  }
  files = undefined;
};

const changesKeys = ({ request }: Queued): boolean =>
  ['keys', 'rewrapped', 'replace', 'destroy', 'sweep'].some(change => change in request);

const drain = (): void => {
  scheduled = false;
  const parts = Map.groupBy(queue, changesKeys);
  queue = [];
  for (const changes of [false, true]) write(parts.get(changes) ?? []);
};

/** Writes the requests in one commit of each file, and answers them. */
const write = (batch: readonly Queued[]): void => {
  if (batch.length === 0) return;
  try {
    // Opening reads the committed state: after a failed commit the offsets in memory may be wrong.
    files ??= openWriterFiles(paths);
    const replies = files.write(
      batch.map(({ request }) => request),
      () => tellAll({ destroyed: true }),
    );
    answer(batch, replies, { appended: true });
  } catch (error) {
    if (!isLocked(error)) closeFiles();
    const reason = reasonOf(error);
    const replies = batch.map(({ request: { number } }) => ({ number, error: reason }));
    answer(batch, replies, {});
  }
};

const attach = (port: MessagePort): void => {
  ports.add(port);
  port.on('close', () => ports.delete(port));
  port.on('message', (round: WriterRound) => {
    for (const request of requestsOf(round)) queue.push({ port, request });
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
