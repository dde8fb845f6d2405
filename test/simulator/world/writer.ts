/** The writer of the log and the keys in the thread of the simulator, over the product's files. */
import type { MessagePort } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import { notStored } from '../../../core/log/not-stored.ts';
import type { WriterConnection } from '../../../infra/embedded/log/writer-connection.ts';
import { openWriterFiles, type WriterFiles } from '../../../infra/embedded/log/writer-files.ts';
import type { WriterReply, WriterRequest } from '../../../infra/embedded/log/writer-messages.ts';
import type { Fate } from '../machine/fate.ts';

type Call = Parameters<WriterConnection['request']>[0];
type Done = Extract<WriterReply, { addresses: unknown }>;

const messageOf = ({ records, ...call }: Call, number: number): WriterRequest => {
  if (!records || records.length === 0) return { ...call, number };
  return {
    ...call,
    number,
    records: records.map(({ value: _, ...head }) => head),
    values: Buffer.concat(records.map(({ value }) => value)),
    lengths: records.map(({ value }) => value.length),
  };
};

/** Messages of the writer, which arrive in their order and late. */
interface Inbox {
  deliver(message: () => void): void;
  appended: Set<() => void>;
  destroyed: Set<() => void>;
}

const makeInbox = (fate: Fate): Inbox => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    deliver: message => {
      last = last.then(() => fate.point()).then(message);
    },
    appended: new Set(),
    destroyed: new Set(),
  };
};

export interface OneThreadWriter {
  connect(): WriterConnection;
  /** For `Starts`: a port that `connect` stands for. */
  port(): MessagePort;
  close(): Promise<void>;
}

export const makeWriter = (paths: { logPath: string; keysPath: string }, fate: Fate): OneThreadWriter => {
  let files: WriterFiles | undefined = openWriterFiles(paths);
  const inboxes = new Set<Inbox>();
  let number = 0;

  const tellAll = (kind: 'appended' | 'destroyed'): void => {
    for (const inbox of inboxes)
      inbox.deliver(() => {
        for (const listener of inbox[kind]) listener();
      });
  };

  const write = (call: Call): Done => {
    files ??= openWriterFiles(paths);
    const [reply] = files.write([messageOf(call, ++number)], () => tellAll('destroyed'));
    return reply as Done;
  };

  /** A disk that fails may have stored the keys of a request, and not its records. */
  const failed = (call: Call): Error => {
    const { records: _, commit: __, ...keys } = call;
    if (number % 2 === 0 && Object.keys(keys).length > 0) write(keys);
    files?.close();
    files = undefined;
    return notStored(
      unavailable("The event log can't be written right now.", 'a simulated fault of the disk'),
    );
  };

  const connect = (): WriterConnection => {
    const inbox = makeInbox(fate);
    inboxes.add(inbox);
    const send = async (call: Call): Promise<Done> => {
      await fate.point();
      if (fate.fails('log')) throw failed(call);
      const done = write(call);
      const answered = new Promise<Done>(resolve => inbox.deliver(() => resolve(done)));
      tellAll('appended');
      return answered;
    };
    const listen = (to: Set<() => void>, listener: () => void): (() => void) => {
      to.add(listener);
      return () => to.delete(listener);
    };
    return {
      request: async call => (await send(call)).addresses,
      destroy: async what => (await send({ destroy: what })).destroyed ?? [],
      sweep: async () => (await send({ sweep: true })).swept!,
      onAppend: listener => listen(inbox.appended, listener),
      onDestroyed: listener => listen(inbox.destroyed, listener),
      close: async () => void inboxes.delete(inbox),
    };
  };

  return {
    connect,
    port: () => ({}) as MessagePort,
    close: async () => files?.close(),
  };
};
