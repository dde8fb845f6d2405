import { describe, expect, it } from 'vitest';
import { eachWord } from '../../../../../domain/language/words/words.ts';
import { seededRandom } from '../../../../../tools/bench/load/conversation.ts';

const words = (text: string): string[] => {
  const found: string[] = [];
  eachWord(text, word => found.push(word.text));
  return found;
};

describe('words', () => {
  it.each([
    ["Ann's dog doesn't bark", ['ann', 'dog', 'doesn', 'bark']],
    ['Café Müller, naïve', ['cafe', 'muller', 'naive']],
    ['Привет, мир! Как дела?', ['привет', 'мир', 'как', 'дела']],
    ['Καλημέρα κόσμε', ['καλημερα', 'κοσμε']],
    ['我喜欢北京', ['我', '我喜', '喜', '喜欢', '欢', '欢北', '北', '北京', '京']],
    ['猫', ['猫']],
    ['東京タワーへ行く', ['東', '東京', '京', '京タ', 'タワ', 'ワー', 'ーへ', 'へ行', '行', '行く']],
    ['ＡＢＣ１２３ full-width', ['abc123', 'full', 'width']],
    ['iPhone手机15', ['iphone', '手', '手机', '机', '15']],
    ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['집에서 잤어', ['집', '집에', '에서', '잤', '잤어']],
    ['ﾎﾟｽﾄ ポスト', ['ポス', 'スト', 'ポス', 'スト']],
    ['Straße STRASSE Łódź Ørsted', ['strasse', 'strasse', 'lodz', 'orsted']],
    ['İstanbul ISPARTA ısparta', ['istanbul', 'isparta', 'isparta']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['مُحَمَّد مـحمد محمد', ['محمد', 'محمد', 'محمد']],
    ['शहर ज़रूर क्\u200dष', ['शहर', 'जरूर', 'क्ष']],
    ['٢٠٢٦ २०२६ ๒๐๒๖ ２０２６', ['2026', '2026', '2026', '2026']],
    ['Donau\u00addampfer', ['donaudampfer']],
    ["l'eau de l'hôtel", ['l', 'eau', 'de', 'l', 'hotel']],
    ['🙂🙃 …—!?', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('parts Thai, Lao, Khmer and Myanmar by twos, marks with their letters', () => {
    expect(words('สวัสดี')).toEqual(['สวั', 'วั', 'วัส', 'สดี', 'ดี']);
    for (const text of ['ສະບາຍດີ', 'សួស្តី', 'မင်္ဂလာပါ']) expect(words(text).length).toBeGreaterThan(0);
  });

  it('parts a text of ASCII alone as it parts it with another letter after it', () => {
    const random = seededRandom(7);
    const pick = (of: string): string => of[Math.floor(random() * of.length)]!;
    const all = String.fromCharCode(...Array(128).keys());
    const seen = (text: string): object[] => {
      const found: object[] = [];
      eachWord(text, word => found.push({ ...word }));
      return found;
    };
    for (let n = 0; n < 5_000; n++) {
      const characters = n % 2 ? all : 'aBst9 \'.?\n"-_';
      const text = Array.from({ length: n % 60 }, () => pick(characters)).join('');
      expect(seen(text)).toEqual(seen(`${text} é`).slice(0, -1));
    }
  });

  it('takes any text without an error: lone surrogates, lone marks, control characters, a megabyte', () => {
    for (const text of ['\ud800', 'a\udc00b', '\u0301\u0301', '\u0000\u0007', ''])
      expect(() => words(text)).not.toThrow();
    expect(words('word '.repeat(200_000))).toHaveLength(200_000);
  });

  it('knows capitals inside a sentence from those that begin one', () => {
    const seen: [string, boolean, boolean][] = [];
    eachWord('Yesterday I met Bob. He waved', word =>
      seen.push([word.text, word.capital, word.sentenceStart]),
    );
    expect(seen).toEqual([
      ['yesterday', true, true],
      ['i', true, false],
      ['met', false, false],
      ['bob', true, false],
      ['he', true, true],
      ['waved', false, false],
    ]);
  });

  it('takes a small letter with an accent for no capital, and what follows ¿ for the start of a sentence', () => {
    const seen: [string, boolean, boolean][] = [];
    eachWord('Hola. ¿Cómo está la época de Élise?', word =>
      seen.push([word.text, word.capital, word.sentenceStart]),
    );
    expect(seen.filter(([, capital, start]) => capital && !start).map(([word]) => word)).toEqual(['elise']);
  });

  it('are read while the words of another text are', () => {
    const pairs: string[] = [];
    eachWord('one two', ({ text }) => pairs.push(...words('a b').map(other => text + other)));
    expect(pairs).toEqual(['onea', 'oneb', 'twoa', 'twob']);
  });
});
