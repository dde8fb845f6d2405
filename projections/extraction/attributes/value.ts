/** Values: the short phrase that a rule found, without what only says when, why or how. */

const END =
  /[,;:!?()"“”]|\.(?=\s|$)|\s[–—-]\s|\s(?:now|nowadays|again|already|finally|recently|currently|too|as well|though|anymore|any more|any longer|instead|today|yesterday|tomorrow|tonight|these days|at the moment|right now|at last|for good|together|lol|haha|because|since|when|while|whilst|where|which|who|after|before|until|till|although|but|so|and (?:I|we|it|he|she|they|my|the|now|that|am|love|really|started|will)|if|as of|from now on|starting|beginning|last|this (?:week|month|year|morning|summer|spring|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|next (?:week|month|year|summer|spring|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:in|on|from|by|around|at the (?:end|start|beginning) of) (?:the )?(?:week|month|early |mid-?|late |spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|\d)|for (?:(?:about|almost|nearly|over|the|a|an|some|many|my|her|his|our) )*(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|years?|months?|weeks?|days?|while|past|last|ages|now|good)|(?:\w+|\d+) (?:years?|months?|weeks?|days?) (?:ago|now)|every|with (?:my|our|his|her|him|them|a|the|two|three))\b/i;
const ARTICLES =
  /^(?:(?:an?|the|my|our|his|her|their|some|just|called|named|actually|also|really|still|very own|own|new|brand new|brand-new|lovely|beautiful|little|tiny|old|big)\s+)+/;
const POINTER =
  /^(?:it|that|this|there|here|them|him|her|one|something|someone|somewhere|anything|everything|nothing|you|me|us|home|work|what|how|why|not|no|so|very|too|pretty|really|quite|much|more|all|both|great|good|fine|okay|ok)\b/i;
const LONGEST = 80;

/** The phrase as a value; undefined where it only points to something. */
export const phraseOf = (phrase: string, { keepsArticle = false } = {}): string | undefined => {
  const end = END.exec(phrase);
  const cut = (end ? phrase.slice(0, end.index) : phrase).trim();
  const value = (keepsArticle ? cut : cut.replace(/^(?:A|An|My|Our) /, '').replace(ARTICLES, ''))
    .replace(/[\s.'’]+$/, '')
    .trim();
  return value === '' || value.length > LONGEST || POINTER.test(value) ? undefined : value;
};

/** The place in a phrase: "a tiny flat in Porto" is Porto. Undefined where nothing is named. */
export const placeOf = (phrase: string): string | undefined => {
  const value = phraseOf(phrase);
  if (value === undefined) return undefined;
  const named =
    /(?:^|\b(?:in|near|at|of|outside) )((?:\d+[a-z]? )?\p{Lu}[\p{L}'’.-]*(?:[ -](?:\p{Lu}[\p{L}'’.-]*|de|la|le|on|upon|of|the|am|an|der|di|do|dos|du|\d+))*)$/u.exec(
      value,
    );
  if (named) return named[1]!;
  return /\p{Lu}/u.test(value) ? value : undefined;
};

/** A name: capitalised words, a short one in between ("Ana de Sousa"). */
export const NAME = "\\p{Lu}[\\p{L}'’-]+(?: (?:(?:de|da|van|von|der|al|O') )?\\p{Lu}[\\p{L}'’-]+){0,2}";
