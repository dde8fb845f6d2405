/** Separates text by people from text by WhatsApp: omitted media, calls, deleted messages. */
import { DELETED } from './whatsapp-deleted.ts';
import { ATTACHED, LEFT_OUT, MEDIA } from './whatsapp-media.ts';

/** The mark that iOS puts before system text, and Android before files. */
const OWN = '\u200e';
/** `<attached: 00012-PHOTO.jpg>`, `<This message was edited>`, in any language. */
const OWN_BRACKETS = /\u200e<[^<>\n]{2,200}>/gu;
/** Matches Android's unmarked note of an edit. */
const EDITED =
  / ?<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje\.?|Ce message a été modifié|Questo messaggio è stato modificato|Mensagem editada|Dit bericht is bewerkt|Ta wiadomość została zmieniona|Bu mesaj düzenlendi|ההודעה נערכה|Данное сообщение изменено|Pesan ini diedit)>$/u;
/** Android's `<Media omitted>`, but not a person's `<big sigh>`. */
const IN_BRACKETS = new RegExp(`^(?:\\p{L}+ ){1,4}(?:${LEFT_OUT})$`, 'iu');
const isMedia = (line: string): boolean => {
  const [, inside] = /^\u200e?<\s?([^<>]{2,60}?)\s?>$/u.exec(line.trim()) ?? [];
  return inside !== undefined && (MEDIA.has(inside.toLowerCase()) || IN_BRACKETS.test(inside));
};
/** The text that iOS writes in an export without the files: `image omitted` after the caption. */
const OMITTED_BEHIND = new RegExp(
  `\u200e(?:\\p{L}[\\p{L}\\p{M} ]{0,40}? ?(?:${LEFT_OUT})|لم يتم إدراج [\\p{L} ]{2,40}|pominięt[aoy] [\\p{L} ]{2,40})$`,
  'iu',
);
/** The text that Android writes for a view-once picture. */
const VIEWED_ONCE = 'null';
const FILE = new RegExp(`^\u200e?.{1,200}\\.\\w{2,5} \\((?:${ATTACHED})\\)$`, 'u');
/** Android's own file names are recognized regardless of the words after them. */
const OWN_FILE = /^\u200e?(?:IMG|VID|PTT|AUD|STK|DOC)-\d{8}-WA\d{4}\.\w{2,5} \([^()]{2,40}\)$/u;
const OMITTED = new RegExp(`(?:${LEFT_OUT})(?!\\p{L})|لم يتم إدراج|pominięt[aoy]`, 'iu');
const DELETED_BY_ADMIN =
  /^(?:This message was deleted by admin .{1,100}|You deleted this message as admin)$/u;
const DELETED_BY_MARK =
  /deleted|gelöscht|elimin|supprimé|apagad|verwijderd|удал|видал|usunięt|odstran|silindi|sildiniz|dihapus|dipadam|raderades|slett|poistet|נמחקה|מחקת|حذف|削除|삭제|删除|刪除/iu;
/** Direction and isolation marks, around mentioned names. */
const MARKS = /[\u200e\u202a-\u202e\u2066-\u2069]/gu;

const ATTACHMENT = 'pictures, recordings and files';
const GONE = 'messages that were deleted';
export const OWN_LINES = "WhatsApp's own lines, as who joined, calls, settings";

/**
 * Returns the reason to leave out a line that WhatsApp marks as its own; undefined for a person's, which
 * polls (several lines) and locations (a link) are.
 */
const ownLine = (text: string): string | undefined => {
  if (!text.startsWith(OWN) || text.includes('\n') || /https?:\/\//.test(text)) return undefined;
  if (OMITTED.test(text)) return ATTACHMENT;
  return DELETED_BY_MARK.test(text) ? GONE : OWN_LINES;
};

/** Returns the text that a person wrote, or the reason why there is none. */
export const spokenWords = (whole: string): { text: string } | { reason: string } => {
  const [first = '', ...more] = whole.split('\n');
  const isFile = FILE.test(first) || OWN_FILE.test(first) || isMedia(first);
  // A caption is on the lines after its file.
  const text = isFile ? more.join('\n') : whole;
  const own = text.replace(OWN_BRACKETS, '').trimEnd().replace(OMITTED_BEHIND, '');
  const clean = own.replace(EDITED, '').trim();
  const hasAttachment = isFile || own !== text.trimEnd();
  if (clean.replace(MARKS, '').trim() === '') return hasAttachment ? { reason: ATTACHMENT } : { text: '' };
  if (clean === VIEWED_ONCE) return { reason: ATTACHMENT };
  const sentence = clean.replace(MARKS, '').replace(/[.。।]$/, '');
  if (DELETED.has(sentence) || DELETED_BY_ADMIN.test(sentence)) return { reason: GONE };
  const reason = ownLine(clean);
  return reason === undefined ? { text: clean.replace(MARKS, '').trim() } : { reason };
};
