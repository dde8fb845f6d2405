import { describe, expect, it } from 'vitest';
import { embeddedParts, embeddedTexts } from '../../../../domain/search/embedded-parts.ts';
import { comparedWith, joinedVectors, quantised, turnVectors } from '../../../../domain/search/vectors.ts';

describe('a vector as bytes', () => {
  it('keeps the direction, whatever the length', () => {
    expect(quantised([0.1, -0.05, 0])).toEqual(Int8Array.of(127, -63, 0));
    expect(quantised([1e300, -1e300])).toEqual(Int8Array.of(127, -127));
    expect(quantised([1e-300, 0])).toEqual(Int8Array.of(127, 0));
  });

  it.each([
    [[]],
    [[0, 0]],
    [[Number.NaN]],
    [[Number.POSITIVE_INFINITY]],
    [['1']],
    [new Array(8_193).fill(1)],
    ['AAAA'],
    [undefined],
  ])('is none of %j', values => {
    expect(quantised(values)).toBeUndefined();
  });

  it('says how near the nearest part of a turn is', () => {
    const query = Int8Array.of(127, 0);
    const turn = joinedVectors(turnVectors(query, [Int8Array.of(0, 127), Int8Array.of(3, 4)]));
    const nearest = comparedWith(query)(turn)!;
    expect(nearest.cosine).toBeCloseTo(0.6, 6);
    expect(nearest.inContext).toEqual(query);
    expect(comparedWith(query)(joinedVectors(turnVectors(undefined, [Int8Array.of(-5, 0)])))).toEqual({
      cosine: expect.closeTo(-1, 6),
      inContext: Int8Array.of(-5, 0),
    });
  });

  it('says nothing of vectors of another length, or of none', () => {
    expect(comparedWith(Int8Array.of(1, 2))(Uint8Array.of(1, 2, 3))).toBeUndefined();
    expect(comparedWith(Int8Array.of(1, 2))(new Uint8Array())).toBeUndefined();
  });
});

describe('the texts of a turn', () => {
  const [asked, answer] = [
    { role: 'Ada', text: 'How long have you lived there?' },
    { role: 'Ben', text: ' Since May. ' },
  ];
  const long = { role: 'Ben', text: 'It rained for days. '.repeat(30).trim() };

  it('are a short one with the short one before it, then alone', () => {
    expect(embeddedTexts(answer, asked)).toEqual({
      inContext: 'Ada: How long have you lived there?\nBen: Since May.',
      parts: ['Since May.'],
    });
  });

  it('are its own words where it, or the one before it, is long or not there', () => {
    const alone = (...parts: string[]) => ({ inContext: undefined, parts });
    expect(embeddedTexts(answer)).toEqual(alone('Since May.'));
    expect(embeddedTexts(answer, long)).toEqual(alone('Since May.'));
    expect(embeddedTexts(long, asked)).toEqual(alone(long.text));
    expect(embeddedTexts({ role: 'Ben', text: ' ' }, asked)).toEqual(alone());
  });
});

describe('the parts of a turn', () => {
  const joined = (parts: readonly string[]) => parts.join('').replace(/\s/g, '');

  it('is a short turn itself, and none of an empty one', () => {
    expect(embeddedParts(' A dog. ')).toEqual(['A dog.']);
    expect(embeddedParts(' \n ')).toEqual([]);
  });

  it('end with a paragraph before they end with a sentence, and with that before a word', () => {
    const paragraph = `${'It rains. '.repeat(80)}`.trim();
    expect(embeddedParts(`${paragraph}\n\n${paragraph}`)).toEqual([paragraph, paragraph]);
    const [first] = embeddedParts('It rains a lot. '.repeat(200));
    expect(first).toMatch(/It rains a lot\.$/);
    expect(first!.length).toBeGreaterThan(1_400);
    for (const part of embeddedParts('rain '.repeat(1_000))) expect(part).toMatch(/^rain.*rain$/);
  });

  it.each([
    'rain '.repeat(2_000),
    'x'.repeat(10_000),
    '𝒳'.repeat(5_000),
    `a${'𝒳'.repeat(5_000)}`,
    '今日は雨です。'.repeat(1_000),
  ])('are all of it, and none is longer than a model reads', text => {
    const parts = embeddedParts(text);
    expect(joined(parts)).toBe(joined([text]));
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(1_500);
      expect(part.isWellFormed()).toBe(true);
    }
  });
});
