import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../support/processes/command-line.ts';

const script = async (shell: string): Promise<string> => {
  const { status, stdout } = await runCommand(['completion', shell]);
  expect(status).toBe(0);
  return stdout;
};

/** The words that bash would offer for the last one of these. */
const offered = async (...words: string[]): Promise<string[]> => {
  const source = `${await script('bash')}
COMP_WORDS=(turnstone ${words.map(word => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_turnstone
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', source]).toString().split('\n').filter(Boolean);
};

describe('turnstone completion', () => {
  it('offers commands, commands of commands, and the options of the one that is typed', async () => {
    expect(await offered('fac')).toEqual(['facts']);
    expect(await offered('names', 'mer')).toEqual(['merge']);
    expect(await offered('facts', '--user', 'ada', '--at')).toEqual(['--attribute']);
    expect(await offered('names', 'list', '--us')).toEqual(['--user']);
    // A word that is another command's name is none here.
    expect(await offered('facts', 'names', 'mer')).toEqual([]);
    expect(await offered('--ver')).toEqual(['--version']);
  });

  it('is sourced by zsh as by bash, and has a line for each in fish', async () => {
    expect(await script('zsh')).toContain('bashcompinit\n_turnstone() {');
    const fish = await script('fish');
    expect(fish).toContain(
      "complete -c turnstone -n '__fish_seen_subcommand_from names; and __fish_seen_subcommand_from list' -l user -r",
    );
    expect(fish).toMatch(
      /^complete -c turnstone -f -n '__fish_use_subcommand' -a facts -d 'list what holds/m,
    );
  });

  it('knows no other shell', async () => {
    const { status, stderr } = await runCommand(['completion', 'csh']);
    expect(status).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});
