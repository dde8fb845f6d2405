/** Separates text by people from text by WhatsApp: omitted media, calls, deleted messages. */

/** The mark that iOS puts before system text, and Android before files. */
const OWN = '\u200e';
/** `<attached: 00012-PHOTO.jpg>`, `<This message was edited>`, in any language. */
const OWN_BRACKETS = /\u200e<[^<>\n]{2,200}>/gu;
/** Matches Android's unmarked note of an edit. */
const EDITED =
  / ?<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje\.?|Ce message a été modifié|Questo messaggio è stato modificato|Mensagem editada|Dit bericht is bewerkt)>$/u;
const LEFT_OUT =
  'omitted|weggelassen|ausgelassen|ausgeschlossen|omitid[oa]s?|omis|omess[oi]|ocult[oa]s?|não revelad[oa]s?|weggelaten';
/** Android's `<Media omitted>`, but not a person's `<big sigh>`. */
const MEDIA = new RegExp(`^\u200e?<(?:\\p{L}+ ){1,4}(?:${LEFT_OUT})>$`, 'iu');
/** The text that iOS writes in an export without the files: `image omitted` after the caption. */
const OMITTED_BEHIND = new RegExp(`\u200e\\p{L}[\\p{L} ]{0,40} (?:${LEFT_OUT})$`, 'iu');
/** The text that Android writes for a view-once picture. */
const VIEWED_ONCE = 'null';
const FILE =
  /^\u200e?.{1,200}\.\w{2,5} \((?:file attached|Datei angehängt|archivo adjunto|fichier joint|file allegato|arquivo anexado|ficheiro anexado|bestand bijgevoegd)\)$/u;
/** Android's own file names are recognized regardless of the words after them. */
const OWN_FILE = /^\u200e?(?:IMG|VID|PTT|AUD|STK|DOC)-\d{8}-WA\d{4}\.\w{2,5} \([^()]{2,40}\)$/u;
const OMITTED = new RegExp(`(?:${LEFT_OUT})\\b`, 'iu');
const DELETED = new Set([
  'This message was deleted',
  'You deleted this message',
  'Diese Nachricht wurde gelöscht',
  'Du hast diese Nachricht gelöscht',
  'Se eliminó este mensaje',
  'Eliminaste este mensaje',
  'Ce message a été supprimé',
  'Vous avez supprimé ce message',
  'Questo messaggio è stato eliminato',
  'Hai eliminato questo messaggio',
  'Mensagem apagada',
  'Você apagou esta mensagem',
  'Dit bericht is verwijderd',
  'Je hebt dit bericht verwijderd',
]);
const DELETED_BY_ADMIN =
  /^(?:This message was deleted by admin .{1,100}|You deleted this message as admin)$/u;
const DELETED_BY_MARK = /deleted|gelöscht|elimin|supprimé|apagad|verwijderd/iu;
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
  const isFile = FILE.test(first) || OWN_FILE.test(first) || MEDIA.test(first.trim());
  // A caption is on the lines after its file.
  const text = isFile ? more.join('\n') : whole;
  const own = text.replace(OWN_BRACKETS, '').trimEnd().replace(OMITTED_BEHIND, '');
  const clean = own.replace(EDITED, '').trim();
  const hasAttachment = isFile || own !== text.trimEnd();
  if (clean.replace(MARKS, '').trim() === '') return hasAttachment ? { reason: ATTACHMENT } : { text: '' };
  if (clean === VIEWED_ONCE) return { reason: ATTACHMENT };
  const sentence = clean.replace(MARKS, '').replace(/\.$/, '');
  if (DELETED.has(sentence) || DELETED_BY_ADMIN.test(sentence)) return { reason: GONE };
  const reason = ownLine(clean);
  return reason === undefined ? { text: clean.replace(MARKS, '').trim() } : { reason };
};
