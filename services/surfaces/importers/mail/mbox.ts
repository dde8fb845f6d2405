/**
 * E-mail: mbox files, as Gmail's Takeout, Thunderbird and Apple Mail write them, or messages in files of
 * their own (.eml). A thread is a session, and a message is what its sender wrote in it.
 */
import PostalMime, { type Email } from 'postal-mime';
import type { Archive } from '../files/archive.ts';
import { htmlText } from '../files/html-text.ts';
import {
  type Conversation,
  type Faulty,
  importFault,
  type LeftOut,
  leftOut,
  type Said,
} from '../turns/found.ts';
import { type Head, headOf, wordsIn } from './heads.ts';
import { isSeparator, mailsIn, type RawMail } from './messages.ts';
import { ownWords } from './own-words.ts';
import { makeThreads } from './threads.ts';

const MAIL_FILE = /\.(mbox|eml)$/i;
/** Apple Mail exports a folder with a file of this name. */
const BARE_FILE = /(^|\/)mbox$/i;
const FIRST_BYTES = 16 * 1024;

const filesOf = ({ kind, entries }: Archive): string[] =>
  entries
    .filter(
      ({ path, size }) => kind === 'file' || (size > 0 && (MAIL_FILE.test(path) || BARE_FILE.test(path))),
    )
    .map(({ path }) => path);

/** The threads of a mailbox are mixed in its file. */
const MAILBOX = { session: 'mail', title: 'Mail' };

const AUTOMATIC = /^(?:bulk|junk|auto_reply)$/i;
const NO_PERSON = /^(?:no-?_?reply|do-?not-?reply|mailer-daemon|postmaster|notifications?|newsletter)@/i;
/** Bits of Thunderbird's status of a message that was deleted, but is in the file still. */
const EXPUNGED = 0x0008;

const isOfProgram = (head: Head, address: string): boolean =>
  (head.get('auto-submitted') ?? 'no').toLowerCase() !== 'no' ||
  AUTOMATIC.test(head.get('precedence') ?? '') ||
  // No list on which people talk can be left by one click (RFC 8058).
  head.has('list-unsubscribe-post') ||
  NO_PERSON.test(address);

const reasonAgainst = (head: Head, address: string, withBots: boolean): string | undefined => {
  const status = Number.parseInt(head.get('x-mozilla-status') ?? '0', 16);
  if ((status & EXPUNGED) !== 0) return 'messages that were deleted';
  const labels = wordsIn(head, 'x-gmail-labels').split(',');
  if (labels.some(label => /^\s*"?(?:spam|trash|drafts?)"?\s*$/i.test(label)))
    return 'messages in spam, trash and drafts';
  return !withBots && isOfProgram(head, address) ? 'messages of programs and newsletters' : undefined;
};

const writtenText = ({ text, html }: Email): string =>
  text?.trim() ? text : html === undefined ? '' : htmlText(html);

async function* readMail(
  { line, bytes }: RawMail,
  where: string,
  threadOf: (head: Head) => Conversation,
  withBots: boolean,
): AsyncGenerator<Said | LeftOut | Faulty> {
  const location = `${where}line ${line}`;
  if (!bytes) {
    yield { location, faults: ['begins a message that is longer than any mail'] };
    return;
  }
  const head = headOf(bytes);
  const email = await PostalMime.parse(bytes, { forceRfc822Attachments: true }).catch(() => undefined);
  const sender = email?.from;
  const address = sender?.address ?? '';
  if (!email || (address === '' && !sender?.name)) {
    yield { location, faults: ['begins a message without a sender'] };
    return;
  }
  const reason = reasonAgainst(head, address, withBots);
  if (reason !== undefined) {
    yield leftOut(reason);
    return;
  }
  const at = Date.parse(email.date ?? '');
  if (Number.isNaN(at)) {
    yield { location, faults: ['begins a message without a readable Date'] };
    return;
  }
  const files = email.attachments.filter(({ related }) => related !== true).length;
  if (files > 0) yield leftOut('pictures, recordings and files', files);
  const written = writtenText(email);
  const text = ownWords(written);
  if (text === '' && written.trim() !== '') yield leftOut('messages that only quote or pass on others');
  else
    yield {
      location,
      conversation: { ...threadOf(head), within: MAILBOX },
      role: sender?.name || address,
      text,
      at,
    };
}

const isMailHead = (head: Head): boolean => head.has('from') && (head.has('date') || head.has('message-id'));

const beginningOf = async (archive: Archive, file: string): Promise<Buffer> => {
  const read: Buffer[] = [];
  let size = 0;
  for await (const chunk of archive.read(file)) {
    read.push(chunk);
    size += chunk.length;
    if (size >= FIRST_BYTES) break;
  }
  return Buffer.concat(read);
};

/** Whether a file begins as one of mail does. */
const beginsAsMail = async (archive: Archive, file: string): Promise<boolean> => {
  const bytes = await beginningOf(archive, file);
  return isSeparator(bytes) || (/\.eml$/i.test(file) && isMailHead(headOf(bytes)));
};

export const mbox = {
  recognizes: async (archive: Archive): Promise<boolean> => {
    const [file] = filesOf(archive);
    return file !== undefined && (await beginsAsMail(archive, file));
  },
  read: async function* (archive: Archive, withBots: boolean): AsyncGenerator<Said | LeftOut | Faulty> {
    const files = filesOf(archive);
    if (files.length === 0) throw importFault('has no .mbox and no .eml file');
    const threads = makeThreads();
    const ofMail: string[] = [];
    for (const file of files) {
      if (!(await beginsAsMail(archive, file))) {
        const fault = 'does not begin as a file of mail does';
        if (archive.kind === 'file') throw importFault(fault);
        yield { location: file, faults: [fault] };
        continue;
      }
      ofMail.push(file);
      for await (const { bytes } of mailsIn(archive.read(file), true)) if (bytes) threads.add(headOf(bytes));
    }
    const threadOf = threads.finished();
    for (const file of ofMail) {
      const where = archive.kind === 'file' ? '' : `${file}, `;
      for await (const mail of mailsIn(archive.read(file), false))
        yield* readMail(mail, where, threadOf, withBots);
    }
  },
};
