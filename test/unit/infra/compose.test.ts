import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../core/config.ts';
import { temporaryFolder } from '../../support/processes/server.ts';

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { disable?: boolean; test?: string[] };
  mem_limit?: string;
  network_mode?: string;
  networks?: string[];
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
}

const INFRA = new URL('../../../infra/', import.meta.url).pathname;
const ENGINES = ['kafka', 'elasticsearch', 'clickhouse', 'redis'];
const ROLES = ['api', 'projector', 'enricher', 'migrate'];

const text = readFileSync(join(INFRA, 'compose.yaml'), 'utf8');
const { services, networks } = load(text) as Compose;
const serviceOf = (name: string): Service => services[name]!;
const networksOf = (name: string): string[] => serviceOf(name).networks ?? [];

/** The reference that stops compose where the password isn't set. */
const needed = (name: string): string => `\${${name}:?run infra/compose-passwords.sh first}`;

/** Runs a copy of the script in a folder, and returns the variables that it wrote there. */
const writtenBy = (folder: string): Record<string, string> => {
  copyFileSync(join(INFRA, 'compose-passwords.sh'), join(folder, 'compose-passwords.sh'));
  execFileSync('sh', [join(folder, 'compose-passwords.sh')]);
  const lines = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(lines.map(line => line.split('=') as [string, string]));
};

describe('the compose file', () => {
  it('has no engine without a password', () => {
    const { environment: kafka } = serviceOf('kafka');
    const exposed = kafka!.KAFKA_LISTENERS!.split(',').filter(each => !each.includes('//localhost:'));
    expect(exposed).toEqual(['CLIENTS://:9092']);
    expect(kafka!.KAFKA_LISTENER_SECURITY_PROTOCOL_MAP).toContain('CLIENTS:SASL_PLAINTEXT');
    expect(kafka!.KAFKA_LISTENER_NAME_CLIENTS_SASL_ENABLED_MECHANISMS).toBe('PLAIN');
    expect(kafka!.KAFKA_LISTENER_NAME_CLIENTS_PLAIN_SASL_JAAS_CONFIG).toBe(
      `org.apache.kafka.common.security.plain.PlainLoginModule required user_turnstone="${needed('KAFKA_PASSWORD')}";`,
    );
    expect(serviceOf('elasticsearch').environment).toMatchObject({
      'xpack.security.enabled': 'true',
      ELASTIC_PASSWORD: needed('ELASTICSEARCH_PASSWORD'),
    });
    const { environment: clickhouse } = serviceOf('clickhouse');
    expect(clickhouse).toEqual({
      CLICKHOUSE_USER: 'turnstone',
      CLICKHOUSE_PASSWORD: needed('CLICKHOUSE_PASSWORD'),
    });
    const { command } = serviceOf('redis');
    expect(command![command!.indexOf('--requirepass') + 1]).toBe(needed('REDIS_PASSWORD'));
  });

  it('publishes the port of the API alone, by default on this machine', () => {
    const published = Object.keys(services).filter(name => serviceOf(name).ports !== undefined);
    expect(published).toEqual(['api']);
    expect(serviceOf('api').ports).toEqual([`\${PUBLISH:-127.0.0.1:8080}:8080`]);
  });

  it('gives each engine a network of its own, which has no way out', () => {
    for (const name of ENGINES) expect([name, networksOf(name)]).toEqual([name, [name]]);
    const open = Object.keys(networks).filter(name => networks[name]?.internal !== true);
    expect(open).toEqual(['outside']);
    for (const name of ROLES) expect(networksOf(name)).toEqual(expect.arrayContaining(ENGINES));
    expect(ROLES.filter(name => networksOf(name).includes('outside'))).toEqual(['api', 'enricher']);
    expect(serviceOf('secrets').network_mode).toBe('none');
  });

  it('limits the memory of each container, and checks the health of each engine', () => {
    const unlimited = Object.keys(services).filter(name => serviceOf(name).mem_limit === undefined);
    expect(unlimited).toEqual([]);
    for (const name of ENGINES) expect(serviceOf(name).healthcheck?.test).toBeDefined();
  });

  it('gives the roles a configuration without faults, with the passwords of the engines', () => {
    const folder = temporaryFolder();
    const passwords = writtenBy(folder);
    const resolved = (value: string): string =>
      value.replace(/\$\{(\w+):[-?]([^}]*)\}/g, (_, name: string, fallback: string) =>
        name.endsWith('_PASSWORD') ? passwords[name]! : fallback,
      );
    const environment = Object.fromEntries(
      Object.entries(serviceOf('api').environment!).map(([name, value]) => [name, resolved(value)]),
    );
    const key = join(folder, '.env');
    const read = readConfig({
      ...environment,
      TURNSTONE_INSTALLATION_KEY: key,
      TURNSTONE_SIGNING_KEYS: key,
    });
    expect(read).toMatchObject({
      ok: true,
      config: {
        cluster: {
          kafka: { sasl: 'plain', user: 'turnstone', password: passwords.KAFKA_PASSWORD },
          elasticsearch: { user: 'elastic', password: passwords.ELASTICSEARCH_PASSWORD },
          clickhouse: { user: 'turnstone', password: passwords.CLICKHOUSE_PASSWORD },
          redis: { password: passwords.REDIS_PASSWORD },
        },
      },
    });
  });
});

describe('the script of its passwords', () => {
  it('writes each that compose needs, all different, for the owner alone', () => {
    const folder = temporaryFolder();
    const passwords = writtenBy(folder);
    const asked = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect(Object.keys(passwords).toSorted()).toEqual([...asked].toSorted());
    expect(new Set(Object.values(passwords)).size).toBe(4);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[0-9a-f]{48}$/);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('keeps a file that exists, and leaves no other', () => {
    const folder = temporaryFolder();
    expect(writtenBy(folder)).toEqual(writtenBy(folder));
    expect(readdirSync(folder).toSorted()).toEqual(['.env', 'compose-passwords.sh']);
  });
});
