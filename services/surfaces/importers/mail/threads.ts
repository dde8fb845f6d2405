/**
 * Puts messages into threads by the ids that they answer, as Jamie Zawinski described it: a message is below
 * the last one that it refers to. A thread is named by the first message, whether the file has that or not,
 * so that it has the same name in every export.
 */
import { createHash } from 'node:crypto';
import { type Head, idsIn, wordsIn } from './heads.ts';

/** A file has many ids, which may be long. */
const keyOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22);

/** Marks of an answer before a subject, in the languages of mail programs. */
const ANSWER = /^(?:(?:re|aw|antw|sv|vs|odp|ynt|rv|res|r|fw|fwd|wg|tr|i|enc|doorst)(?:\[\d+\])?\s*:\s*)+/i;
const NO_SUBJECT = '(no subject)';

const ownKeyOf = (head: Head): string => {
  const [id] = idsIn(head, 'message-id');
  return keyOf(id ?? ['from', 'date', 'subject'].map(name => head.get(name)).join('\n'));
};

export const makeThreads = () => {
  const parents = new Map<string, string>();
  const subjects = new Map<string, string>();

  const rootOf = (key: string): string => {
    let root = key;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Shortens the way for the next one: a thread may have a hundred thousand messages.
    for (let next = key; next !== root; ) {
      const parent = parents.get(next)!;
      parents.set(next, root);
      next = parent;
    }
    return root;
  };

  /** The first of contradicting messages is right; nothing is below itself. */
  const link = (child: string, parent: string): void => {
    if (!parents.has(child) && rootOf(parent) !== child) parents.set(child, parent);
  };

  return {
    add: (head: Head): void => {
      const own = ownKeyOf(head);
      const above = [...idsIn(head, 'references'), ...idsIn(head, 'in-reply-to').slice(0, 1)].map(keyOf);
      const chain = [...above, own];
      for (const [index, key] of chain.entries()) if (index > 0) link(key, chain[index - 1]!);
      // Gmail also puts messages together that refer to none.
      const gmail = head.get('x-gm-thrid');
      if (gmail !== undefined) {
        const thread = keyOf(`gmail ${gmail}`);
        link(rootOf(own), thread);
      }
      if (!subjects.has(own)) subjects.set(own, wordsIn(head, 'subject').replace(ANSWER, '').trim());
    },
    /** Returns the names of threads, once all messages were added. */
    finished: () => {
      const titles = new Map<string, string>();
      for (const [key, subject] of subjects) {
        const root = rootOf(key);
        if (subject !== '' && (!titles.has(root) || key === root)) titles.set(root, subject);
      }
      subjects.clear();
      return (head: Head): { session: string; title: string } => {
        const root = rootOf(ownKeyOf(head));
        return { session: `mail-${root}`, title: titles.get(root) ?? NO_SUBJECT };
      };
    },
  };
};
