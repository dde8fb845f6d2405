/**
 * Reads messages of programs that write only blocks. Rich text contains the message; other blocks are images,
 * buttons and dividers.
 */
import { isObject, type Json, textOf } from '../assistants/conversation-files.ts';

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const markup = (element: Json): string => {
  const meant = (sign: string, id: unknown): string => (textOf(id) === undefined ? '' : `<${sign}${id}>`);
  const text = escaped(textOf(element.text) ?? textOf(element.fallback) ?? '');
  switch (element.type) {
    case 'user':
      return meant('@', element.user_id);
    case 'channel':
      return meant('#', element.channel_id);
    case 'usergroup':
      return meant('!subteam^', element.usergroup_id);
    case 'broadcast':
      return meant('!', element.range);
    case 'link':
      return textOf(element.url) === undefined ? text : `<${escaped(String(element.url))}|${text}>`;
    case 'emoji':
      return `:${element.name}:`;
    default:
      return text;
  }
};

/** Returns the text of a message's blocks, in the markup of its `text`; '' without any. */
export const blocksText = (blocks: unknown): string =>
  listOf(blocks)
    .flatMap(({ type, elements }) => (type === 'rich_text' ? listOf(elements) : []))
    .flatMap(part => (part.type === 'rich_text_list' ? listOf(part.elements) : [part]))
    .map(({ elements }) => listOf(elements).map(markup).join('').replace(/\n$/, ''))
    .join('\n');
