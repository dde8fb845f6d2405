/** The last key of an organization is revoked: an operator gets in again. Shared by both modes. */
import { expect } from 'vitest';
import { connect, expectStatus } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';

export const lostKey = async (
  url: string,
  apiKey: string,
  org: string,
  environment: Record<string, string>,
) => {
  const owner = await connect({ url, apiKey });
  await owner.ingest({
    turns: [{ role: 'user', text: 'The kettle is blue.', timestamp: '2026-01-05T09:30:00Z' }],
  });
  const { api_keys } = expectStatus(
    await owner.request<{ api_keys: { id: string }[] }>('GET', '/me/api-keys'),
    200,
  );
  for (const { id } of api_keys.toReversed()) await owner.request('DELETE', `/me/api-keys/${id}`);
  await expect(connect({ url, apiKey })).rejects.toThrow('403');

  const recovered = await runCommand(['keys', 'recover', '--org', org], environment);
  expect(recovered).toMatchObject({ status: 0, stderr: '' });
  const found = /^API key: (\S+)$/m.exec(recovered.stdout)![1]!;
  const again = await connect({ url, apiKey: found });
  expect((await again.recall({ q: 'What is blue?' })).hits.turns).toHaveLength(1);
  const unknown = await runCommand(['keys', 'recover', '--org', 'nobody'], environment);
  expect(unknown).toMatchObject({ status: 1, stdout: '' });
  return found;
};
