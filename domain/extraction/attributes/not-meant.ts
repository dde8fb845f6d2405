/** Sentences that don't mean what they say, and times that are long over. */

/** Said in jest, taken back, or conditional. */
const NOT_MEANT =
  /\b(?:jk|just kidding|kidding|yeah right|in my dreams|i wish|no wait|scratch that|or something|not sure|hypothetically|pretend|imagine(?!$|[.!])|anything but|or so \w+ (?:says?|thinks?|claims?|said)|in my (?:head|mind|imagination)|on paper|according to|at heart|on tv|in (?:this|the|a) (?:play|game|movie|film|show|story|book|novel|sitcom)|in another life|by training|(?:sorry|wait|no),? i meant?|until \d{1,2} ?[ap]m|april fools?|lied and)\b|, i mean,? |(?<!\b(?:as|even|see|wonder|wondering|ask|asks|asked|asking|know|check|sure|tell) )\bif\b(?! (?:you(?! ask)|u|anyone|anybody|someone|somebody)\b)|(?:^|\s)\/s$/i;
/** Whether a sentence means what it says: no jest, nothing taken back, no condition of the fact itself. */
export const isMeant = (text: string): boolean => !NOT_MEANT.test(text);
/** A time of the speaker's life that is over. */
export const BACK_THEN =
  /\b(?:as a (?:kid|child|teen(?:ager)?|student|boy|girl|baby)|back when|back then|at the time|when (?:i|we) (?:was|were)|in (?:college|high school|my (?:teens|twenties|youth))|growing up|years back|years ago|once upon a time)\b/i;
/** An end that was one for a time, or of somebody before. */
export const ONCE =
  /\b(?:once|at \d{2}|before i met|in (?:college|school|uni)|my (?:ex|old job|first job)|made up|got back together|for like a day)\b/i;
