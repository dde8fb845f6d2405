import { describe, expect, it } from 'vitest';
import { confidence } from '../../../../domain/ranking/confidence.ts';
import { rankDeep } from '../../../../domain/ranking/deep.ts';
import { prepare } from '../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../domain/ranking/rank.ts';
import { language, said } from '../language/fixture.ts';
import { scopeOf } from './scope.ts';

const encoded = (text: string): Buffer => Buffer.from(language.encodeDocument(language.analyse(text, said)));
const MODES = { active: rank, deep: rankDeep };

/** Mulberry32: the same numbers in every run. */
const random = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
};

/** Letters of everyday words, and one word that no other turn of the test holds. */
const SCRIPTS = {
  English: ['aeioulnrst', 'kuckoo'],
  German: ['aeioulnrst', 'Grüße'],
  Turkish: ['aeioulnrst', 'ILIK'],
  Vietnamese: ['aeiountlhc', 'Nguyễn'],
  Russian: ['аеионтлсрв', 'Дружба'],
  Ukrainian: ['аеионтлсрв', 'їжак'],
  Greek: ['αεηιοντλσρ', 'ΨΩΜΟΣ'],
  Armenian: ['աեիոնտլսրվ', 'ձմեռ'],
  Georgian: ['აეიოუნტლსრ', 'ძაღლი'],
  Arabic: ['ابتدرسلمنو', 'ظفيرة'],
  Persian: ['ابتدرسلمنو', 'گرگ'],
  Hebrew: ['אבגדהילמנר', 'צפע'],
  Hindi: ['कखगचजतदनपब', 'श्रृंगार'],
  Bengali: ['কখগচজতদনপব', 'শৃঙ্খল'],
  Tamil: ['கஙசஞடணதநபம', 'வாழை'],
  Amharic: ['ሀለመረሰቀበተነአ', 'ውሻ'],
  Chinese: ['的一是不了人我在有他', '獾'],
  Japanese: ['あいうえおかきくけこ', 'ぬりえ'],
  Korean: ['가나다라마바사아자하', '꿩'],
  Thai: ['กขคงจชซณดต', 'ฬึก'],
  Khmer: ['កខគឃងចឆជឈញ', 'ហ្វូង'],
  Burmese: ['ကခဂဃငစဆဇဈည', 'ဟွေး'],
  digits: ['0123456789', '٤٨٢١٣٧٧٠'],
} as const;
const UNPARTED = new Set(['Chinese', 'Japanese', 'Thai', 'Khmer', 'Burmese']);

describe.each(Object.entries(SCRIPTS))('an exact word, %s', (name, [letters, word]) => {
  const below = random(name.length * 7919);
  const alphabet = [...letters];
  const oneWord = (): string =>
    Array.from({ length: 3 + below(5) }, () => alphabet[below(alphabet.length)]).join('');
  const turn = (extra?: string): string => {
    const words = Array.from({ length: 6 + below(6) }, oneWord);
    if (extra !== undefined) words.splice(below(words.length), 0, extra);
    return words.join(UNPARTED.has(name) ? '' : ' ');
  };
  const place = below(200);
  const texts = Array.from({ length: 200 }, (_, i) => turn(i === place ? word : undefined));
  const scope = scopeOf(
    [0, 50, 100, 150].map(from => texts.slice(from, from + 50).map(text => ({ role: 'Ann', text }))),
  );

  it.each(['active', 'deep'] as const)('finds its turn among 200 in any form of writing, %s', mode => {
    for (const q of new Set([
      word,
      word.normalize('NFD'),
      word.normalize('NFC'),
      word.toLowerCase(),
      `${word}?`,
    ])) {
      const { query, statistics } = scope.ask(q);
      const ranked = MODES[mode](prepare(query, statistics, scope.candidates), scope.candidates);
      expect(ranked[0]!.candidate.key).toBe(place);
    }
  });

  it('has the same words decomposed as composed', () => {
    for (const text of texts.slice(0, 20).concat(texts[place]!))
      expect(encoded(text.normalize('NFD')).equals(encoded(text.normalize('NFC')))).toBe(true);
  });
});

describe('any string', () => {
  // biome-ignore format: a list of letters
  const ODD = [
    '\ud800', '\udc00', '\u0301', '\u200d', '\u200f', '\u202e', '\u2067', '\u00ad', '\ufe0f', '\ufeff', '\u0000', '\u0640',
    '👩‍👩‍👧', '🏳️‍🌈', '1️⃣', 'İ', 'ı', 'ß', 'ẞ', 'ς', 'ﬁ', 'ﷺ', '㍿', '½', '²', '٣', '३', '１', 'ᄒ', 'ᅡ', 'ᆫ', '한', 'ㅋ', 'か\u3099', 'ﾊﾟ',
    'क्ष', '्', 'กำ', 'เ', 'ា', 'ရ်', '།', '۔', '؟', ';', '¿', '\u{1d7d8}', '\u{20000}', '\u{10400}', "'s", '’', '(', '[a]', '\n', ' ', ' ',
  ];

  const strings = Array.from({ length: 400 }, (_, i) => {
    const below = random(i + 1);
    const piece = (): string => {
      if (below(3) === 0) return String.fromCharCode(below(0x10000));
      if (below(4) === 0) return String.fromCodePoint(below(0x110000));
      const scripts = Object.values(SCRIPTS);
      return below(2) === 0 ? ODD[below(ODD.length)]! : scripts[below(scripts.length)]!.join(' ');
    };
    return Array.from({ length: 1 + below(30) }, piece).join('');
  });

  it('is analysed without an error, composed and decomposed alike', () => {
    for (const text of strings) {
      expect(encoded(text).length).toBeGreaterThan(0);
      expect(encoded(text.normalize('NFD')).equals(encoded(text.normalize('NFC')))).toBe(true);
    }
  });

  it('is asked without an error, and finds itself', () => {
    const scope = scopeOf([strings.map((text, i) => ({ role: strings[(i * 7) % 60]!.slice(0, 20), text }))]);
    for (const [i, text] of strings.entries()) {
      if (i % 20 !== 0) continue;
      const { query, statistics } = scope.ask(text);
      for (const mode of ['active', 'deep'] as const) {
        const ranked = MODES[mode](prepare(query, statistics, scope.candidates), scope.candidates);
        const sure = confidence(query, ranked, statistics, mode);
        expect(sure).toBeGreaterThanOrEqual(0);
        expect(sure).toBeLessThanOrEqual(1);
        if (query.text.length >= 3) expect(ranked[0]!.candidate.key).toBe(i);
      }
    }
  });
});
