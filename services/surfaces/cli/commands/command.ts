import type { Command } from 'commander';
import type { Terminal } from '../../client/terminal.ts';

/** Reports the exit status of the command that ran. */
export type Finish = (status: number) => void;

/**
 * Declares a command and its options. Its action imports what it needs only when it runs, so that `turnstone
 * --help` answers without loading the service.
 */
export type AddCommand = (program: Command, terminal: Terminal, finish: Finish) => void;

export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}\n`;
