/** Questions that are answered by yes or no, and what either says. */
import { GIVEN_NAMES } from '../names/known-names.ts';

/** The statements of a yes and of a no; `other` states another value that follows a no. */
export interface Closed {
  yes: string;
  /** Undefined where a no may mean something else. */
  no: string | undefined;
  other?: (said: string) => string;
}

/** Reads "do you still live in Utrecht", "are you still at Nordbeam", "still at Nordbeam". */
export function closedQuestion(question: string): Closed | undefined {
  // "Do you live in Leeds or Bradford?" has no yes.
  if (/ or /i.test(question)) return undefined;
  const does = /^(?:do you |you )(still )?(live|work|study) (in|at|for) (.+)$/i.exec(question);
  if (does !== null) {
    const [, still, verb, preposition, place] = does;
    return {
      yes: `I ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${place}.`,
      no:
        still === undefined
          ? `I don't ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${place}.`
          : `I no longer ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${place}.`,
      other: said => `I ${verb!.toLowerCase()} ${preposition!.toLowerCase()} ${said}.`,
    };
  }
  // A firm has a name: not "still at the airport", "still at Anna's", "still with Tom".
  const at =
    /^(?:[Aa]re you |[Yy]ou )?[Ss]till (?:(?:working (?:at|with|for)|at|for) )((?:the )?\p{Lu}.*)$/u.exec(
      question,
    );
  if (at !== null && !/['’]s$/.test(at[1]!))
    return {
      yes: `I work at ${at[1]}.`,
      no: `I no longer work at ${at[1]}.`,
      other: said => `I work at ${said}.`,
    };
  const living = /^(?:[Aa]re you |[Yy]ou )?(?:[Ss]till )?(?:living )?in (\p{Lu}.+)$/u.exec(question);
  if (living !== null && /still|living/i.test(question))
    return {
      yes: `I live in ${living[1]}.`,
      // "Still in London?" may be about a trip.
      no: /living|based/i.test(question) ? `I no longer live in ${living[1]}.` : undefined,
      other: said => `I live in ${said}.`,
    };
  const takes = /^(?:do|are) you (still )?(taking|take|eat|drink|smoke|play|playing) (.+)$/i.exec(question);
  if (takes !== null) {
    const verb = takes[2]!.toLowerCase().replace('taking', 'take').replace('playing', 'play');
    return {
      yes: `I ${verb} ${takes[3]}.`,
      no: takes[1] === undefined ? `I don't ${verb} ${takes[3]}.` : `I no longer ${verb} ${takes[3]}.`,
    };
  }
  const seen =
    /^(?:are you |you )?still (?:with|together with|seeing|dating|going out with) (\p{L}+)$/iu.exec(question);
  // A yes may be about who is there by now, and "Still with Nordbeam?" about a job.
  if (seen !== null && GIVEN_NAMES.has(seen[1]!.toLowerCase()))
    return { yes: `I'm still with ${seen[1]}.`, no: `I broke up with ${seen[1]}.` };
  const has = /^do you still (?:have|own|drive|ride) (?:the|your|that|an?) ([\p{L}\d -]{2,30})$/iu.exec(
    question,
  );
  if (has !== null) return { yes: `I have a ${has[1]}.`, no: `I no longer have a ${has[1]}.` };
  const what = /^(?:are you|you['’]?re|you are) (an? [\p{L} -]{3,40})$/iu.exec(question);
  if (what !== null)
    return { yes: `I'm ${what[1]}.`, no: `I'm not ${what[1]}.`, other: said => `I'm ${said}.` };
  const is =
    /^are you (still )?(?:an? )?(vegan|vegetarian|pescatarian|single|married|engaged|divorced|retired|gluten-free|diabetic|coeliac|celiac)$/i.exec(
      question,
    );
  if (is !== null)
    return {
      yes: `I'm ${is[2]}.`,
      no: is[1] === undefined ? `I'm not ${is[2]}.` : `I'm no longer ${is[2]}.`,
    };
  return undefined;
}
