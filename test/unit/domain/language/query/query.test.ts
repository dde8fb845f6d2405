import { describe, expect, it } from 'vitest';
import { queryDates } from '../../../../../domain/language/times/query-dates.ts';
import { fnv1a } from '../../../../../domain/language/words/fnv.ts';
import { stem } from '../../../../../domain/language/words/stems.ts';
import { language, said } from '../fixture.ts';

const hash = (word: string) => fnv1a(stem(word));
const speakers = ['Caroline', 'Melanie'];

describe('analyseQuery', () => {
  it('keeps the content words, without function words and the names of speakers', () => {
    const query = language.analyseQuery("What did Caroline say about Melanie's painting?", speakers);
    expect([...query.stems]).toEqual([hash('say'), hash('painting')]);
    expect([...query.named]).toEqual(speakers);
  });

  it('knows a speaker by a beginning of the name, when it is capitalised and fits no other', () => {
    expect([...language.analyseQuery('Where does Mel work?', speakers).named]).toEqual(['Melanie']);
    expect([...language.analyseQuery('a mel of sounds', speakers).named]).toEqual([]);
    expect([...language.analyseQuery('Where does Mel work?', ['Melanie', 'Melissa']).named]).toEqual([]);
  });

  it('takes "I" for the user of an assistant', () => {
    const roles = ['user', 'assistant'];
    expect([...language.analyseQuery('What did I say about my sister?', roles).named]).toEqual(['user']);
    expect([...language.analyseQuery('What did you recommend?', roles).named]).toEqual(['assistant']);
    for (const q of [
      'Was habe ich gekauft?',
      'Где живёт моя сестра?',
      'ماذا قلت أنا؟',
      '我妹妹叫什么',
      '私の犬の名前は',
      'मैंने क्या खरीदा?',
    ])
      expect([...language.analyseQuery(q, roles).named]).toEqual(['user']);
    for (const q of ['Was hast du empfohlen?', 'Что ты посоветовал?', '你推荐了什么', 'आपने क्या सुझाया?'])
      expect([...language.analyseQuery(q, roles).named]).toEqual(['assistant']);
  });

  it('knows a speaker of another script by the inflected name', () => {
    const named = (q: string, roles: string[]) => [...language.analyseQuery(q, roles).named];
    expect(named('Что строил брат Ивана?', ['Иван', 'Ольга'])).toEqual(['Иван']);
    expect(named('Τι είπε ο Γιώργος στην Ελένη;', ['Ελένη', 'Γιώργος'])).toEqual(['Γιώργος', 'Ελένη']);
    expect(named('健太さんの猫', ['健太', '美咲'])).toEqual(['健太']);
    expect(named('민준이가 산 차', ['서연', '민준'])).toEqual(['민준']);
    expect(named('Who are the Maries?', ['Mary'])).toEqual([]);
  });

  it('knows a speaker where words are not parted by the whole name, or by a part that fits no other', () => {
    const named = (q: string, roles: string[]) => [...language.analyseQuery(q, roles).named];
    expect(named('หมาของสมชายชื่ออะไร', ['มาลี', 'สมชาย'])).toEqual(['สมชาย']);
    expect(named('明天小猫去哪儿', ['小明', '丽华'])).toEqual([]);
    expect(named('小明说了什么', ['王小明', '李丽华'])).toEqual(['王小明']);
    expect(named('小明说了什么', ['王小明', '李小明'])).toEqual([]);
    expect(named('山田さんは何を買った', ['山田太郎', 'Ann 健太'])).toEqual(['山田太郎']);
    expect(named('What did Ann buy?', ['山田太郎', 'Ann 健太'])).toEqual(['Ann 健太']);
  });

  it('drops no content word of another language for being an English function word', () => {
    for (const [q, content] of [
      ['Hvad hedder den by som jeg så?', 'by'],
      ['Bu at ne kadar, kim aldı?', 'at'],
      ['Kde je ten most jak na obrázku?', 'most'],
    ] as const)
      expect([...language.analyseQuery(q, []).stems]).toContain(hash(content));
    expect([...language.analyseQuery('Did Ann see the town of Los Altos?', []).stems]).not.toContain(
      hash('the'),
    );
  });

  it('always has something to look for: a bare name, only function words', () => {
    expect([...language.analyseQuery('Caroline', speakers).stems]).toEqual([hash('caroline')]);
    expect(language.analyseQuery('who is it?', speakers).stems.length).toBeGreaterThan(0);
    expect(language.analyseQuery('?!', speakers).stems.length).toBe(0);
  });

  it('drops no word of another language for looking English', () => {
    const query = language.analyseQuery('was will er so', []);
    expect([...query.stems]).toEqual(['was', 'will', 'er', 'so'].map(hash));
  });

  it('widens words to their neighbours, with less weight', () => {
    const { terms } = language.analyseQuery('Which puppy?', []);
    const weight = (word: string) => terms.find(term => term.stem === hash(word))?.weight ?? 0;
    expect(weight('puppy')).toBe(1);
    expect(weight('dog')).toBeGreaterThan(0.2);
    expect(weight('dog')).toBeLessThan(1);
    expect(weight('economy')).toBe(0);
  });

  it('meets the stems of a document in any script', () => {
    for (const [q, text] of [
      ['北京', '我喜欢北京的春天'],
      ['Байкал', 'мы ездили на озеро Байкал'],
      ['CAFÉ', 'a small cafe'],
      ['paintings', 'she painted'],
    ] as const) {
      const held = new Set(language.analyse(text, said).stems);
      expect([...language.analyseQuery(q, []).stems].every(one => held.has(one))).toBe(true);
    }
  });

  it('stays small for a page of text', () => {
    const page = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' ');
    expect(language.analyseQuery(page, []).stems.length).toBeLessThanOrEqual(48);
  });
});

describe('queryDates', () => {
  it.each([
    ['What happened on 8 May, 2023?', [{ year: 2023, month: 5, day: 8 }]],
    ['in June 2023', [{ year: 2023, month: 6 }]],
    ['on July 4th', [{ month: 7, day: 4 }]],
    ['on 2023-10-03', [{ year: 2023, month: 10, day: 3 }]],
    ['the summer of 2022', [{ year: 2022 }]],
    ['In March, or in December?', [{ month: 3 }, { month: 12 }]],
    ['may I march?', []],
    ['May I ask?', []],
    ['7 cats', []],
    ['Was geschah am 5.1.2026?', [{ year: 2026, month: 1, day: 5 }]],
    ['2026年1月5日はどこにいましたか', [{ year: 2026, month: 1, day: 5 }]],
    ['3월에 뭐 했어?', [{ month: 3 }]],
    ['ماذا حدث في ٢٠٢٦-٠١-٠٥؟', [{ year: 2026, month: 1, day: 5 }]],
    ['version 1.13.2026', [{ year: 2026 }]],
  ])('%s', (q, expected) => {
    expect(JSON.parse(JSON.stringify(queryDates(q)))).toEqual(expected);
  });
});
