import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../../../../services/surfaces/importers/detect.ts';
import { openArchive } from '../../../../../../services/surfaces/importers/files/archive.ts';
import { readExport, shown, textFile } from '../../../../../support/files/exports.ts';

const rollout = (...all: object[]): string =>
  textFile('rollout-1.jsonl', all.map(one => `${JSON.stringify(one)}\n`).join(''));

const message = (role: string, words: string, type = role === 'user' ? 'input_text' : 'output_text') => ({
  type: 'message',
  role,
  content: [{ type, text: words }],
});
const at = (second: number, type: string, payload: object) => ({
  timestamp: `2026-01-05T09:30:0${second}.000Z`,
  type,
  payload,
});

describe("Codex's sessions", () => {
  it('are what was said, once', async () => {
    const file = rollout(
      at(0, 'session_meta', { id: 'c1', cwd: '/home/ada/app' }),
      at(
        1,
        'response_item',
        message('developer', '<permissions instructions>ask</permissions instructions>'),
      ),
      at(1, 'response_item', message('user', '# AGENTS.md instructions for /home/ada/app\n\nUse tabs.')),
      at(1, 'response_item', message('user', '<environment_context>\n<cwd>/</cwd></environment_context>')),
      at(2, 'response_item', message('user', 'Name the ports.')),
      at(2, 'event_msg', { type: 'user_message', message: 'Name the ports.' }),
      at(2, 'turn_context', { model: 'x' }),
      at(3, 'response_item', { type: 'reasoning', summary: [] }),
      at(3, 'response_item', { type: 'function_call', name: 'shell', arguments: '{}' }),
      at(4, 'response_item', { type: 'function_call_output', output: '8080' }),
      at(5, 'response_item', message('assistant', 'The service has 8080.')),
    );
    expect(await detectFormat(await openArchive(file))).toBe('codex');
    const reading = await readExport(file, 'codex');
    expect(shown(reading)).toEqual([
      'codex-c1 user 2026-01-05T09:30:02.000Z Name the ports.',
      'codex-c1 assistant 2026-01-05T09:30:05.000Z The service has 8080.',
    ]);
    expect(reading.turns[0]!.title).toBe('Name the ports.');
    expect(reading.leftOut).toEqual({
      'system messages': 1,
      'instructions and context that Codex adds': 2,
      "the assistant's reasoning": 1,
      'calls of tools and their results': 2,
    });
  });

  it('of before 2025-09 have one time, and their messages stay apart', async () => {
    const file = rollout(
      { id: 'c0', timestamp: '2025-07-01T10:00:00.000Z', instructions: null },
      { record_type: 'state' },
      message('user', 'yes'),
      message('assistant', 'Sure?'),
      message('user', 'yes'),
    );
    expect(await detectFormat(await openArchive(file))).toBe('codex');
    expect(shown(await readExport(file, 'codex'))).toEqual([
      'codex-c0 user 2025-07-01T10:00:00.002Z yes',
      'codex-c0 assistant 2025-07-01T10:00:00.003Z Sure?',
      'codex-c0 user 2025-07-01T10:00:00.004Z yes',
    ]);
  });

  it('of a resumed session belong to the one that goes on, not to the one that is repeated', async () => {
    const reading = await readExport(
      rollout(
        at(0, 'session_meta', { id: 'new' }),
        at(0, 'session_meta', { id: 'old' }),
        at(1, 'response_item', message('user', 'go on')),
      ),
      'codex',
    );
    expect(reading.turns.map(({ session }) => session)).toEqual(['codex-new']);
  });

  it('without a beginning are told as such', async () => {
    const { turns, faults } = await readExport(
      rollout(at(1, 'response_item', message('user', 'a'))),
      'codex',
    );
    expect({ turns, faults }).toEqual({
      turns: [],
      faults: [['line 1', 'comes before the line that names the session and its time']],
    });
  });
});
