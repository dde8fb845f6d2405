import { describe, expect, it } from 'vitest';
import { evidenceIds, parseLocomo, sessionTime } from '../../../../tools/evaluation/datasets/locomo.ts';
import { fitListwise } from '../../../../tools/evaluation/fit/listwise.ts';
import { fitLogistic, predict } from '../../../../tools/evaluation/fit/logistic.ts';
import {
  auroc,
  brier,
  ece,
  percentile,
  questionMetrics,
} from '../../../../tools/evaluation/measure/metrics.ts';

describe('the LoCoMo format', () => {
  it('reads the times of sessions', () => {
    expect(sessionTime('1:56 pm on 8 May, 2023')).toBe(Date.UTC(2023, 4, 8, 13, 56));
    expect(sessionTime('12:09 am on 13 September, 2023')).toBe(Date.UTC(2023, 8, 13, 0, 9));
    expect(sessionTime('12:30 pm on 1 January, 2024')).toBe(Date.UTC(2024, 0, 1, 12, 30));
    expect(() => sessionTime('yesterday')).toThrow();
  });

  it('mends evidence ids and drops what does not exist', () => {
    const known = new Set(['D8:6', 'D9:17', 'D30:5', 'D1:10']);
    expect(evidenceIds(['D8:6; D9:17'], known)).toEqual(['D8:6', 'D9:17']);
    expect(evidenceIds(['D30:05', 'D:11:26', 'D', 'D99:1', 'D8:6,D1:10 D8:6'], known)).toEqual([
      'D30:5',
      'D8:6',
      'D1:10',
    ]);
  });

  it('renders turns with their photos, in the order of sessions, and never shows `query`', () => {
    const turn = (id: string, text: string, extra = {}) => ({
      speaker: 'A',
      dia_id: id,
      text,
      query: 'secret',
      ...extra,
    });
    const conversation = {
      speaker_a: 'A',
      session_10: [turn('D10:1', 'late')],
      session_10_date_time: '1:00 pm on 9 May, 2023',
      session_2: [turn('D2:1', 'look', { blip_caption: 'a cat' }), turn('D2:2', 'nice')],
      session_2_date_time: '1:00 pm on 8 May, 2023',
      session_3_date_time: '1:00 pm on 8 June, 2023',
    };
    const qa = [
      { question: 'q', category: 1, evidence: ['D2:01'] },
      { question: 'p', category: 5 },
    ];
    const [parsed] = parseLocomo(JSON.stringify([{ sample_id: 'c', conversation, qa }]));
    expect(parsed!.sessions.map(session => session.id)).toEqual(['session_2', 'session_10']);
    expect(parsed!.sessions[0]!.turns).toEqual([
      {
        diaId: 'D2:1',
        speaker: 'A',
        text: 'look [shared a photo: a cat]',
        timestamp: Date.UTC(2023, 4, 8, 13),
      },
      { diaId: 'D2:2', speaker: 'A', text: 'nice', timestamp: Date.UTC(2023, 4, 8, 13, 0, 1) },
    ]);
    expect(parsed!.questions.map(question => question.evidence)).toEqual([['D2:1'], []]);
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });
});

describe('metrics', () => {
  it('count evidence among the first k places', () => {
    const metrics = questionMetrics(
      [['a'], [], ['b', 'c'], ...Array.from({ length: 10 }, () => []), ['d']],
      ['a', 'c', 'd', 'z'],
    );
    expect(metrics.recallAt5).toBe(0.5);
    expect(metrics.recallAt15).toBe(0.75);
    expect(metrics.allAt10).toBe(0);
    expect(questionMetrics([['a']], ['a'])).toMatchObject({ recallAt5: 1, allAt10: 1, ndcgAt10: 1 });
    expect(questionMetrics([['x'], ['a']], ['a']).ndcgAt10).toBeCloseTo(1 / Math.log2(3));
  });

  it('judge how well probabilities order and fit', () => {
    expect(auroc([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0])).toBe(1);
    expect(auroc([0.5, 0.5], [1, 0])).toBe(0.5);
    expect(brier([1, 0], [1, 1])).toBe(0.5);
    expect(ece([0.75, 0.75, 0.75, 0.75], [1, 1, 1, 0])).toBe(0);
    expect(ece([0.95, 0.95], [1, 0])).toBeCloseTo(0.45);
    expect(percentile([3, 1, 2, 4], 0.5)).toBe(2);
  });
});

describe('the fits', () => {
  it('find a plane that parts labels', () => {
    const rows = Array.from({ length: 200 }, (_, i) => [i % 20, (i * 7) % 13]);
    const labels = rows.map(([a, b]) => (a! > b! ? 1 : 0));
    const model = fitLogistic(rows, labels, { ridge: 1e-4 });
    expect(predict(model, [18, 2])).toBeGreaterThan(0.9);
    expect(predict(model, [2, 12])).toBeLessThan(0.1);
  });

  it('weigh the feature that finds evidence, the same every time', () => {
    const groups = Array.from({ length: 20 }, (_, g) => {
      const rows = new Float32Array(30);
      for (let r = 0; r < 10; r++) rows.set([r === 0 ? 1 : 0.2, ((g + r) * 3) % 7, 1], r * 3);
      return { rows, positives: 1 };
    });
    const weights = fitListwise(groups, 3);
    expect(weights[0]).toBeGreaterThan(5 * Math.abs(weights[1]!));
    expect(weights[2]).toBe(0);
    expect(fitListwise(groups, 3)).toEqual(weights);
  });

  it('keep to what they are bound to', () => {
    // The first feature finds evidence, the second speaks against it, the third is the first, but weaker.
    const groups = Array.from({ length: 20 }, (_, g) => {
      const rows = new Float32Array(30);
      for (let r = 0; r < 10; r++)
        rows.set([r === 0 ? 1 : 0.2, r === 0 ? 0 : 1 + (g % 2), ((r + g) % 5) + (r === 0 ? 3 : 0)], r * 3);
      return { rows, positives: 1 };
    });
    const free = fitListwise(groups, 3);
    expect(free[1]).toBeLessThan(0);
    const least = [0, 0, 0.5];
    const bound = fitListwise(groups, 3, { constraints: { least, caps: [{ of: [0], under: [2] }] } });
    expect(bound[1]).toBe(0);
    expect(bound[0]).toBeLessThanOrEqual(bound[2]! + 1e-6);
    expect(bound[2]).toBeGreaterThanOrEqual(0.5);
  });
});
