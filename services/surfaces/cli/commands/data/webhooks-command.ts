import { MOST_URL, WEBHOOK_EVENTS } from '../../../../../schemas/webhooks.ts';
import type { NewWebhookOptions } from '../../webhooks.ts';
import { type AddCommand, examples } from '../command.ts';
import { id, listOf, textTo } from '../option-values.ts';

const ID = 'as `webhooks list` prints it';

export const addWebhooks: AddCommand = (program, terminal, finish) => {
  const calls = () => import('../../webhooks.ts');
  const webhooks = program
    .command('webhooks')
    .description('addresses that are told of what is stored, erased or nearly used up');
  webhooks
    .command('list')
    .description('list the webhooks, without their secrets')
    .option('--json', 'print JSON')
    .action(async options => finish(await (await calls()).listWebhooks(terminal, options)));
  webhooks
    .command('create')
    .description('create a webhook; the secret that signs its messages is printed once')
    .argument('<url>', 'an https address', textTo(MOST_URL))
    .option('--events <events>', `any of ${WEBHOOK_EVENTS.join(',')}`, listOf(WEBHOOK_EVENTS), [
      'turn',
      'fact',
    ])
    .option('--user <id>', "only this user's; default: all that the key in use may see", id)
    .addHelpText(
      'after',
      examples(
        'turnstone webhooks create https://example.com/turnstone',
        'turnstone webhooks create https://example.com/turnstone --events turn,erased --user ada',
      ),
    )
    .action(async (url: string, options: NewWebhookOptions) =>
      finish(await (await calls()).createWebhook(terminal, url, options)),
    );
  webhooks
    .command('deliveries')
    .description('list the last attempts of a webhook, newest first (UTC)')
    .argument('<id>', ID)
    .option('--json', 'print JSON')
    .action(async (webhook: string, options: { json?: boolean }) =>
      finish(await (await calls()).listDeliveries(terminal, webhook, options)),
    );
  webhooks
    .command('resume')
    .description('go on from where a paused webhook stopped, with the rights of the key in use')
    .argument('<id>', ID)
    .action(async (webhook: string) => finish(await (await calls()).resumeWebhook(terminal, webhook)));
  webhooks
    .command('delete')
    .description('delete a webhook')
    .argument('<id>', ID)
    .action(async (webhook: string) => finish(await (await calls()).deleteWebhook(terminal, webhook)));
};
