/** Questions that ask for a value, and the sentence that the answer makes of it. */
import { attributeOfThing } from '../attributes/thing-nouns.ts';
import { relationOf } from '../reading/relations.ts';

/** Where a place or a firm goes in "I live in …", "I work at …". */
const PREPOSITIONS: Readonly<Record<string, string>> = { live: 'in', stay: 'in', work: 'at', study: 'at' };
const article = (said: string): string => (/^(?:an?|the|my|two|three|\d+) /i.test(said) ? said : `a ${said}`);
type Statement = (said: string) => string | undefined;

/** A form of question, and what its groups make of the answer. */
const FORMS: readonly (readonly [RegExp, (...groups: string[]) => Statement])[] = [
  [
    /^(?:where|which (?:city|town|company|firm|school)) (?:do|are) you (?:currently |now )?(live|living|work|working|study|studying|stay|staying|based)(?: (?:in|at|for|now|these days))*$/i,
    said => {
      const verb = said
        .toLowerCase()
        .replace(/ing$/, '')
        .replace(/^(?:liv|based)$/, 'live');
      return value => `I ${verb} ${PREPOSITIONS[verb] ?? 'in'} ${value}.`;
    },
  ],
  [/^how old are you(?: now)?$/i, () => value => `I'm ${value}.`],
  [/^how tall are you$/i, () => value => `I'm ${value} tall.`],
  [/^how much do you weigh$/i, () => value => `I weigh ${value}.`],
  [
    /^what do you do(?: for (?:a living|work))?$/i,
    () => value => (/^(?:an?|the) /i.test(value) ? `I'm ${value}.` : `I'm a ${value}.`),
  ],
  [
    /^(?:(?:what|who) are you allergic to|(?:do you have )?any allergies|are you allergic to anything)$/i,
    () => value => `I'm allergic to ${value}.`,
  ],
  [/^(?:what|which) languages? do you speak$/i, () => value => `I speak ${value}.`],
  [
    /^(?:what|which) (?:instruments?) do you play$/i,
    () => value => `I play the ${value.replace(/^the /i, '')}.`,
  ],
  [/^(?:what|which) sports? do you (?:play|do)$/i, () => value => `I play ${value}.`],
  [
    /^(?:what|which) (?:car|bike|van) do you (?:drive|have|ride)$/i,
    () => value => `I drive ${article(value)}.`,
  ],
  [
    /^(?:what|which) (?:kind of |sort of )?(?:phone|laptop|tablet) (?:do you (?:have|use)|have you got)$/i,
    () => value => `I have ${article(value)}.`,
  ],
  [/^what (?:are you studying|do you study)$/i, () => value => `I study ${value}.`],
  [
    /^(?:what|which) (?:medication|medicine|meds|tablets|pills)s? (?:do you take|are you (?:taking|on))$/i,
    () => value => `I take ${value}.`,
  ],
  [
    /^(?:what|which) (bank|gym|school|university) (?:are you (?:with|at)|do you (?:use|go to|bank with|attend))$/i,
    noun => value => `My ${noun} is ${value}.`,
  ],
  [
    /^(?:do you have )?(?:any|got any|have you got any) (?:pets|kids|children|siblings|brothers or sisters)$/i,
    () => value => `I have ${value}.`,
  ],
  [/^when(?:['’]s| is) your birthday$/i, () => value => `My birthday is ${value}.`],
  [/^how old(?: is|['’]s| are) your ([\p{L}-]+)$/iu, ofKin(who => value => `My ${who} is ${value}.`)],
  [
    /^(?:what(?:['’]s| is) your ([\p{L}-]+)(?:['’]s name| called| named)|what do you call your ([\p{L}-]+))$/iu,
    ofKin(who => value => `My ${who} is called ${value}.`),
  ],
  [/^where does your ([\p{L}-]+) live$/iu, ofKin(who => value => `My ${who} lives in ${value}.`)],
  [/^where does your ([\p{L}-]+) work$/iu, ofKin(who => value => `My ${who} works at ${value}.`)],
  [
    /^what does your ([\p{L}-]+) do(?: for (?:a living|work))?$/iu,
    ofKin(who => value => `My ${who} is ${article(value)}.`),
  ],
  // "Which router do you have?"
  [
    /^(?:what|which) ((?:[\p{L}-]+ )?[\p{L}-]+) (?:do you (?:have|use)|are you (?:on|using)|have you got)$/iu,
    noun => value => `My ${noun} is ${value}.`,
  ],
];

/** A question about one of the speaker's people; of other nouns it asks for nothing that lasts. */
function ofKin(make: (who: string) => Statement): (...groups: string[]) => Statement {
  return (...groups) => {
    const who = groups.find(each => each !== undefined)!.toLowerCase();
    return relationOf(who) === undefined ? () => undefined : make(who);
  };
}

/** Reads "where do you live", "what's your name", "how old is your son": returns what an answer states. */
export function openQuestion(question: string): Statement | undefined {
  for (const [form, make] of FORMS) {
    const match = form.exec(question);
    if (match !== null) return make(...match.slice(1));
  }
  const noun =
    /^(?:what|who)(?:'s| is| was|'re| are) your ((?:[\w'-]+ ){0,3}[\w'-]+?)(?: again| now| these days)?$/i.exec(
      question,
    )?.[1];
  if (noun === undefined) return undefined;
  // "What's your opinion?" asks for nothing that lasts.
  const attribute = attributeOfThing(noun);
  const lasts = attribute !== undefined && attribute !== 'plan';
  return lasts ? said => `My ${noun} is ${said}.` : undefined;
}
