/** The tool `forget` with an id: hides one turn or one fact, and erases nothing. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { bareName, cleaned, named } from '../../../../domain/context/quote.ts';
import type { TurnDetails } from '../../../../schemas/http/items.ts';
import { type NamedFragment, namedFragment } from '../../client/fragment-id.ts';
import { makeConfirmedAnswers } from '../confirmed-answers.ts';
import { erasureCode, isErasureCode } from '../erasure-code.ts';
import { counted, minute, quoted } from '../memory/quoted.ts';
import { CONTINUED } from '../memory/recalled.ts';
import { refusedWith, type Surroundings, told, unlessMissing } from './tool.ts';

/** Maximum characters shown of a turn: a person recognizes it by its beginning. */
const MOST_OF_TURN = 1_000;

/** Returns the name of a fragment for a model, which knows an observation as a fact. */
const nameOf = ({ id, what }: NamedFragment): string => `the ${what === 'turn' ? 'turn' : 'fact'} ${id}`;

const effectOf = ({ what }: NamedFragment): string =>
  what === 'turn'
    ? 'It disappears from every answer, with the facts and names found in it.'
    : 'It disappears from every answer, and the value before it holds again; its turn stays, and so does the same fact said in other turns.';

const turnText = ({ timestamp, role, text, observations }: TurnDetails): string => {
  const said = cleaned(text);
  const shown = said.length > MOST_OF_TURN ? `${said.slice(0, MOST_OF_TURN).trimEnd()} … (cut)` : said;
  const facts = observations.length > 0 ? `\nIt has ${counted(observations.length, 'fact')}.` : '';
  return `It says, as a quotation:\n${minute(timestamp)} ${bareName(role)}: ${quoted(shown, CONTINUED)}${facts}`;
};

const previewText = (fragment: NamedFragment, words: string, code: string): string =>
  [
    `Nothing has been hidden yet. This would hide ${nameOf(fragment)}, for good. ${effectOf(fragment)}`,
    words,
    `Ask the person. If they agree, call forget again within ten minutes with the same id and confirm: ${JSON.stringify(code)}`,
  ].join('\n');

const hiddenText = (fragment: NamedFragment): string =>
  `Hidden ${nameOf(fragment)}, for good. ${effectOf(fragment)} Do not repeat what it said. Its words are destroyed when its session is erased.`;

/** Hides in two calls, like an erasure: a person can't tell from an id what would disappear. */
export const makeHide = ({ memory, clock }: Pick<Surroundings, 'memory' | 'clock'>) => {
  const answers = makeConfirmedAnswers(clock);

  /** Returns the words to show the person; undefined if there is no such turn. */
  const wordsOf = async ({ id, what }: NamedFragment, signal: AbortSignal): Promise<string | undefined> => {
    if (what === 'observation') return 'recall and profile return what it says.';
    if (!(await memory.bounds()).mayRead) return 'This API key may not read what it says.';
    const turn = await unlessMissing(memory.turn(id, signal));
    return turn && turnText(turn);
  };

  return async (id: string, confirm: string | undefined, signal: AbortSignal): Promise<CallToolResult> => {
    const fragment = namedFragment(id);
    if (!fragment)
      return refusedWith(
        `${named(id)} is the id neither of a turn (trn_…) nor of a fact (obs_…). Nothing was hidden.`,
      );
    const missing = () =>
      refusedWith(
        `Memory has no such ${fragment.what === 'turn' ? 'turn' : 'fact'} ${id}: nothing was hidden.`,
      );
    if (confirm === undefined) {
      const words = await wordsOf(fragment, signal);
      if (words === undefined) return missing();
      const code = erasureCode({ id }, clock());
      return told(previewText(fragment, words, code), { erased: false, hidden: false, id, confirm: code });
    }
    const before = answers.to(confirm, { id });
    if (before) return before;
    if (!isErasureCode(confirm, { id }, clock()))
      return refusedWith(
        `confirm is not a valid code for ${nameOf(fragment)}: it is from another preview or has expired. ` +
          'This call hid nothing. Call forget with the id and without confirm, show the result to the person, and ask again.',
      );
    const done = await unlessMissing(memory.hide(fragment, signal).then(() => true));
    if (!done) return missing();
    return answers.keep(confirm, { id }, told(hiddenText(fragment), { erased: false, hidden: true, id }));
  };
};
