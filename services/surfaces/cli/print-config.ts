import { describeConfig, unknownVariables } from '../../../core/config.ts';
import { loadedConfig } from '../client/connection.ts';
import { EXIT, type ExitStatus } from '../client/exit.ts';
import { print, styled, type Terminal, warn } from '../client/terminal.ts';
import { shellWord } from './first-steps.ts';

/** `turnstone config`: a line per variable, as in a shell; throws if the configuration is invalid. */
export const printConfig = (terminal: Terminal): ExitStatus => {
  loadedConfig(terminal);
  for (const { name, text, isDefault } of describeConfig(terminal.environment)) {
    const line = `${name}=${text === '' ? '' : shellWord(text)}`;
    print(terminal, isDefault ? styled(terminal, 'dim', `${line}   # default`) : line);
  }
  for (const name of unknownVariables(terminal.environment)) warn(terminal, `nothing reads ${name}`);
  return EXIT.ok;
};
