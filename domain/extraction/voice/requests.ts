/** "Can you remember that …", "FYI …", "Don't forget that …": what follows is stated, whatever the form. */
const REQUEST =
  /^(?:(?:hey|hi|ok(?:ay)?|so|also|and|please|pls),? )*(?:(?:(?:can|could|would|will) you (?:please )?|please |pls )?(?:remember|note(?: down)?|keep in mind|bear in mind|save|store|memori[sz]e|write down|make a (?:mental )?note)(?: (?:for (?:me|later|next time|the future)))?,?(?: that| this:?|:)|(?:please |pls )?(?:make sure (?:that )?(?:you )?)?(?:do not|don['’]t) forget(?:,? that|:)?|(?:please |pls )?make sure (?:that )?(?:you )?remember(?: that)?|(?:please )?(?:do not|don['’]t) let me forget(?: that)?|for (?:future|your) reference,?|(?:just )?(?:fyi|for your information|just so (?:you(?: all| guys)?|everyone|everybody) knows?|so you know|for the record|for the future|for context|reminder|heads[- ]up|note)[,:]?(?: that)?|(?:you should|you (?:might|may) want to|i (?:want|need) you to|i['’]d like you to) (?:know|remember|note|keep in mind)(?: that)?|(?:remember|note|reminder)[,:]?)\s+(?=(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve|ll)|my|our|the|it|there|he|she|they|\p{Lu}\p{L}+)\b)/iu;
const MAY_REQUEST =
  /remember|forget|note|fyi|information|mind|know|record|future|context|reminder|heads|save|store|memor|write down/i;
const LONGEST = 60;

/** Returns the statement that a sentence asks to be kept, or the sentence as it is. */
export function withoutRequest(sentence: string): string {
  if (!MAY_REQUEST.test(sentence.slice(0, LONGEST))) return sentence;
  const match = REQUEST.exec(sentence);
  if (match === null) return sentence;
  const stated = sentence.slice(match[0].length).replace(/,? ?(?:please)?[?]+$/, '.');
  return stated.charAt(0).toUpperCase() + stated.slice(1);
}
