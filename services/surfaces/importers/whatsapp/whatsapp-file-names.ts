/** The names of the files that WhatsApp exports a chat to, in the languages of its apps. */

/** In each, `%` is the chat's name. */
const FILE_NAMES = [
  'WhatsApp Chat with %',
  'WhatsApp Chat - %',
  'WhatsApp-Chat mit %',
  'WhatsApp Chat mit %',
  'Chat de WhatsApp con %',
  'Chat WhatsApp con %',
  'Conversa do WhatsApp com %',
  'Conversa no WhatsApp com %',
  'Discussion WhatsApp avec %',
  'WhatsApp-chat met %',
  'Xat de WhatsApp amb %',
  'Чат WhatsApp с контактом %',
  'Чат WhatsApp с %',
  'Бесіда WhatsApp з %',
  'Чат WhatsApp з %',
  'WhatsApp Чат с %',
  'Czat WhatsApp z %',
  'Chat WhatsApp s uživatelem %',
  'WhatsApp chat s používateľom %',
  'WhatsApp razgovor s %',
  'WhatsApp klepet z %',
  'WhatsApp csevegés vele: %',
  'Conversație WhatsApp cu %',
  'Συνομιλία WhatsApp με %',
  'WhatsApp-chatt med %',
  'WhatsApp-samtale med %',
  'WhatsApp chat med %',
  'WhatsApp-chat med %',
  'WhatsApp-keskustelu henkilön % kanssa',
  'Chat WhatsApp dengan %',
  'Sembang WhatsApp dengan %',
  'Trò chuyện WhatsApp với %',
  '% ile WhatsApp Sohbeti',
  "צ'אט WhatsApp עם %",
  'دردشة واتساب مع %',
  'گفتگوی WhatsApp با %',
  '% کے ساتھ WhatsApp بات چیت',
  '% के साथ WhatsApp चैट',
  'แชท WhatsApp กับ %',
  '%とのWhatsAppチャット',
  '%님과의 WhatsApp 대화',
  'WhatsApp 与 % 的对话',
  'WhatsApp 與 % 的對話',
];

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const NAMED = FILE_NAMES.map(
  form => new RegExp(`^${form.split('%').map(quoted).join('(?<name>.+)').replace(/ /g, '[ _]+')}$`, 'iu'),
);

/** The chat's name in the name of a file, without its ending; the whole name if no language names it so. */
export const chatNameIn = (file: string): string =>
  NAMED.map(form => form.exec(file)?.groups?.name).find(name => name !== undefined) ?? file;
