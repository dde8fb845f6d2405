/** Plans of the speaker that come to nothing: "The Vienna thing is off", "Philips withdrew the offer". */
import { PLACES } from '../names/known-names.ts';
import { NAME } from './name-pattern.ts';

const OFF =
  "(?:is|was|has been|['’]s)(?: now| all)? (?:off|cancelled|called off|dead)|fell through|has fallen through|didn['’]t (?:work out|happen)|isn['’]t happening|won['’]t happen|is not happening";
/** "The Vienna thing is off", "Norwich is off". */
const IS_OFF = new RegExp(
  `^(?:[Tt]he )?(${NAME})(?: (?<what>thing|move|plan|job|offer|position|role))? (?:${OFF})(?=$|[,.;!]| (?:now|after|because|so|and)\\b)`,
  'u',
);
/** "Philips withdrew the offer", "I turned the Derby offer down", "I turned down the offer from Acme". */
const NO_OFFER = new RegExp(
  `(${NAME}) (?:has |have )?(?:withdrew|withdrawn|rescinded|pulled|took back) (?:the|my|their) (?:job )?offer|(?:turned|turning) (?:the|my) (${NAME}) (?:job )?offer down|(?:turned down|declined|rejected) (?:the|an) (?:job )?offer (?:from|of|at) (${NAME})`,
  'u',
);
const MAY_BE_OFF = /\b(?:off|cancelled|dead|through|out|happen(?:ing)?)\b/;

/** Returns denials of what was planned; they end nothing where nothing was. */
export function calledOff(text: string): string[] {
  const offer = text.includes('offer') ? NO_OFFER.exec(text) : null;
  const name = offer?.slice(1).find(each => each !== undefined);
  if (name !== undefined) return [`I'm not joining ${name} after all`];
  const off = MAY_BE_OFF.test(text) ? IS_OFF.exec(text) : null;
  if (off === null) return [];
  const what = off.groups?.what ?? '';
  if (/^(?:job|offer|position|role)$/.test(what)) return [`I'm not joining ${off[1]} after all`];
  return what === 'move' || PLACES.has(off[1]!.toLowerCase())
    ? [`I'm not moving to ${off[1]} after all`]
    : [];
}
