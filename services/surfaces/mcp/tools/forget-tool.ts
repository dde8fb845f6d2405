import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { named } from '../../../../domain/context/quote.ts';
import type { ErasureAnswer } from '../../../../schemas/http/erasure.ts';
import { makeConfirmedAnswers } from '../confirmed-answers.ts';
import { erasureCode, isErasureCode } from '../erasure-code.ts';
import { type Holdings, holdingsOf, type Target } from '../memory/holdings.ts';
import { counted } from '../memory/quoted.ts';
import { makeHide } from './hide-tool.ts';
import { registerTool } from './register-tool.ts';
import { type AddTool, answering, refusedWith, type Surroundings, sessionInput, told } from './tool.ts';

const DESCRIPTION = `Hide one turn or fact (id), or erase a session or, with all: true, everything of a user. It can't be undone: only when the person asks for it. Not for what has changed (remember it) or was wrong (correct it). Never all for only a part.

It takes two calls. The first, without confirm, changes nothing and returns what would go, and a code. Show that to the person. Only if they agree, call again with the same arguments and confirm: the code, valid for ten minutes. If the second answer was lost, repeat that call. Never confirm on your own.

What is hidden is in no answer any more, a turn with its facts; erasing destroys the keys of the words.`;

const whatIs = ({ user, session }: Target): string =>
  session === undefined
    ? `everything of the user ${named(user)}, all sessions`
    : `the session ${named(session)} of the user ${named(user)}`;

const sizeText = ({ turns, sessions, period, more }: Holdings): string => {
  const least = more ? 'at least ' : '';
  const said = period === '' ? '' : more ? `, those said ${period}` : `, said ${period}`;
  return `That is ${least}${counted(turns, 'turn')} in ${least}${counted(sessions, 'session')}${said}.`;
};

const previewText = (target: Target, size: Holdings | undefined, code: string): string =>
  [
    [
      `Nothing has been erased yet. This would erase ${whatIs(target)}, for good.`,
      size ? sizeText(size) : 'This API key may not read how much that is.',
    ].join(' '),
    `Ask the person. If they agree, call forget again within ten minutes with the same arguments and confirm: ${JSON.stringify(code)}`,
  ].join('\n');

/** Returns the answer if there is nothing to confirm: a misspelled name must not lead to a receipt. */
const nothingText = ({ user, session }: Target): string =>
  session === undefined
    ? `Memory has no turns of the user ${named(user)}, so there is nothing to erase.`
    : `Memory has no turns of the session ${named(session)} of the user ${named(user)}: there is no such session, and nothing to erase. recall and timeline return the sessions of what they find.`;

const refusedText = (target: Target): string =>
  `confirm is not a valid code for ${whatIs(target)} as it is now: it is from another preview, has expired, or turns were added or removed since. ` +
  'This call erased nothing. Call forget without confirm, show the result to the person, and ask again.';

const erasedText = (target: Target, { erased, erased_at }: ErasureAnswer): string =>
  `Erased ${whatIs(target)} at ${erased_at}: ${counted(erased.turns, 'turn')}, ${counted(erased.observations, 'fact')}, ` +
  `${counted(erased.entities, 'name')}, ${counted(erased.sessions, 'session')}. They are gone for good; do not repeat what they said.`;

const inputSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'The turn (trn_…) or fact (obs_…) to hide, as recall, profile and timeline name it; without user, session and all.',
    ),
  user: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Whose memory, by id. Needed only if the API key may name any user and this server has no default.',
    ),
  session: sessionInput('The session to erase, by id.'),
  all: z.boolean().optional().describe('true, without session: everything of the user, in all sessions.'),
  confirm: z
    .string()
    .optional()
    .describe('Leave it out at first. After the person agreed: the code from the first call.'),
});

const outputSchema = {
  erased: z.boolean().describe('false: this was a first call or one with an id, and nothing was erased.'),
  hidden: z
    .boolean()
    .optional()
    .describe('Of a call with an id. false: this was a first call, and nothing was hidden.'),
  id: z.string().optional(),
  user: z.string().optional(),
  session: z.string().optional(),
  turns: z.number().optional().describe('How many turns were erased, or at least would be.'),
  confirm: z
    .string()
    .optional()
    .describe('From a first call: the code for the second, valid for ten minutes.'),
  receipt: z.string().optional().describe('A signed receipt (JWS) of the erasure, for the person to keep.'),
};

type Arguments = z.infer<typeof inputSchema>;

const makeErase = ({ memory, defaults, clock }: Surroundings) => {
  const answers = makeConfirmedAnswers(clock);

  return async (
    { all = false, confirm, ...args }: Omit<Arguments, 'id'>,
    signal: AbortSignal,
  ): Promise<CallToolResult> => {
    const bounds = await memory.bounds();
    const user = args.user ?? defaults.user ?? (bounds.anyUser ? undefined : bounds.user);
    if (user === undefined) return refusedWith('Name the user whose memory it is. Nothing was erased.');
    const target: Target = { user, session: args.session ?? bounds.session };
    if (all ? args.session !== undefined : target.session === undefined)
      return refusedWith(
        'Name either a session or, for everything of the user, all: true. Nothing was erased.',
      );
    const before = confirm === undefined ? undefined : answers.to(confirm, target);
    if (before) return before;
    // A key that may erase but not read can still erase.
    const size = bounds.mayRead ? await holdingsOf(memory, target, signal) : undefined;
    if (size?.sessions === 0) return refusedWith(nothingText(target));
    const shown = { ...target, content: size?.content };
    if (confirm === undefined) {
      const code = erasureCode(shown, clock());
      return told(previewText(target, size, code), {
        erased: false,
        ...target,
        turns: size?.turns,
        confirm: code,
      });
    }
    if (!isErasureCode(confirm, shown, clock())) return refusedWith(refusedText(target));
    const answer = await memory.erase(target, signal);
    const { receipt, erased } = answer;
    return answers.keep(
      confirm,
      target,
      told(erasedText(target, answer), { erased: true, ...target, turns: erased.turns, receipt }),
    );
  };
};

const makeForget = (surroundings: Surroundings) => {
  const erase = makeErase(surroundings);
  const hide = makeHide(surroundings);

  return async ({ id, ...args }: Arguments, signal: AbortSignal): Promise<CallToolResult> => {
    if (id === undefined) return erase(args, signal);
    // A call with both kinds of names is ambiguous, and an erasure would remove far more.
    if ([args.user, args.session, args.all].some(one => one !== undefined))
      return refusedWith('Name either an id, or a user, session or all. Nothing was hidden or erased.');
    return hide(id, args.confirm, signal);
  };
};

export const addForget: AddTool = (server, surroundings) => {
  const forget = makeForget(surroundings);
  return registerTool(
    server,
    'forget',
    {
      title: 'Forget for good',
      description: DESCRIPTION,
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (args, { signal }) => answering(surroundings, 'forget', signal, () => forget(args, signal)),
  );
};
