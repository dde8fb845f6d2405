/**
 * The invented version 2 of `turns.recorded`: what was said stands as a play has it, the speaker and the
 * moment first.
 */
import { turnsRecordedSchema, type TurnsRecorded as Version1 } from '../../../schemas/events/turns.ts';

type Turn = Version1['turns'][number];

interface Version2 extends Omit<Version1, 'turns'> {
  play: {
    cue: [speaker: string, at: string];
    words: string;
    more: Omit<Turn, 'role' | 'timestamp' | 'text'>;
  }[];
}

const { turns, ...common } = turnsRecordedSchema.properties;

export const schema = {
  type: 'object',
  required: ['user_id', 'session_id', 'options', 'metadata', 'play'],
  properties: {
    ...common,
    play: {
      type: 'array',
      items: {
        type: 'object',
        required: ['cue', 'words', 'more'],
        properties: {
          cue: { type: 'array', minItems: 2, maxItems: 2, items: turns.items.properties.role },
          words: turns.items.properties.text,
          more: { type: 'object' },
        },
      },
    },
  },
} as const;

export const toVersion2 = ({ turns, ...body }: Version1): Version2 => ({
  ...body,
  play: turns.map(({ role, timestamp, text, ...more }) => ({ cue: [role, timestamp], words: text, more })),
});

export const toVersion1 = ({ play, ...body }: Version2): Version1 => ({
  ...body,
  turns: play.map(({ cue: [role, timestamp], words, more }) => ({ role, timestamp, text: words, ...more })),
});
