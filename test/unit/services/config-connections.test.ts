import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeConfig, readConfig, unknownVariables } from '../../../core/config.ts';
import { type Certificates, makeCertificates } from '../../support/engines/certificates.ts';

let folder: string;
let certificates: Certificates;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnstone-config-'));
  certificates = makeCertificates();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const engines = {
  TURNSTONE_MODE: 'cluster',
  TURNSTONE_KAFKA_BROKERS: 'one:9092',
  TURNSTONE_ELASTICSEARCH_URL: 'https://search:9200',
  TURNSTONE_CLICKHOUSE_URL: 'http://clickhouse:8123',
  TURNSTONE_REDIS_URL: 'redis://redis:6379',
  TURNSTONE_INSTALLATION_KEY: import.meta.filename,
  TURNSTONE_SIGNING_KEYS: import.meta.filename,
};
const read = (changes: Record<string, string>) => readConfig({ ...engines, ...changes });
const faultsOf = (changes: Record<string, string>): string[] => {
  const outcome = read(changes);
  return outcome.ok ? [] : outcome.faults;
};
const fileOf = (text: string): string => {
  const file = join(folder, `secret-${Math.random()}`);
  writeFileSync(file, text);
  return file;
};

describe('a secret', () => {
  const SECRETS = [
    'TURNSTONE_LLM_API_KEY',
    'TURNSTONE_METRICS_TOKEN',
    'TURNSTONE_KAFKA_PASSWORD',
    'TURNSTONE_ELASTICSEARCH_URL',
    'TURNSTONE_ELASTICSEARCH_API_KEY',
    'TURNSTONE_ELASTICSEARCH_PASSWORD',
    'TURNSTONE_CLICKHOUSE_URL',
    'TURNSTONE_CLICKHOUSE_PASSWORD',
    'TURNSTONE_REDIS_URL',
    'TURNSTONE_REDIS_PASSWORD',
    'TURNSTONE_REDIS_SENTINEL_PASSWORD',
  ];

  it.each(SECRETS)('may be in a file: %s', name => {
    const file = fileOf('https://hunter2@example.org\n');
    const environment = { [`${name}_FILE`]: file };
    expect(unknownVariables(environment)).toEqual([]);
    expect(describeConfig(environment)).toContainEqual({
      name: `${name}_FILE`,
      text: file,
      isDefault: false,
    });
    expect(JSON.stringify(describeConfig(environment))).not.toContain('hunter2');
  });

  it('is read from its file, without the end of the line', () => {
    const outcome = read({
      TURNSTONE_ELASTICSEARCH_URL: '',
      TURNSTONE_ELASTICSEARCH_URL_FILE: fileOf('https://elastic:pass@one:9200,https://two:9200\n'),
      TURNSTONE_REDIS_PASSWORD_FILE: fileOf(' p@ss word \r\n'),
    });
    expect(outcome.ok && outcome.config.cluster).toMatchObject({
      elasticsearchUrl: 'https://elastic:pass@one:9200,https://two:9200',
      redis: { password: ' p@ss word ' },
    });
  });

  it('is in one place, and its file is there and not empty', () => {
    const name = 'TURNSTONE_CLICKHOUSE_PASSWORD';
    expect(faultsOf({ [name]: 'a', [`${name}_FILE`]: fileOf('b') })).toEqual([
      `only one of ${name} and ${name}_FILE may be set`,
    ]);
    expect(faultsOf({ [`${name}_FILE`]: '/nowhere/secret' })).toEqual([
      `${name}_FILE must be a readable file (it is "/nowhere/secret")`,
    ]);
    expect(faultsOf({ [`${name}_FILE`]: fileOf('\n') })).toEqual([`${name}_FILE names an empty file`]);
    const [fault] = faultsOf({ [`${name}_FILE`]: fileOf('hunter2\nsecond line') });
    expect(fault).toBe(`${name} must be one line of text (it is "(set)")`);
  });

  it.each([
    ['redis://:hunter2@redis:6379/0', 'redis://:***@redis:6379/0'],
    ['redis://user:hunter2@redis', 'redis://user:***@redis'],
    ['redis://hunter2@redis', 'redis://***@redis'],
    ['redis://user:hun@ter/2@redis', 'redis://user:***@redis'],
    ['redis://redis?password=hunter2', 'redis://redis?***'],
    ['redis://redis#hunter2', 'redis://redis'],
    ['redis://a:hunter2@one,redis://b:hunter2@two', 'redis://a:***@one,redis://b:***@two'],
  ])('in a URL is not printed: %s', (text, printed) => {
    const line = describeConfig({ TURNSTONE_REDIS_URL: text }).find(
      ({ name }) => name === 'TURNSTONE_REDIS_URL',
    );
    expect(line!.text).toBe(printed);
  });

  it('is not in a fault', () => {
    const faults = faultsOf({
      TURNSTONE_REDIS_URL: 'http://user:hunter2@redis?token=hunter2',
      TURNSTONE_CLICKHOUSE_URL: 'hunter2',
    });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });
});

describe("the engines' connections", () => {
  it('are as given', () => {
    const outcome = read({
      TURNSTONE_KAFKA_TLS: 'yes',
      TURNSTONE_KAFKA_CA: certificates.ca,
      TURNSTONE_KAFKA_CERT: certificates.clientCert,
      TURNSTONE_KAFKA_KEY: certificates.clientKey,
      TURNSTONE_KAFKA_SASL: 'scram-sha-512',
      TURNSTONE_KAFKA_USER: 'turnstone',
      TURNSTONE_KAFKA_PASSWORD: 'secret',
      TURNSTONE_REDIS_URL: 'redis://one:26379, redis://two:26379',
      TURNSTONE_REDIS_PRIMARY: 'main',
    });
    expect(outcome.ok && outcome.config.cluster).toMatchObject({
      kafka: {
        tls: true,
        ca: expect.stringContaining('BEGIN CERTIFICATE'),
        key: expect.stringContaining('PRIVATE KEY'),
        sasl: 'scram-sha-512',
      },
      redis: { primary: 'main' },
    });
  });

  it('are those of some servers of a Redis Cluster, or of one', () => {
    for (const url of ['redis://one:7000, redis://two:7000/', 'redis://cluster/0']) {
      const outcome = read({ TURNSTONE_REDIS_URL: url, TURNSTONE_REDIS_CLUSTER: 'yes' });
      expect(outcome.ok && outcome.config.cluster!.redis.cluster).toBe(true);
    }
  });

  it.each([
    [
      { TURNSTONE_KAFKA_SASL: 'plain' },
      ['TURNSTONE_KAFKA_USER must be set', 'TURNSTONE_KAFKA_PASSWORD must be set'],
    ],
    [
      { TURNSTONE_KAFKA_SASL: 'oauthbearer', TURNSTONE_KAFKA_USER: 'a', TURNSTONE_KAFKA_PASSWORD: 'b' },
      ['TURNSTONE_KAFKA_TOKEN_URL must be set'],
    ],
    [{ TURNSTONE_KAFKA_USER: 'a' }, ['TURNSTONE_KAFKA_SASL must be set']],
    [{ TURNSTONE_KAFKA_SASL: 'gssapi' }, ['TURNSTONE_KAFKA_SASL must be one of none, plain']],
    [
      { TURNSTONE_ELASTICSEARCH_API_KEY: 'a', TURNSTONE_ELASTICSEARCH_USER: 'b' },
      ['only one of TURNSTONE_ELASTICSEARCH_API_KEY and TURNSTONE_ELASTICSEARCH_USER'],
    ],
    [
      { TURNSTONE_REDIS_URL: 'redis://a,redis://b' },
      ['TURNSTONE_REDIS_URL may name several servers only for Sentinels'],
    ],
    [
      { TURNSTONE_REDIS_CLUSTER: 'yes', TURNSTONE_REDIS_PRIMARY: 'main' },
      ['only one of TURNSTONE_REDIS_PRIMARY and TURNSTONE_REDIS_CLUSTER=yes'],
    ],
    [
      { TURNSTONE_REDIS_CLUSTER: 'yes', TURNSTONE_REDIS_URL: 'redis://a/0,redis://b/1' },
      ['TURNSTONE_REDIS_URL must not name a database'],
    ],
    [{ TURNSTONE_REDIS_CLUSTER: 'true' }, ['TURNSTONE_REDIS_CLUSTER must be one of no, yes']],
    [{ TURNSTONE_REDIS_URL: 'redis://a,rediss://b' }, ['TURNSTONE_REDIS_URL must be a redis or rediss URL']],
    [{ TURNSTONE_REDIS_SENTINEL_PASSWORD: 'a' }, ['TURNSTONE_REDIS_PRIMARY must be set']],
    [
      { TURNSTONE_ELASTICSEARCH_URL: 'https://a,http://b' },
      ['TURNSTONE_ELASTICSEARCH_URL must be an http or https URL'],
    ],
    [
      { TURNSTONE_ELASTICSEARCH_CA: import.meta.filename },
      ['TURNSTONE_ELASTICSEARCH_CA must be a file of PEM certificates'],
    ],
  ] as [Record<string, string>, string[]][])(
    'that do not fit together are refused: %j',
    (changes, faults) => {
      expect(faultsOf(changes)).toEqual(faults.map(fault => expect.stringContaining(fault)));
    },
  );

  it('with an authority are encrypted, or refused', () => {
    const { ca, clientCert } = certificates;
    expect(faultsOf({ TURNSTONE_KAFKA_CA: ca })).toEqual([
      'TURNSTONE_KAFKA_CA needs an encrypted connection: set TURNSTONE_KAFKA_TLS=yes',
    ]);
    expect(faultsOf({ TURNSTONE_CLICKHOUSE_CA: ca })[0]).toContain('use an https:// URL');
    expect(faultsOf({ TURNSTONE_REDIS_CA: ca })[0]).toContain('use rediss:// URLs');
    expect(faultsOf({ TURNSTONE_ELASTICSEARCH_CA: ca })).toEqual([]);
    expect(faultsOf({ TURNSTONE_KAFKA_TLS: 'yes', TURNSTONE_KAFKA_CERT: clientCert })).toEqual([
      'TURNSTONE_KAFKA_CERT and TURNSTONE_KAFKA_KEY must be set together',
    ]);
  });
});
