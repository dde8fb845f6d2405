/** Plans that come to nothing: "The Vienna move fell through", "Philips withdrew the offer". */
import { NAME } from '../name-pattern.ts';

const OFF =
  "(?:is|was|has been|['’]s)(?: now| all)? (?:off|cancelled|called off)|fell through|has fallen through|didn['’]t (?:work out|happen)|isn['’]t happening|won['’]t happen|is not happening";
const IS_OFF = new RegExp(
  `^(?:[Tt]he )?(${NAME}) (?<what>move|job|offer|position|role) (?:${OFF})(?=$|[,.;!]| (?:now|after|because|so|and)\\b)`,
  'u',
);
/** "The move to Oslo is cancelled". */
const MOVE_IS_OFF = new RegExp(
  `^(?:[Tt]he|[Oo]ur|[Mm]y) move to (${NAME}) (?:${OFF})(?=$|[,.;!]| (?:now|after|because|so|and)\\b)`,
  'u',
);
/** "Philips withdrew the offer", "I turned the Derby offer down", "I turned down the offer from Acme". */
const NO_OFFER = new RegExp(
  `^(${NAME}) (?:has |have )?(?:withdrew|withdrawn|rescinded) (?:the|my|their) (?:job )?offer(?! (?:of|to|for)\\b)|^(?:I|We)(?:['’]ve| have)? (?:just )?(?:turned the (${NAME}) (?:job )?offer down|(?:turned down|declined|rejected) (?:the|an) (?:job )?offer (?:from|of|at) (${NAME}))`,
  'u',
);

/** "I'm staying at Philips after all". */
const STAYS = new RegExp(
  `^I(?:['’]m| am) staying (?:on )?(?:at|with) (${NAME}) after all(?=$|[,.;!]| (?:and|but|since|because)\\b)`,
  'u',
);

/** Returns denials of what was planned; they end nothing where nothing was. */
export function calledOff(text: string): string[] {
  const kept = text.includes(' after all') ? STAYS.exec(text)?.[1] : undefined;
  if (kept !== undefined) return [`I'm not leaving ${kept} after all`];
  const move = text.includes(' move to ') ? MOVE_IS_OFF.exec(text)?.[1] : undefined;
  if (move !== undefined) return [`I'm not moving to ${move} after all`];
  const offer = text.includes('offer') ? NO_OFFER.exec(text) : null;
  const firm = offer?.slice(1).find(each => each !== undefined);
  if (firm !== undefined) return [`I'm not joining ${firm} after all`];
  const off = / (?:move|job|offer|position|role) /.test(text) ? IS_OFF.exec(text) : null;
  if (off === null) return [];
  return off.groups?.what === 'move'
    ? [`I'm not moving to ${off[1]} after all`]
    : [`I'm not joining ${off[1]} after all`];
}
