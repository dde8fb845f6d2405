import type { FromSchema } from '../../from-schema.ts';
import { component, object, reference } from './parts.ts';

/** By what an item of a list was found, where the list was asked with q. */
export const match = component(
  'Match',
  object(
    {
      score: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'How well the words match (BM25): comparable within one list, and no probability.',
      },
      by: {
        type: 'string',
        enum: ['text', 'title', 'name', 'label', 'id'],
        description:
          "What has the words: the text of the item or, of a user or a session, of one of its turns; a session's title; what a user or an entity is called; the id of a user or a session.",
      },
    },
    {
      text: {
        type: 'string',
        description:
          'Of a user or a session: the title or the name that has the words, or the first 500 characters of the turn. Of an entity: another of its names.',
      },
      turn_id: { type: 'string', description: 'Of a user or a session found by what was said: the turn.' },
    },
  ),
);
export type Match = FromSchema<typeof match.schema>;

/** The optional member of items: only a list that was asked with q has it. */
export const matched = { match: reference(match) } as const;
