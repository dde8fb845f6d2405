/**
 * The first line of a message in WhatsApp's export. Phones use the time format of their region:
 *   iOS      [12.03.24, 14:08:18] Name: text        [3/12/24, 2:08:18 PM] Name: text
 *   Android  12/03/2024, 14:08 - Name: text         3/12/24, 2:08 PM - Name: text
 * with direction marks and narrow spaces in between, other digits, and words for AM and PM.
 */
import { EVENING, MORNING } from './whatsapp-clock.ts';

export interface Header {
  /** The numbers as written: the date order decides which one is the day. */
  date: [number, number, number];
  /** The separator with the spaces around it. */
  separator: string;
  hour: number;
  minute: number;
  second: number;
  /** Undefined for a system line from WhatsApp. */
  speaker: string | undefined;
  /** The first line of the message's text. */
  text: string;
}

/** Direction and isolation marks, which WhatsApp puts around names and before system text. */
const MARKS = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff';
/** Right-to-left languages also have marks between the numbers. */
const M = `[${MARKS}]{0,2}`;
const SPACE = '[ \u00a0\u2007\u2009\u202f\u3000]';
/** The zero digits of the scripts of phones: ASCII, Arabic, Persian, those of India, and of its east. */
const ZEROS = [
  0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040,
  0x17e0,
];
const D = `[${ZEROS.map(zero => `${String.fromCodePoint(zero)}-${String.fromCodePoint(zero + 9)}`).join('')}]`;
const HALF = `${MORNING}|${EVENING}`;
const SEPARATOR = `${SPACE}?[./-]${SPACE}?`;
/** Bulgarian adds the word for year after it. */
const DATE = `(?<first>${D}{1,4})${M}(?<separator>${SEPARATOR})${M}(?<second>${D}{1,2})${M}\\k<separator>${M}(?<third>${D}{1,4})(?:\\.|${SPACE}г\\.)?`;
/** English has a comma, Finnish has klo, and other languages have their own short word. */
const BETWEEN = `${M}[,،]?(?:${SPACE}(?:klo|kl\\.?|um|às|à|a las|alle|ore|saat|om|at))?${SPACE}+${M}`;
/** In Canada's French `15 h 04`, and `15 h 04 min 05 s`. */
const SECONDS = `(?:(?:[:.]|${SPACE}?min${SPACE}?)(?<seconds>${D}{2})(?:${SPACE}?s)?)?(?:${SPACE}ч\\.)?`;
const TIME = `(?:(?<before>${HALF})${SPACE}?)?(?<hour>${D}{1,2})(?:[:.]|${SPACE}?h${SPACE}?)(?<minute>${D}{2})${SECONDS}(?:${M}${SPACE}?${M}(?<after>${HALF}))?`;
/** Vietnamese writes the time first. */
const WHEN = `(?:${DATE}${BETWEEN}${TIME}|${TIME},?${SPACE}${DATE})${M}`;

const LINE = new RegExp(`^[${MARKS}]*(?:\\[${WHEN}\\] ?|${WHEN}${SPACE}[-–—]${SPACE})(?<rest>.*)$`, 'iu');
const IS_MORNING = new RegExp(`^(?:${MORNING})$`, 'iu');

const numberOf = (digits: string): number =>
  Number(
    [...digits]
      .map(digit => {
        const code = digit.codePointAt(0)!;
        return code - ZEROS.findLast(zero => zero <= code)!;
      })
      .join(''),
  );

/** Removes direction marks; a name is otherwise unchanged. */
const withoutMarks = (text: string): string => text.replace(new RegExp(`[${MARKS}]`, 'gu'), '').trim();

const QUOTES = /["“”„«»]/gu;
/** A name has no unclosed quote: `Ada changed the subject to "Trip: Rome"` is a system line. */
const hasOpenQuote = (name: string): boolean => (name.match(QUOTES) ?? []).length % 2 === 1;
/** Newer versions omit the quotes. */
const OWN_SENTENCE =
  / (?:changed the (?:group name|subject) (?:to|from)|created (?:the )?group|hat den (?:Gruppennamen|Betreff)|cambió el (?:nombre|asunto)|a changé le (?:nom|sujet|objet)|ha cambiato (?:il nome|l['’]oggetto)|(?:mudou|alterou) o (?:nome|assunto)|heeft (?:de groepsnaam|het onderwerp)) /iu;
const LONGEST_NAME = 100;

/** The colon behind a name, with the space that most versions write; Chinese and Japanese have a wide one. */
const COLON = new RegExp(`:(?=[${MARKS}]*(?:${SPACE}|$))|：`, 'u');
/** Some versions write no space. Then only what can hardly be anything else is a name: a few words. */
const CLOSE_COLON = /^(?:[^\s:：/]+ ){0,3}[^\s:：/]+(?<!\d):(?!\/\/)(?=\S)|^\+?[\d\s()-]{6,20}:(?=\S)/u;
const SPACE_AFTER = new RegExp(`^([${MARKS}]*)${SPACE}`, 'u');

const speakerIn = (rest: string): { speaker: string | undefined; text: string } => {
  const own = { speaker: undefined, text: rest };
  const spaced = rest.search(COLON);
  const close = spaced < 0 ? CLOSE_COLON.exec(rest) : null;
  const end = close ? close[0].length - 1 : spaced;
  if (end < 0) return own;
  // A person who is not in the contacts is written as `~ Name`.
  const name = withoutMarks(rest.slice(0, end)).replace(/^~[ \u00a0\u202f]*/, '');
  if (name === '' || name.length > LONGEST_NAME || hasOpenQuote(name) || OWN_SENTENCE.test(name)) return own;
  return { speaker: name, text: rest.slice(end + 1).replace(SPACE_AFTER, '$1') };
};

/** Parses the header of a line that begins a message; undefined if it continues the previous message. */
export const headerOf = (line: string): Header | undefined => {
  const { groups } = LINE.exec(line) ?? {};
  if (!groups) return undefined;
  const half = groups.before ?? groups.after;
  const hour = numberOf(groups.hour!);
  const isEvening = half !== undefined && !IS_MORNING.test(half);
  const header = {
    date: [numberOf(groups.first!), numberOf(groups.second!), numberOf(groups.third!)] as Header['date'],
    separator: groups.separator!,
    hour: half === undefined ? hour : (hour % 12) + (isEvening ? 12 : 0),
    minute: numberOf(groups.minute!),
    second: numberOf(groups.seconds ?? '0'),
  };
  if (header.hour > 23 || header.minute > 59 || header.second > 59) return undefined;
  return { ...header, ...speakerIn(groups.rest!) };
};
