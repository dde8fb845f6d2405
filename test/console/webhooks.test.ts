import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/http/webhook-receiver.ts';
import { describeInBrowser } from './support/chromium.ts';
import { expectSound, LOOKS } from './support/looks.ts';
import { signIn, startWorld, type World } from './support/world.ts';

/** A state is recorded at most every 15 s. */
const SOON = { timeout: 40_000, interval: 500 };

describeInBrowser('the webhooks', () => {
  let world: World;
  let receiver: Receiver;
  let turns = 0;
  beforeAll(async () => {
    receiver = await startReceiver();
    world = await startWorld({ environment: { TURNSTONE_WEBHOOKS_PRIVATE: 'yes' } });
  });
  afterAll(async () => {
    await world?.close();
    await receiver?.close();
  });

  const say = (): Promise<unknown> =>
    world.ask('/ingestion/memory', {
      scope: { org_id: 'local', user_id: 'ada', session_id: `s${turns}` },
      turns: [{ role: 'user', text: `I counted to ${turns++}.`, timestamp: new Date().toISOString() }],
    });

  it.each(LOOKS)('are made, followed, tried again and deleted (%s)', async (look, how) => {
    const tab = await world.signedIn('/webhooks', how);
    const { page } = tab;
    await page.getByText('There is none yet.').waitFor();
    await expectSound(tab, `no-webhooks-${look}`);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('A webhook needs an event.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('webhook-url');

    await page.getByRole('textbox', { name: /^Address/ }).fill('ftp://example.com/');
    await page.getByRole('checkbox', { name: /^turn/ }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Address must be an address with http or https.').waitFor();
    const address = `${receiver.url}?${look}`;
    await page.getByRole('textbox', { name: /^Address/ }).fill(address);
    await page.getByRole('textbox', { name: /^User/ }).fill('ada');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'The webhook was created' }).waitFor();
    const secret = await page.getByLabel('Secret of the webhook').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await expectSound(tab, `new-webhook-${look}`);
    const kept = await page.evaluate(
      () => location.href + JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(kept).not.toContain(secret);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(secret);

    receiver.answer = () => 503;
    await say();
    const row = page.getByRole('listitem').filter({ hasText: address });
    const refresh = page.getByRole('button', { name: 'Refresh the webhooks' });
    await expect
      .poll(async () => {
        await refresh.click();
        return row.getByText('retrying', { exact: true }).count();
      }, SOON)
      .toBe(1);
    expect(await row.textContent()).toContain('For' + 'ada');
    await row.getByText(/^Every attempt has failed since .* UTC\./).waitFor();
    await page.getByRole('link', { name: `Deliveries of ${address}` }).click();
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByText('503: not accepted').first().waitFor();
    expect(new URL(page.url()).searchParams.get('deliveries')).toMatch(/^whk_/);
    await expectSound(tab, `retrying-webhook-${look}`);

    receiver.answer = () => 410;
    await page.getByRole('button', { name: `Try again now: ${address}` }).click();
    await expect
      .poll(async () => {
        await refresh.click();
        return row.getByText('its receiver answered 410, gone').count();
      }, SOON)
      .toBe(1);
    await expectSound(tab, `paused-webhook-${look}`);
    receiver.answer = () => 200;
    await page.getByRole('button', { name: `Resume: ${address}` }).click();
    await page.getByText(`${address} was resumed: it goes on from where it stopped.`).waitFor();
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh the deliveries' }).click();
        return attempts.getByText('accepted with 200').count();
      }, SOON)
      .toBe(1);
    await page.goBack();
    await attempts.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: `Delete ${address}` }).click();
    await expectSound(tab, `delete-webhook-${look}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Delete ${address}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`${address} was deleted.`).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('webhooks-of');
    await page.getByText('There is none yet.').waitFor();
    await tab.close();
  });

  it('of an address that leads to none say so', async () => {
    const tab = await world.signedIn('/webhooks?deliveries=whk_unknown');
    await tab.page.getByRole('heading', { name: 'Last deliveries of whk_unknown' }).waitFor();
    await tab.page.getByText('Not found').waitFor();
    await expectSound(tab, 'unknown-webhook');
    await tab.close();
  });

  it('are closed to a key without the role', async () => {
    const { body } = await world.ask<{ api_key: string }>('/me/api-keys', {
      name: 'reads',
      roles: ['memory:read'],
    });
    const tab = await world.browser.open(`${world.server.url}/console/webhooks`);
    await signIn(tab, body.api_key);
    await tab.page
      .getByText("This key can't see or create webhooks; it needs the role keys:manage.")
      .waitFor();
    await tab.close();
  });
});
