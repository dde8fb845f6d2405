import { z } from 'zod';
import { named } from '../../../../domain/context/quote.ts';
import { instant } from '../../client/instant.ts';
import { factInput, statedLines, statedMembers, statedOutput } from '../memory/stated.ts';
import { registerTool } from './register-tool.ts';
import { type AddTool, answering, refusedWith, sessionInput, told, userInput } from './tool.ts';

const DESCRIPTION = `Store a fact that nobody said in a conversation: from a form, a file, a calendar or another tool. Say it in one whole sentence with names and dates; with attribute and value, profile lists it. Not for what was said (remember it) or what memory had wrong (correct it). No guesses, passwords, keys or other secrets. Saying it again stores nothing; to take it back, forget its id.`;

const { text, subject, attribute, about, value, stance, since } = factInput;

const inputSchema = z.strictObject({
  text: text.describe('The whole sentence, such as "Grace lives in Porto.", at most 4,096 characters.'),
  subject: subject
    .optional()
    .describe('Whose attribute it is: the name of a person or a thing. Default: the user.'),
  attribute: attribute.optional(),
  about: about.optional(),
  value: value.optional(),
  since: since
    .optional()
    .describe(
      'From when it holds: a day (2026-04-02) or an RFC 3339 instant. Leave it out where nobody said so.',
    ),
  stance: stance
    .optional()
    .describe(
      'holds: it is so; changed: it became so, at since or just now; plan: it will be so from since on; was: it no longer is. Default: plan if since is later, changed if it ended, else holds.',
    ),
  ended: z
    .boolean()
    .optional()
    .describe('true: it no longer holds; without value whatever held of the attribute.'),
  user: userInput,
  session: sessionInput('The conversation that it belongs to. Default: as for remember.'),
});

export const addSay: AddTool = (server, surroundings) => {
  const { memory, defaults } = surroundings;
  return registerTool(
    server,
    'say',
    {
      title: 'Say a fact',
      description: DESCRIPTION,
      inputSchema,
      outputSchema: statedOutput,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ user = defaults.user, session = defaults.session, since, ...members }, { signal }) =>
      answering(surroundings, 'say', signal, async () => {
        if (members.text.trim() === '') return refusedWith('The fact has no text. Nothing was stored.');
        const fact = { ...members, valid_from: instant(since, '00:00:00.000') };
        const stated = await memory.say(fact, { user, session }, signal);
        const where =
          'text' in stated
            ? ` in the session ${named(stated.session_id)} of the user ${named(stated.user_id)}`
            : '';
        const lines = [...statedLines(`Stored${where}.`, stated), `Its id is ${stated.id}.`];
        return told(lines.join('\n'), statedMembers(stated));
      }),
  );
};
