import { Argument, type Command } from 'commander';
import { SCREEN_CHOICES, type ScreenChoice } from '../../../../../schemas/screening.ts';
import type { LimitOptions } from '../../operator/organizations.ts';
import { type AddCommand, examples } from '../command.ts';
import { wholeNumber } from '../option-values.ts';

export const addOrganizations: AddCommand = (program, terminal, finish) => {
  const orgs = program
    .command('orgs')
    .description('manage organizations (for operators), with or without running servers');
  orgs
    .command('create')
    .description('create an organization and its first key, even where sign-up is closed')
    .argument('<org>', 'its id')
    .action(async (org: string) =>
      finish(await (await import('../../operator/organizations.ts')).createOrganization(terminal, org)),
    );
  orgs
    .command('list')
    .description('list the organizations with their caps')
    .option('--json', 'print JSON')
    .action(async options =>
      finish(await (await import('../../operator/organizations.ts')).listOrganizations(terminal, options)),
    );
  orgs
    .command('set-limits')
    .description('set the caps of an organization; takes effect at once')
    .argument('<org>', 'the organization')
    .option('--tokens-in <n>', 'tokens in per UTC day; 0: no cap', wholeNumber)
    .option('--tokens-out <n>', 'tokens out per UTC day; 0: no cap', wholeNumber)
    .option('--names <n>', 'titles and names a day, which are not billed; 0: no cap', wholeNumber)
    .option('--retractions <n>', 'retractions a day; 0: no cap', wholeNumber)
    .option('--erasures <n>', 'erasures a day; 0: no cap', wholeNumber)
    .option(
      '--expiries <percent>',
      'the share of its sessions that may be destroyed a day because all of them has expired; 0: any',
      wholeNumber,
    )
    .addHelpText('after', examples('turnstone orgs set-limits local --tokens-in 50000000 --tokens-out 0'))
    .action(async (org: string, options: LimitOptions, command: Command) => {
      if (Object.keys(options).length === 0)
        command.error(
          'error: give --tokens-in, --tokens-out, --names, --retractions, --erasures or --expiries',
        );
      finish(await (await import('../../operator/organizations.ts')).setLimits(terminal, org, options));
    });
  orgs
    .command('set-retention')
    .description('set how long an organization keeps what has no expiry of its own; in force 24 hours later')
    .argument('<org>', 'the organization')
    .option('--days <n>', 'days from when it was recorded, 1 to 36500', wholeNumber)
    .option('--forever', 'keep it for ever')
    .addHelpText('after', examples('turnstone orgs set-retention local --days 365'))
    .action(async (org: string, options: { days?: number; forever?: true }, command: Command) => {
      if ((options.days === undefined) !== (options.forever === true))
        command.error('error: give either --days or --forever');
      finish(await (await import('../../operator/organizations.ts')).setRetention(terminal, org, options));
    });
  orgs
    .command('set-screening')
    .description('set what of an organization is screened before it is stored; takes effect at once')
    .argument('<org>', 'the organization')
    .addArgument(
      new Argument(
        '<screen>',
        '`secrets` replaces keys, tokens, passwords and numbers of cards; `default`: what TURNSTONE_SCREEN says',
      ).choices(SCREEN_CHOICES),
    )
    .addHelpText('after', examples('turnstone orgs set-screening local secrets'))
    .action(async (org: string, screen: ScreenChoice) => {
      const { setScreening } = await import('../../operator/organizations.ts');
      finish(await setScreening(terminal, org, screen));
    });
};
