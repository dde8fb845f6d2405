import { describe, expect, it } from 'vitest';
import { type Extraction, makeRulesExtractor } from '../../../../domain/extraction/extract.ts';
import { LONG_PARTS, longTexts } from './long-texts.ts';

const extract = makeRulesExtractor();
const SAID = Date.UTC(2024, 4, 15, 18, 30);

/** The same numbers on every run: a failure can be repeated. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS =
  "I I'm my we our you Ada Boris yesterday last next week May 5 2023 and but so, said \"The Harbor\" [shared a photo: ] @x ``` ` - — … . ! ? \n \0 \ud800 \udc00 é 北京 🙂 मैं أعيش ﷽ I’ve don't to in the Lake a.b@c.de https://x.y Dr. St. 's ’s".split(
    ' ',
  );

function expectSound({ observations, entities }: Extraction): void {
  expect(observations.length).toBeLessThanOrEqual(16);
  expect(entities.length).toBeLessThanOrEqual(32);
  for (const { text } of observations) {
    expect(text).toBe(text.trim());
    expect(text.length).toBeLessThanOrEqual(700);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/\?$|\p{Cc}/u);
  }
  for (const { label } of entities) {
    expect(label.trim()).not.toBe('');
    expect(label.isWellFormed()).toBe(true);
  }
}

describe('extraction of any text', () => {
  it('never fails on random words, in any order', () => {
    const random = makeRandom(1);
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: 1 + random(40) }, () => WORDS[random(WORDS.length)]).join(
        random(4) === 0 ? '' : ' ',
      );
      expectSound(extract({ role: 'Ada', text, timestamp: SAID }));
    }
  });

  it('never fails on random code points', () => {
    const random = makeRandom(2);
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: 1 + random(60) }, () =>
        String.fromCodePoint(random(4) === 0 ? random(0x110000) : random(0x500)),
      ).join('');
      expectSound(
        extract({
          role: ['Ada', 'user', '王', '🙂', "O'Hara"][random(5)]!,
          text,
          timestamp: random(2 ** 31) * 2000,
        }),
      );
    }
  });

  it('says the same of the same turn, whatever came between', () => {
    const turn = {
      role: 'Ada',
      text: 'Hey Boris! I sold the boat yesterday, and I bought an iPhone 15 in Bern.',
      timestamp: SAID,
    };
    const first = extract(turn);
    extract({ role: 'user', text: 'My name is Tomas. Yesterday "I AM" @here …', timestamp: 0 });
    expect(extract(turn)).toEqual(first);
    expect(makeRulesExtractor()(turn)).toEqual(first);
    expect(first.observations).not.toEqual([]);
  });

  it('takes a role that every object has as a member for a name', () => {
    const { entities } = extract({ role: 'constructor', text: 'I told you of Lisbon.', timestamp: SAID });
    expect(entities).toEqual([{ label: 'Lisbon', kind: 'place' }]);
  });

  it.each(LONG_PARTS)('is sound for 65,536 characters of %s', (_, part) => {
    for (const text of longTexts(part)) expectSound(extract({ role: 'Ada', text, timestamp: SAID }));
  });
});
