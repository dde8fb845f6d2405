/**
 * Reads messages of programs that write only blocks. Rich text, sections, headers and contexts contain the
 * message; other blocks are images, buttons and dividers.
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

/** A text of the other blocks: in markup, or without any. */
const composed = ({ type, text }: Json): string =>
  type === 'mrkdwn' ? (textOf(text) ?? '') : escaped(textOf(text) ?? '');

const richText = (block: Json): string[] =>
  listOf(block.elements)
    .flatMap(part => (part.type === 'rich_text_list' ? listOf(part.elements) : [part]))
    .map(({ elements }) => listOf(elements).map(markup).join('').replace(/\n$/, ''));

const linesOf = (block: Json): string[] => {
  switch (block.type) {
    case 'rich_text':
      return richText(block);
    case 'section':
    case 'header':
      return [...listOf([block.text]), ...listOf(block.fields)].map(composed);
    case 'context':
      return [listOf(block.elements).map(composed).join(' ').trim()].filter(Boolean);
    default:
      return [];
  }
};

/** Returns the text of a message's blocks, in the markup of its `text`; '' without any. */
export const blocksText = (blocks: unknown): string => listOf(blocks).flatMap(linesOf).join('\n');

/** Returns the text of what a program attaches, in the same markup; '' without any. */
export const attachmentsText = (attachments: unknown): string =>
  listOf(attachments)
    .map(({ pretext, title, text, fields, fallback }) => {
      const rows = listOf(fields).map(field =>
        [field.title, field.value].flatMap(part => textOf(part) ?? []).join(': '),
      );
      const words = [pretext, title, text, ...rows].flatMap(part => textOf(part) ?? []);
      return words.length > 0 ? words.join('\n') : (textOf(fallback) ?? '');
    })
    .filter(Boolean)
    .join('\n');
