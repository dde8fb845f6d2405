import { fold } from '../words/fold.ts';
import { isEnglish } from '../words/stop-words.ts';

const list = (words: string): Set<string> => new Set(words.trim().split(/\s+/).map(fold));

/**
 * Words for the person addressed, in questions that are not English. `du` and `dir` are also parts of names.
 */
const SPOKEN_TO = list(`
  du dein deine dir dich tu tus toi usted voce senin sana ты твой твоя тебе вы أنت 你 您 तुम तुमने आप आपने
`);
/** Words with which these languages ask for a favour. */
const CAN = list(`
  kannst konntest wurdest willst magst peux pourrais veux voudrais puedes podrias quieres podes poderia poderias puoi
  potresti misin musun можешь можете мог могла могли يمكنك هل 能 可以 请 सकते सकती
`);
const TOLD =
  'said|told|suggested|recommended|advised|mentioned|proposed|explained|listed|described|gave|given|wrote|written|showed|shown|quoted|estimated|named|provided|warned|pointed|came|made|created|drafted|sent|called|found|picked|chose|chosen|used|helped|answered|walked';
/**
 * Matches questions about something that the assistant did or has. "Can you", "would you" and "do you know"
 * only ask for an answer.
 */
const ENGLISH = new RegExp(
  [
    String.raw`\b(?:did|didn['’]t|have|haven['’]t|had|hadn['’]t) you\b`,
    String.raw`\byou(?:['’](?:ve|d))?(?: (?:had|have|just|once|already|also|first|last|ever|originally|previously|earlier)){0,2} (?:${TOLD})\b`,
    String.raw`\byour (?:[\w-]+ ){0,2}(?:suggestion|recommendation|advice|answer|explanation|reply|response|estimate|list|example|proposal|summary|draft|plan|version|instruction|step|warning|tip|code|snippet|table|recipe|message|opinion)(?:s|'s)?\b`,
  ].join('|'),
  'i',
);

/**
 * Whether a question is about what the assistant said or did, so that the answer is likelier among its turns.
 *
 * @param words the folded words of `q`
 */
export const asksAssistant = (q: string, words: readonly string[]): boolean =>
  isEnglish(words)
    ? ENGLISH.test(q)
    : words.some(word => SPOKEN_TO.has(word)) && !words.some(word => CAN.has(word));
