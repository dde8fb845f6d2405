import { describe, expect, it } from 'vitest';
import { readEndings, type Story, tellEnding } from '../../../../../tools/evaluation/facts/endings.ts';

const change = (lines: string[], now: string[], gone: string[]): Story => ({
  kind: 'change',
  of: 'home',
  lines,
  now,
  gone,
});

describe('a story of an ending', () => {
  it('is right, stale, only ended, or about what nobody knew', () => {
    const [lyon, porto] = ['I live in Lyon.', 'I moved to Porto.'];
    expect(tellEnding(change([lyon, porto], ['Porto'], ['Lyon']))).toBe('right');
    expect(tellEnding(change([lyon, 'Boxes!'], ['Porto'], ['Lyon']))).toBe('stale');
    expect(tellEnding(change(['I work at Acme.', 'I quit my job.'], [], ['Acme']))).toBe('right');
    expect(tellEnding(change(['I work at Acme.', 'I quit my job.'], ['Globex'], ['Acme']))).toBe('ended');
    expect(tellEnding(change(['Hello.', 'Bye.'], ['Porto'], ['Lyon']))).toBe('unknown');
    expect(tellEnding(change(['Hello.', 'Bye.'], [], ['Lyon']))).toBe('unknown');
  });

  it('keeps what only seems to end, or loses it', () => {
    const keep = (last: string): Story => ({
      kind: 'keep',
      of: 'employer',
      lines: ['I work at Acme.', last],
      now: ['Acme'],
      gone: [],
    });
    expect(tellEnding(keep('Acme is stressful.'))).toBe('right');
    expect(tellEnding(keep('I quit my job.'))).toBe('lost');
  });

  it('is read of every author, whole', () => {
    const all = [...readEndings().values()].flat();
    expect(all).toHaveLength(840);
    for (const { kind, lines, now, gone } of all) {
      expect(lines.length).toBeGreaterThan(1);
      expect(kind === 'keep' ? now.length : gone.length).toBeGreaterThan(0);
    }
  });
});
