/** Finds what the sender of a mail wrote: without what it quotes or passes on, and the signature. */

const SIGNATURE = /^-- ?$/;
/** The line above a message that is forwarded or answered, with its head below, by programs like Outlook. */
const ABOVE_OTHER =
  /^[-_*\s]{2,}\s*(?:original message|forwarded message|begin forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d['’]origine|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original|mensagem encaminhada|oorspronkelijk bericht|doorgestuurd bericht|oprindelig meddelelse|ursprungligt meddelande|пересылаемое сообщение|исходное сообщение)\s*:?[-_*\s]*$/i;
const BEGIN_FORWARDED = /^begin forwarded message:$/i;
/** Outlook writes the other message's head alone, perhaps under a rule. */
const FROM =
  /^\s*\*?(?:from|von|de|da|van|från|fra|lähettäjä|od|от|від|kimden|发件人|寄件者|差出人|보낸 사람)\*?\s*[:：]\s*\S/i;
const FIELD = /^\s*\*?\p{L}[\p{L} .-]{0,20}\*?\s*[:：]\s*\S/u;
const RULE = /^_{10,}$/;
/** `On 5 January 2026 at 9:30, Ada <ada@example.com> wrote:`, in any language and over several lines. */
const WROTE =
  /(?<!\p{L})(?:wrote|writes|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|kirjoitti|napisał\(?a?\)?|napsal\(?a?\)?|написал\(?а?\)?|пише|yazdı|写道|寫道|のメール)(?!\p{L})[^:：]{0,80}[:：]\s*$/iu;
const DATED = /\b\d{4}\b|\d{1,2}[:.]\d{2}|[^\s@]+@[^\s@]+/;
const MOST_ATTRIBUTION_LINES = 3;
const FROM_PHONE =
  /^(?:sent from my .{2,40}|von meinem .{2,30} gesendet|envoyé de mon .{2,30}|enviado desde mi .{2,30}|enviado do meu .{2,30}|inviato da .{2,40}|verzonden vanaf mijn .{2,30}|get outlook for .{2,20})$/i;

const isQuoted = (line: string): boolean => /^\s{0,3}>/.test(line);
const isBlank = (line: string): boolean => line.trim() === '';

/** The line at which another message begins, whose end is the mail's. */
const startOfOther = (lines: readonly string[]): number => {
  const found = lines.findIndex((line, index) => {
    if (SIGNATURE.test(line) || ABOVE_OTHER.test(line) || BEGIN_FORWARDED.test(line.trim())) return true;
    if (!FROM.test(line)) return false;
    const below = lines.slice(index + 1, index + 6).filter(next => FIELD.test(next));
    return below.length >= 2;
  });
  if (found < 0) return lines.length;
  return found > 0 && RULE.test(lines[found - 1]!.trim()) ? found - 1 : found;
};

/** How many lines above this one say who wrote what is quoted below. */
const attributionAbove = (lines: readonly string[]): number => {
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1]!)) end--;
  const last = lines[end - 1];
  if (last === undefined || !/[:：]\s*$/.test(last)) return 0;
  for (let count = 1; count <= MOST_ATTRIBUTION_LINES && end - count >= 0; count++) {
    const part = lines.slice(end - count, end);
    if (part.some(isBlank)) break;
    const sentence = part.join(' ');
    if (DATED.test(sentence) && (WROTE.test(sentence) || /<?[^\s@]+@[^\s@]+>?\s*[:：]\s*$/.test(sentence)))
      return lines.length - end + count;
  }
  return 0;
};

/** Returns the sender's own words; '' for a mail that only passes on those of others. */
export const ownWords = (text: string): string => {
  const all = text.replace(/\r\n?/g, '\n').split('\n');
  const lines = all.slice(0, startOfOther(all));
  const own: string[] = [];
  let wasQuoted = false;
  for (const line of lines) {
    if (isQuoted(line)) {
      if (!wasQuoted) own.length -= attributionAbove(own);
      wasQuoted = true;
      continue;
    }
    wasQuoted = false;
    own.push(line);
  }
  // Where what is quoted was cut off, its attribution is the end.
  if (lines.length < all.length) own.length -= attributionAbove(own);
  while (own.length > 0 && (isBlank(own.at(-1)!) || FROM_PHONE.test(own.at(-1)!.trim()))) own.pop();
  return own
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
};
