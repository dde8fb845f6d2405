import { z } from 'zod';
import { bareName, named } from '../../../../domain/context/quote.ts';
import type { StatedObservation } from '../../../../schemas/http/curation.ts';
import type { OnlyId } from '../../../../schemas/http/parts/parts.ts';
import { namedFragment } from '../../client/fragment-id.ts';
import { instant } from '../../client/instant.ts';
import { factInput, statedLines, statedMembers, statedOutput } from '../memory/stated.ts';
import { registerTool } from './register-tool.ts';
import { type AddTool, answering, refusedWith, told, unlessMissing } from './tool.ts';

const DESCRIPTION = `Correct a fact that memory had wrong from the beginning, such as a misheard name; only when the person says that memory is wrong. What was true and has changed since ("I moved to Porto") is not a correction: remember it. Take the id from recall or profile and name what changes, most often only value. The turns stay as they were said. To undo it, forget the correction's id.`;

const { text, subject, attribute, about, value, stance, since } = factInput;

const inputSchema = z.strictObject({
  id: z.string().min(1).max(256).describe('The fact (obs_…), as recall and profile name it.'),
  value: value.optional(),
  text: text
    .optional()
    .describe('The whole sentence. Default: the old one with the new value and subject in it.'),
  subject: subject.optional().describe('Whose it is: the name of a person or a thing.'),
  attribute: attribute.optional(),
  about: about.optional(),
  since: since
    .optional()
    .describe('From when it holds: a day (2026-04-02) or an RFC 3339 instant. Default: as before.'),
  stance: stance.optional().describe('How it was said. Default: as before.'),
});

const outputSchema = {
  ...statedOutput,
  id: z.string().describe('The fact that holds now; either id can be corrected again.'),
  corrects: z
    .string()
    .optional()
    .describe('The fact that it holds instead of; absent if it was never corrected.'),
};

const correctedBy = (stated: StatedObservation | OnlyId): string | undefined =>
  'text' in stated ? stated.corrects : undefined;

const correctedText = (stated: StatedObservation | OnlyId): string => {
  const { id } = stated;
  const corrects = correctedBy(stated);
  const instead = corrects === undefined ? '' : `; it holds instead of ${corrects}`;
  return [...statedLines('Corrected.', stated), `Its id is ${id}${instead}.`].join('\n');
};

export const addCorrect: AddTool = (server, surroundings) => {
  const { memory } = surroundings;
  return registerTool(
    server,
    'correct',
    {
      title: 'Correct a fact',
      description: DESCRIPTION,
      inputSchema,
      outputSchema,
      // The corrected fact stays stored, and hiding the correction undoes it.
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ id, since, ...members }, { signal }) =>
      answering(surroundings, 'correct', signal, async () => {
        const fact = namedFragment(id);
        if (fact?.what === 'turn')
          return refusedWith(
            `${bareName(id)} is a turn, which stays as it was said: correct a fact of it (obs_…). Nothing was corrected.`,
          );
        if (!fact) return refusedWith(`${named(id)} is not the id of a fact (obs_…). Nothing was corrected.`);
        const correction = { ...members, valid_from: instant(since, '00:00:00.000') };
        if (Object.values(correction).every(value => value === undefined))
          return refusedWith(
            'Name what to correct: value, text, subject, attribute, about, stance or since. Nothing was corrected.',
          );
        const stated = await unlessMissing(memory.correct(fact, correction, signal));
        if (!stated) return refusedWith(`Memory has no such fact ${id}: nothing was corrected.`);
        const corrects = correctedBy(stated);
        return told(correctedText(stated), {
          ...statedMembers(stated),
          ...(corrects !== undefined && { corrects }),
        });
      }),
  );
};
