/** English words by which a sentence shows how what it says stands to the present. */
import { relationOf } from '../../extraction/reading/relations.ts';
import { tellsChange } from '../../language/query/tells-change.ts';

/** Number of characters of a text that are read. */
const READ = 2_000;

const any = (...words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');

/** A new state, beside the words of `tellsChange`. */
const NEWS = any(
  'since (?!i was|the war|forever|always|ever|school|childhood)',
  'instead|any ?more|no longer|by now|in future|from (?:here|now|then) on|as of|until now',
  '(?:is|are|was|were|gets?|got) (?:closed|shut|history|over|gone|sold|cancelled|moved)',
  'moved|switched|swapped|changed|exchanged|replaced|migrated|relocated|transferred|rebooked|rescheduled|postponed|delayed|pushed|brought forward|shifted|converted|defected|upgraded|rejected|dyed|went|gone',
  '(?:gave|given|giving) up|let go of|got rid of|(?:took|taken) over|handed over|grew out of|outgrown|left behind|parted with|done with|traded|dropped|ditched|quit|cancelled|retired',
  '(?:up|down|over) to|after all|my only|only (?:\\w+ )?now|forget (?:it|that|what|the)|official|at last|finally|has .{1,20} now',
  'sold|bought|signed|joined|started|became|become|turned|settled|picked|adopted',
  'goodbye|farewell|bye|sorry',
  'first (?:day|week|month|lesson|night|time|shift)',
);
/** Nothing came of it, or it is only thought of. */
const UNREAL = any(
  'nearly|almost',
  '(?:thought|thinking|dreamt|dreaming) (?:about|of)|considered|tempted|toyed with',
  'looked (?:at|into)|tried (?:on|out)?|test drove|evaluated|discussed|compared|suggested|proposed|recommended|offered|asked (?:\\w+ )?(?:for|to)|pitched|applied|put forward|interview(?:ed)?',
  'wanted to|would have|would be|could have|might|if only|had booked|had an offer',
  'but (?:it|they|the|i|we|my|was|is|had|never|too|who|realistic|only)|and (?:lost|declined|cancelled|kept)',
  "couldn't|didn't|never|declined|turned (?:\\w+ )?down|said no|voted against|no thanks|forget it|fell through|chickened out|too (?:big|small|loud|expensive|far|steep|dear|broad|late|short)|not for me|not my thing|no way|don't|decided (?:to stay|against)|stay(?:ing)? (?:put|where)",
);
/** A time that is over. */
const OVER = any(
  '(?:years?|ages|months) ago|long ago|once|back (?:then|when|in)|in those days|at that time|former(?:ly)?|previous(?:ly)?|used to|no longer|last year',
  'as a (?:child|kid|boy|girl|student|teenager|young)|when (?:i|we|he|she|they|mum|the children|my \\w+) (?:was|were|lived|still)|in (?:school|those|my (?:first|studies|youth|childhood|twenties))|at (?:school|university|college|uni|twenty|fourteen|fifteen)',
  'my (?:very )?(?:first|old|last)|the old|when i (?:still|was)|still (?:have|had|get|keeps?|remember|miss|sends?|greets?)|miss (?:the|my)|old days|from (?:the|my|her|his) (?:time|days|years)',
  'never again|end of an era',
);
/** It holds for a few days. */
const PASSING = any(
  'until (?:\\w+day|the end|tomorrow|tonight|next|then|\\w+ the)|till (?:\\w+day|the end|tomorrow)',
  'this (?:once|time|week|month|evening) only|only (?:today|this|tonight|for)|just (?:this|for|once|today)|for once|this once|this week',
  'for (?:a|one|two|three|the|these) (?:\\w+ )?(?:days?|nights?|weeks?|weekend|fortnight|match|holidays?|length|evening|session|visitors?)|during (?:the|my|our)|as long as|while (?:mine|ours|my|our|his|her|we)',
  'on loan|loan|lent|borrow(?:ed|ing)?|stood in|stands in|jumped in|covers? for|filling in|temporar\\w+|guest|visiting|conference|customer|then (?:back|home)|back to (?:the usual|normal|us|ours)|emergency|sleeping on|looking after|minding|holiday',
);
const POSSESSIVE =
  /\b(?:my|our|his|her|their|the|an?|\w+['’]s) (?:(?:old|big|little|new|young|elder|older|younger|kid|twin|best|late) )?([a-z][a-z-]+)/gi;
/** A verb behind its subject: "my sister works", "my boss Alex is". */
const DOES =
  /^(?: \p{Lu}\p{L}+)? (?:just |still |now |also |already |always )?(?!(?:as|this|across|always|perhaps|besides|towards|unless|its|his|yes|\p{Ll}+(?:stairs|wards))(?!\p{L}))(?:\p{Ll}+(?:s|ed)|went|got|had|took)(?!\p{L})/u;
const OWN_SUBJECT = /\b(?:[Ii]|[Ii]m|[Ii]ve|[Ww]e|me|us)\b/;
/** Others who do or have things, beside relatives. */
const PEOPLE = any(
  'friends?|parents|grandparents|neighbours?|neighbors?|clients?|customers?|everyone|team mates?|classmates?|(?:next|old) (?:door|\\w+)|(?:aunt|uncle|cousin|old|young) [a-z]+|the (?:\\w+ )?(?:people|team|club|boy|girl|lady|man)',
);

/** Whether a sentence has such words. */
export interface TurnCues {
  /** Something has changed, or begins; by two lists. */
  change: boolean;
  news: boolean;
  /** It was only thought of, is over, or holds for a few days. */
  unreal: boolean;
  over: boolean;
  passing: boolean;
  asks: boolean;
  /** Relatives and others whom it names by their relation to the speaker. */
  people: ReadonlySet<string>;
  /** It tells what one of them does, and nothing of its speaker. */
  ofOthers: boolean;
}

/** Returns `sister` for "my little sister", in their singular. */
export const peopleIn = (text: string): Set<string> => {
  const found = new Set<string>();
  for (const [, word] of text.matchAll(POSSESSIVE)) {
    const one = word!.toLowerCase().replace(/['’]s$/, '');
    const single = relationOf(one) ? one : one.replace(/s$/, '');
    if (relationOf(single)) found.add(single);
  }
  return found;
};

const isOfOthers = (text: string): boolean =>
  !OWN_SUBJECT.test(text) &&
  [...text.matchAll(POSSESSIVE)].some(
    ({ index, 0: phrase, 1: word }) =>
      relationOf(word!.toLowerCase()) && DOES.test(text.slice(index + phrase.length)),
  );

/** @param around the sentence with those beside it, in which a change may be told too */
export const turnCues = (sentence: string, around: string): TurnCues => {
  const [text, more] = [sentence.slice(0, READ), around.slice(0, READ)];
  const people = peopleIn(text);
  return {
    change: tellsChange(more),
    news: NEWS.test(more),
    unreal: UNREAL.test(text),
    over: OVER.test(text),
    passing: PASSING.test(text),
    asks: /[?？]\s*$/.test(text),
    people: people.size === 0 && PEOPLE.test(text) ? new Set(['others']) : people,
    ofOthers: isOfOthers(text),
  };
};
