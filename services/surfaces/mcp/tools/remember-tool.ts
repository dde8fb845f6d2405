import { z } from 'zod';
import { named } from '../../../../domain/context/quote.ts';
import type { IngestAnswer } from '../../../../schemas/http/ingestion.ts';
import { localInstant } from '../../client/local-time.ts';
import type { Named, SaidTurn } from '../memory/memory.ts';
import { counted } from '../memory/quoted.ts';
import { registerTool } from './register-tool.ts';
import { type AddTool, answering, refusedWith, sessionInput, told, userInput } from './tool.ts';

const DESCRIPTION = `Store what was said, for later conversations: when the person asks you to remember it, and on your own when they say something that will matter later: facts about them and theirs, preferences, decisions, plans, dates, changes. Once, verbatim, one turn per statement; in your own words, write whole sentences with names and dates.

Do not store: passwords, keys, card numbers and other secrets; what they asked you not to keep; guesses; small talk; what recall returned; documents, code, logs.

Nothing is overwritten: to tell that a fact has changed, store the change. For a fact that nobody said, use say; for what memory had wrong, correct; to remove something, forget.`;

const role = z
  .string()
  .min(1)
  .max(64)
  .describe('Who said it: "user", "assistant", or the speaker\'s name, without square brackets.');
const text = z.string().min(1).describe('What was said, at most 65,536 characters.');
const timestamp = z
  .string()
  .describe('When it was said, RFC 3339 (2026-04-02T09:30:00Z). Leave it out if it was said just now.');

const turn = z.strictObject({ role, text, timestamp: timestamp.optional() });
type GivenTurn = z.infer<typeof turn>;

/** Dates turns that have no time: the last one at `now`, each earlier one a millisecond before. */
const datedTurns = (turns: GivenTurn[], now: number): SaidTurn[] =>
  turns.map(({ role, text, timestamp }, index) => ({
    role,
    text,
    timestamp: timestamp ?? localInstant(now - (turns.length - 1 - index)),
  }));

/** Accepts either text or turns: both, or a role and time in addition to turns, would be ambiguous. */
const givenTurns = (args: {
  turns?: GivenTurn[];
  text?: string;
  role?: string;
  timestamp?: string;
}): GivenTurn[] | undefined => {
  const { turns, text, role, timestamp } = args;
  if (text !== undefined) return turns ? undefined : [{ role: role ?? 'user', text, timestamp }];
  return role === undefined && timestamp === undefined ? turns : undefined;
};

const rememberedText = (answer: IngestAnswer, { user, session }: Named): string => {
  const where = [
    session === undefined ? 'in the default session' : `in the session ${named(session)}`,
    user === undefined ? "of the key's own user" : `of the user ${named(user)}`,
  ].join(' ');
  const turns = counted(answer.active_fragment_ids.length, 'turn');
  const known = answer.usage.tokens_in === 0 ? ' All of it was stored before, so nothing was added.' : '';
  return `Remembered ${turns} ${where}.${known}`;
};

export const addRemember: AddTool = (server, surroundings) => {
  const { memory, defaults, clock } = surroundings;
  return registerTool(
    server,
    'remember',
    {
      title: 'Remember',
      description: DESCRIPTION,
      inputSchema: z.strictObject({
        text: text.optional().describe('A single statement; for several, use turns.'),
        role: role
          .optional()
          .describe('Who said `text`: "user" (default), "assistant", or the speaker\'s name.'),
        timestamp: timestamp
          .optional()
          .describe('When `text` was said, RFC 3339. Leave it out for just now.'),
        turns: z.array(turn).min(1).max(1_000).optional().describe('Several turns, in chronological order.'),
        user: userInput,
        session: sessionInput(
          'The conversation that it belongs to. Name one if conversations have names of their own, and use the same one for all its turns.',
        ),
      }),
      outputSchema: {
        turn_ids: z.array(z.string()).describe('One per turn, in order.'),
        tokens_billed: z.number().describe('0 if all of it was stored before.'),
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (args, { signal }) =>
      answering(surroundings, 'remember', signal, async () => {
        const given = givenTurns(args);
        if (!given)
          return refusedWith(
            'Give either text (with role and timestamp) or turns (each with its own), not both. Nothing was stored.',
          );
        if (given.some(({ text }) => text.trim() === ''))
          return refusedWith('A turn has no text. Nothing was stored.');
        const bounds = await memory.bounds();
        const target = { user: args.user ?? defaults.user, session: args.session ?? defaults.session };
        const answer = await memory.remember(datedTurns(given, clock()), target, signal);
        return told(
          rememberedText(answer, {
            user: target.user ?? bounds.user,
            session: target.session ?? bounds.session,
          }),
          {
            turn_ids: answer.active_fragment_ids,
            tokens_billed: answer.usage.tokens_in,
          },
        );
      }),
  );
};
