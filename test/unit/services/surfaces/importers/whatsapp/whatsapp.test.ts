import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { chatName, findDateOrder } from '../../../../../../services/surfaces/importers/whatsapp/whatsapp.ts';
import { headerOf } from '../../../../../../services/surfaces/importers/whatsapp/whatsapp-lines.ts';
import { spokenWords } from '../../../../../../services/surfaces/importers/whatsapp/whatsapp-words.ts';
import { EXPORTS, readExport, shown, textFile, zipFile } from '../../../../../support/files/exports.ts';

const IOS = join(EXPORTS, 'whatsapp/_chat.txt');
const ANDROID = join(EXPORTS, 'whatsapp/WhatsApp Chat with Ben.txt');

describe('a chat', () => {
  it('of an iPhone: several lines, captions, polls, mentions, and the two odd hours of a year', async () => {
    const options = { session: 'family', timeZone: 'Europe/Berlin', dateOrder: 'dmy' } as const;
    const reading = await readExport(IOS, 'whatsapp', options);
    expect(shown(reading)).toEqual([
      'family Ada 2026-03-28T08:01:02.000Z The picnic is on Saturday.\nBring:\n- bread\n\n- cheese: the old one',
      'family Ben 2026-03-28T08:03:30.000Z The lake at dawn',
      'family Ben 2026-03-28T08:04:00.000Z I bring the boat',
      'family Cy 2026-03-28T08:05:00.000Z @Ada what time?',
      'family Ada 2026-03-28T08:07:00.000Z POLL:\nWhen?\nOPTION: Noon (2 votes)',
      'family Ada 2026-03-28T08:08:00.000Z Location: https://maps.google.com/?q=1,2',
      // 02:30 did not come: it is 03:30 of summer time.
      'family Ben 2026-03-29T01:30:00.000Z In the hour that never was',
      // 02:30 came twice: the first of the two, of summer time.
      'family Ben 2026-10-25T00:30:00.000Z In the hour that comes twice',
      'family +49 170 1234567 2026-10-25T02:00:00.000Z I have no name',
    ]);
    expect(reading.leftOut).toEqual({
      "WhatsApp's own lines, as who joined, calls, settings": 2,
      'pictures, recordings and files': 2,
      'messages that were deleted': 1,
      'messages without text': 1,
    });
    expect(reading.turns[0]!.location).toBe(3);
  });

  it('of Android: the halves of the day behind a narrow space, lines of nobody, captions', async () => {
    const reading = await readExport(ANDROID, 'whatsapp', { timeZone: '+05:30', dateOrder: 'mdy' });
    expect(shown(reading)).toEqual([
      'whatsapp-Ben Ben 2026-03-12T15:36:00.000Z Did you water the fig tree?',
      'whatsapp-Ben Ada 2026-03-12T15:37:00.000Z The fig tree is fine',
      'whatsapp-Ben Ada 2026-03-11T18:30:00.000Z Midnight',
      'whatsapp-Ben Ben 2026-03-13T07:01:00.000Z <b>not a picture</b>',
      'whatsapp-Ben Ben 2026-03-13T07:02:00.000Z Lunch?',
    ]);
    expect(reading.leftOut).toEqual({
      "WhatsApp's own lines, as who joined, calls, settings": 2,
      'pictures, recordings and files': 1,
      'messages that were deleted': 1,
    });
  });
});

it.each([
  ['[12.3.2022 klo 14.08.18] Aino: Moi', [12, 3, 2022], 14, 8, 18, 'Aino', 'Moi'],
  ['12/3/24 14:08 - José: hola', [12, 3, 24], 14, 8, 0, 'José', 'hola'],
  ['12/3/24, 2:08 p. m. - José: hola', [12, 3, 24], 14, 8, 0, 'José', 'hola'],
  ['12/3/24, 12:08 a.m. - José: hola', [12, 3, 24], 0, 8, 0, 'José', 'hola'],
  ['2024/3/12 下午2:08 - 林: 你好', [2024, 3, 12], 14, 8, 0, '林', '你好'],
  ['2024-03-12, 14:08 - Ann: hi: there', [2024, 3, 12], 14, 8, 0, 'Ann', 'hi: there'],
  ['\u200f[١٢/٣/٢٠٢٤، ٢:٠٨:١٨ م] نور: مرحبا', [12, 3, 2024], 14, 8, 18, 'نور', 'مرحبا'],
  ['12-03-2024 14:08 - Jan joined', [12, 3, 2024], 14, 8, 0, undefined, 'Jan joined'],
])('knows the head of %s', (line, date, hour, minute, second, speaker, text) => {
  expect(headerOf(line)).toMatchObject({ date, hour, minute, second, speaker, text });
});

const AFTERNOON = Date.UTC(2023, 0, 13, 15, 4, 5);
const GREGORIAN = { calendar: 'gregory', timeZone: 'UTC' } as const;

/** The two forms of a phone whose language is this one, as ICU writes its dates, which phones do too. */
const linesOf = (language: string, isTimeFirst = false): string[] => {
  const part = (more: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...GREGORIAN, ...more }).format(AFTERNOON);
  const when = (timeStyle: 'short' | 'medium') => {
    const both = [part({ dateStyle: 'short' }), part({ timeStyle })];
    return (isTimeFirst ? both.reverse() : both).join(', ');
  };
  return [`${when('short')} - Ada: hello`, `[${when('medium')}] Ada: hello`];
};

it.each([
  ...[
    'ar',
    'ar-EG',
    'ar-SA',
    'el',
    'bg',
    'mk',
    'he',
    'ur',
    'fa',
    'hi',
    'bn',
    'mr',
    'fi',
    'hr',
    'hu',
    'ko',
    'zh-TW',
  ],
  ...['de', 'en-CA', 'en-US', 'es-MX', 'fr', 'id', 'ja', 'nl', 'pt', 'ru', 'sk', 'sv', 'tr', 'uk'],
])('knows the heads of a phone in %s', language => {
  for (const line of linesOf(language)) {
    const header = headerOf(line);
    expect(header, line).toMatchObject({ hour: 15, minute: 4, speaker: 'Ada', text: 'hello' });
    expect(new Set(header!.date.map(number => number % 2_000)), line).toEqual(new Set([1, 13, 23]));
  }
});

it('knows the heads of a phone in Vietnamese, with the time before the date', () => {
  for (const line of [
    ...linesOf('vi', true),
    '15:04, 13/01/2023 - Ada: hello',
    '03:04 CH, 13/01/2023 - Ada: hello',
  ])
    expect(headerOf(line), line).toMatchObject({ hour: 15, minute: 4, speaker: 'Ada', text: 'hello' });
});

it.each(['just words', '12/03/2024 is the day', '[1] a list: of things', '12/03/2024, 25:08 - Ada: no hour'])(
  'knows no head in %s',
  line => expect(headerOf(line)).toBeUndefined(),
);

describe('the order of dates', () => {
  const orderOf = async (...dates: string[]) => {
    const text = dates.map(date => `${date}, 10:00 - Ada: hello`).join('\n');
    return (await findDateOrder(await openArchive(textFile('WhatsApp Chat with Ben.txt', text)))).dates;
  };

  it('is what the numbers allow', async () => {
    expect(await orderOf('01/02/26', '13/02/26')).toMatchObject({ order: 'dmy' });
    expect(await orderOf('01/02/26', '02/13/26')).toMatchObject({ order: 'mdy' });
    expect(await orderOf('2026/01/02')).toMatchObject({ order: 'ymd' });
    expect(await orderOf('26/01/02')).toMatchObject({ order: 'ymd' });
    expect(await orderOf('26. 1. 2.', '26. 1. 12.')).toMatchObject({ order: 'ymd' });
    expect(await orderOf('26-01-02', '26-01-12')).toMatchObject({ order: 'ymd' });
  });

  it('is the one in which the chat runs forwards', async () => {
    expect(await orderOf('05/01/26', '01/02/26')).toMatchObject({ order: 'dmy' });
    expect(await orderOf('01/05/26', '02/01/26')).toMatchObject({ order: 'mdy' });
  });

  it('has the day first with points, as all regions do that write them', async () => {
    expect(await orderOf('01.02.26')).toMatchObject({ order: 'dmy' });
    expect(await orderOf('12.03.26')).toMatchObject({ order: 'dmy' });
  });

  it('is asked for where nothing tells, and a contradiction is told by its line', async () => {
    expect(await orderOf('01/02/26', '03/04/26')).toEqual({ candidates: ['dmy', 'mdy'], example: '1/2/26' });
    expect(await orderOf('13/02/2026', '02/13/2026')).toEqual({ misfit: 2 });
    // In January of 2026, or on days of 2012.
    expect(await orderOf('26. 1. 12.')).toEqual({ candidates: ['dmy', 'ymd'], example: '26. 1. 12' });
  });

  it('is none where the year is of another calendar', async () => {
    expect(await orderOf('12/3/2567')).toEqual({ impossible: 1 });
    expect(await orderOf('12/3/2024', '1403/01/05')).toEqual({ impossible: 2 });
    expect(await orderOf('12/3/2008')).toEqual({ impossible: 1 });
  });

  it('makes a line of another order a part of the message above, once it was named', async () => {
    const path = textFile(
      'WhatsApp Chat with Ben.txt',
      '13/02/2026, 10:00 - Ada: look\n02/13/2026, 10:00 - Cy: pasted',
    );
    const { turns } = await readExport(path, 'whatsapp', { timeZone: 'UTC', dateOrder: 'dmy' });
    expect(turns.map(({ turn }) => turn.text)).toEqual(['look\n02/13/2026, 10:00 - Cy: pasted']);
  });
});

it.each([
  ['<big sigh>', { text: '<big sigh>' }],
  ['<Medien ausgeschlossen>', { reason: 'pictures, recordings and files' }],
  ['<Medien ausgeschlossen>\nThe lake', { text: 'The lake' }],
  ['<View once voice message omitted>', { reason: 'pictures, recordings and files' }],
  ['The lake \u200eimage omitted', { text: 'The lake' }],
  ['The lake\n\u200eImagen omitida', { text: 'The lake' }],
  ['\u200eaudio omitted', { reason: 'pictures, recordings and files' }],
  ['The image was omitted', { text: 'The image was omitted' }],
  ['null', { reason: 'pictures, recordings and files' }],
  ['null and void', { text: 'null and void' }],
  ['This message was deleted by admin Ben', { reason: 'messages that were deleted' }],
  ['This message was deleted by admin Ben.', { reason: 'messages that were deleted' }],
  ['This message was deleted by mistake', { text: 'This message was deleted by mistake' }],
])("tells a person's words from WhatsApp's: %j", (words, said) => expect(spokenWords(words)).toEqual(said));

it.each([
  'changed the group name to Trip: Rome',
  'hat den Gruppennamen zu Reise: Rom geändert',
  'ändrade ämnet till "Resa: Rom"',
  'changed the subject from "Trip" to "Trip: Rome"',
])('takes no name out of its own lines: Ada %s', words =>
  expect(headerOf(`12/03/2024, 14:08 - Ada ${words}`)!.speaker).toBeUndefined(),
);

it.each(['Bob „Baumeister“ Müller', 'Dad "Bob" Smith', '«Mamma»', 'The “Boss”'])(
  'takes %s for a name, as contacts have it',
  name =>
    expect(headerOf(`13/01/23, 15:10 - ${name}: see: this`)).toMatchObject({
      speaker: name,
      text: 'see: this',
    }),
);

it('names the chat as WhatsApp named the file', async () => {
  const chat = '[01.02.26, 10:00:00] Ada: hello';
  const named = async (path: string) => chatName(await openArchive(path));
  expect(await named(await zipFile('WhatsApp Chat - Family.zip', { '_chat.txt': chat }))).toBe('Family');
  expect(await named(await zipFile('x.zip', { 'WhatsApp Chat with Ben.txt': chat, 'notes.txt': '' }))).toBe(
    'Ben',
  );
  expect(await named(textFile('WhatsApp-Chat mit Jo\u0308rg (1).txt', chat))).toBe('J\u00f6rg');
  expect(await named(textFile('_chat.txt', chat))).toBeUndefined();
});

it('names the line that it can not read, never its words', async () => {
  const damaged = textFile(
    'a.txt',
    Buffer.concat([Buffer.from('[01.02.26, 10:00:00] Ada: x\n'), Buffer.from([0xff, 0xfe])]),
  );
  await expect(readExport(damaged, 'whatsapp', { timeZone: 'UTC', dateOrder: 'dmy' })).rejects.toThrow(
    /^line 2 is not valid UTF-8$/,
  );
  await expect(findDateOrder(await openArchive(textFile('a.txt', 'no chat')))).rejects.toThrow(
    "has no line in the format of WhatsApp's export",
  );
});

describe('oddities of the lines', () => {
  it.each([
    // Android since 2023 has a narrow no-break space before the half of the day.
    ['3/12/24, 2:08\u202fPM - Ann: hi', 14, 'Ann', 'hi'],
    ['3/12/24, 12:08\u202fAM - Ann: hi', 0, 'Ann', 'hi'],
    ['23.03.22 13:31 - Jan: ahoj', 13, 'Jan', 'ahoj'],
    ['20/08/24 14.30 - Budi: halo', 14, 'Budi', 'halo'],
    ['12.06.2025 saat 09:15 - Ali: selam', 9, 'Ali', 'selam'],
    ['2024-03-12 15 h 04 - Zoé: allô', 15, 'Zoé', 'allô'],
    ['2021/3/4 晚上8:25 - 林: 你好', 20, '林', '你好'],
    ['2021/3/4 中午12:25 - 林: 你好', 12, '林', '你好'],
    ['9/9/2024, 8:46 אחה"צ - דנה: שלום', 20, 'דנה', 'שלום'],
    // Without a space behind the colon, or with another one.
    ['12/03/24, 14:08 - Ada:hello', 14, 'Ada', 'hello'],
    ['[12.03.24, 14:08:18] Ada Lovelace:hello', 14, 'Ada Lovelace', 'hello'],
    ['12/03/24, 14:08 - +49 170 1234567:hello', 14, '+49 170 1234567', 'hello'],
    ['12/03/24, 14:08 - Ada:\u00a0hello', 14, 'Ada', 'hello'],
    ['2024/3/12 14:08 - 林：你好', 14, '林', '你好'],
    ['[12.03.24, 14:08:18] Ada:\u200e \u200eimage omitted', 14, 'Ada', '\u200e\u200eimage omitted'],
  ])('%j', (line, hour, speaker, text) => {
    expect(headerOf(line)).toMatchObject({ hour, speaker, text });
  });

  it.each([
    'Ada left',
    'Ada joined using this link https://chat.whatsapp.com/x',
    'Ada added Ben at 10:30',
    'You turned on disappearing messages for this chat:24 hours',
    'Ada changed the subject to “Trip:Rome”',
  ])('take no name out of WhatsApp’s own line without a space behind a colon: %s', words =>
    expect(headerOf(`12/03/2024, 14:08 - ${words}`)!.speaker).toBeUndefined(),
  );
});

it('reads a file without spaces behind its names, also where a space is behind a later colon', async () => {
  const text = [
    'Ada:hello',
    'Ben:hi',
    'Ada:bring this: bread',
    'and cheese: the old one',
    'Cy:one: two',
    'Cy:yes',
  ];
  const lines = text.map((line, index) => (index === 3 ? line : `13/01/26, 10:0${index} - ${line}`));
  const path = textFile('WhatsApp Chat with Ben.txt', lines.join('\n'));
  const { turns } = await readExport(path, 'whatsapp', { timeZone: 'UTC', dateOrder: 'dmy' });
  expect(turns.map(({ turn }) => [turn.role, turn.text])).toEqual([
    ['Ada', 'hello'],
    ['Ben', 'hi'],
    ['Ada', 'bring this: bread\nand cheese: the old one'],
    // Nobody called Cy has spoken yet.
    ['Cy:one', 'two'],
    ['Cy', 'yes'],
  ]);
});

/** The halves of the day as ICU writes them for a clock with twelve hours, which phones do too. */
const twelve = (language: string, at: number): string =>
  new Intl.DateTimeFormat(language, {
    ...GREGORIAN,
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  }).format(at);

it.each([
  ...[
    'af',
    'ar',
    'bg',
    'bn',
    'ca',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'en-IN',
    'es',
    'es-MX',
    'fa',
    'fi',
    'fr',
    'gu',
    'he',
  ],
  ...[
    'hi',
    'hr',
    'hu',
    'id',
    'it',
    'ja',
    'kn',
    'ko',
    'lt',
    'lv',
    'mk',
    'ml',
    'mr',
    'ms',
    'my',
    'nb',
    'nl',
    'pa',
  ],
  ...[
    'pl',
    'pt',
    'ro',
    'ru',
    'sk',
    'sl',
    'sq',
    'sr',
    'sv',
    'ta',
    'te',
    'th',
    'tr',
    'uk',
    'ur',
    'vi',
    'zh',
    'zh-TW',
  ],
])('tells the halves of the day of a phone in %s', language => {
  for (const [hour, at] of [
    [3, Date.UTC(2023, 0, 13, 3, 4)],
    [0, Date.UTC(2023, 0, 13, 0, 4)],
    [15, Date.UTC(2023, 0, 13, 15, 4)],
    [12, Date.UTC(2023, 0, 13, 12, 4)],
  ] as const) {
    const line = `13/01/2023, ${twelve(language, at)} - Ada: hello`;
    expect(headerOf(line), line).toMatchObject({ hour, minute: 4, speaker: 'Ada' });
  }
});

it.each(['fr-CA', 'th-u-nu-thai', 'my', 'gu-u-nu-gujr'])('knows the heads of a phone in %s', language => {
  for (const line of linesOf(language)) expect(headerOf(line), line).toMatchObject({ hour: 15, minute: 4 });
});

it.each([
  ['<Medya dahil edilmedi>', 'pictures, recordings and files'],
  ['<Без медиафайлов>', 'pictures, recordings and files'],
  ['<Pominięto multimedia>', 'pictures, recordings and files'],
  ['<Media tidak disertakan>', 'pictures, recordings and files'],
  ['<המדיה לא נכללה>', 'pictures, recordings and files'],
  ['<تم استبعاد الوسائط>', 'pictures, recordings and files'],
  ['<メディアは含まれていません>', 'pictures, recordings and files'],
  ['<省略多媒体文件>', 'pictures, recordings and files'],
  ['\u200eизображение отсутствует', 'pictures, recordings and files'],
  ['\u200egörüntü dahil edilmedi', 'pictures, recordings and files'],
  ['\u200e画像は含まれていません', 'pictures, recordings and files'],
  ['IMG-20260101-WA0001.jpg (dosya ekli)', 'pictures, recordings and files'],
  ['plan.pdf (файл добавлен)', 'pictures, recordings and files'],
  ['Bu mesaj silindi', 'messages that were deleted'],
  ['Данное сообщение удалено', 'messages that were deleted'],
  ['Ta wiadomość została usunięta.', 'messages that were deleted'],
  ['このメッセージは削除されました。', 'messages that were deleted'],
  ['此訊息已刪除。', 'messages that were deleted'],
  ['تم حذف هذه الرسالة', 'messages that were deleted'],
])('leaves out what WhatsApp wrote in other languages: %j', (words, reason) =>
  expect(spokenWords(words)).toEqual({ reason }),
);

it.each([
  ['Göle bak \u200egörüntü dahil edilmedi', 'Göle bak'],
  ['<Medya dahil edilmedi>\nGöle bak', 'Göle bak'],
  ['Spójrz <Ta wiadomość została zmieniona>', 'Spójrz'],
  ['<çok güzel>', '<çok güzel>'],
  ['Bu mesaj silindi mi?', 'Bu mesaj silindi mi?'],
])("keeps a person's words in other languages: %j", (words, text) =>
  expect(spokenWords(words)).toEqual({ text }),
);

it.each([
  ['Ben ile WhatsApp Sohbeti.txt', 'Ben'],
  ['Чат WhatsApp с контактом Ben.txt', 'Ben'],
  ['Czat WhatsApp z Ben Kowalski.zip', 'Ben Kowalski'],
  ['Chat WhatsApp dengan Ben (2).txt', 'Ben'],
  ['BenとのWhatsAppチャット.txt', 'Ben'],
  ['Ben님과의 WhatsApp 대화.txt', 'Ben'],
  ['WhatsApp 与 Ben 的对话.txt', 'Ben'],
  ['WhatsApp_Chat_with_Ben.txt', 'Ben'],
  ['My own name.txt', 'My own name'],
])('takes the name of the chat out of %s', async (file, name) => {
  const archive = await openArchive(textFile(file, '[01.02.26, 10:00:00] Ada: hello'));
  expect(chatName(archive)).toBe(name);
});
