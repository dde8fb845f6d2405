import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeConfig, readConfig, unknownVariables } from '../../../core/config.ts';

const faultsOf = (environment: Record<string, string>): string[] => {
  const read = readConfig(environment);
  return read.ok ? [] : read.faults;
};

describe('readConfig', () => {
  it('gives the documented defaults', () => {
    expect(readConfig({})).toEqual({
      ok: true,
      config: {
        mode: 'embedded',
        role: 'all',
        host: '127.0.0.1',
        port: 8080,
        dataDir: resolve('data'),
        quota: { tokensIn: 1_000_000, tokensOut: 5_000_000 },
        signup: 'open',
        signupsPerMinute: 60,
        authFailuresPerMinute: 30,
        accounts: {
          organizations: 10_000,
          unusedDays: 30,
          keysPerOrganization: 1_000,
          refreshesPerDay: 5_000,
        },
        budgets: { names: 1_000, retractions: 10_000, erasures: 1_000 },
        rates: { perSecond: 0, openPerMinute: 0 },
        connections: { most: 10_000, perAddress: 5_000 },
        metrics: { port: undefined, token: undefined },
        feedStreams: 2_000,
        trustedProxies: [],
        signingKeys: undefined,
        reader: 'no',
        extractor: { kind: 'rules' },
        diskReserveMb: 256,
        poisonLimits: { inARow: 100, share: 20 },
        quarantineHours: 24,
        expiriesPerDay: 20,
        screen: 'off',
        webhooksPrivate: 'no',
        shutdownPauseSeconds: 0,
        logLevel: 'info',
        telemetry: {
          endpoint: undefined,
          headers: {},
          traces: 'otlp',
          metrics: 'otlp',
          metricsMs: 60_000,
          sampler: 'parentbased_traceidratio',
          ratio: 0.01,
          service: 'turnstone',
          attributes: {},
        },
        clock: undefined,
      },
    });
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ TURNSTONE_PORT: '', TURNSTONE_LLM_MODEL: '' })).toEqual(readConfig({}));
  });

  it('names every fault at once', () => {
    const faults = faultsOf({
      TURNSTONE_PORT: '65536',
      TURNSTONE_SIGNUP: 'maybe',
      TURNSTONE_QUOTA_TOKENS_IN: '-1',
      TURNSTONE_LOG_LEVEL: 'loud',
    });
    expect(faults.map(fault => fault.split(' ')[0])).toEqual([
      'TURNSTONE_PORT',
      'TURNSTONE_QUOTA_TOKENS_IN',
      'TURNSTONE_SIGNUP',
      'TURNSTONE_LOG_LEVEL',
    ]);
  });

  it.each([
    ['TURNSTONE_EXTRACTOR', 'gpt', /must be one of rules, llm \(/],
    [
      'TURNSTONE_LLM_BASE_URL',
      'https://me:hunter2@example.org/v1',
      /without a user or password \(.*me:\*\*\*@/,
    ],
    ['TURNSTONE_LLM_API_KEY', 'two words', /ASCII characters without spaces \(it is "\(set\)"\)/],
    ['TURNSTONE_ROLE', 'api', /must be all in embedded mode/],
    ['TURNSTONE_MODE', 'embeded', /must be one of embedded, cluster \(/],
    ['TURNSTONE_KAFKA_BROKERS', 'localhost', /must be brokers as host:port/],
    ['TURNSTONE_REDIS_URL', 'http://localhost', /must be a redis or rediss URL/],
    ['TURNSTONE_NAMESPACE', 'My App', /must be up to 40 lowercase letters/],
    ['TURNSTONE_PARTITIONS', '0', /must be a whole number from 1/],
  ])('says what is wrong with %s=%s', (name, text, message) => {
    expect(faultsOf({ [name]: text })).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['TURNSTONE_PORT', '80a'],
    ['TURNSTONE_PORT', '8080.5'],
    ['TURNSTONE_PORT', ' 80'],
    ['TURNSTONE_HOST', 'http://localhost'],
    ['TURNSTONE_DATA_DIR', `/${'long/'.repeat(19)}`],
    ['TURNSTONE_AUTH_FAILURES_PER_MINUTE', '0'],
    ['TURNSTONE_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TURNSTONE_TRUSTED_PROXIES', '10.0.0.1,loadbalancer'],
    ['TURNSTONE_TRUSTED_PROXIES', '::1/129'],
    ['TURNSTONE_SIGNING_KEYS', '/nowhere/keys.pem'],
    ['TURNSTONE_LLM_BASE_URL', 'ftp://example.org'],
    ['TURNSTONE_LLM_MODEL', 'a model'],
    ['TURNSTONE_CLOCK', '2026-01-31'],
    ['TURNSTONE_CLOCK', '2026-13-31T00:00:00Z'],
  ])('refuses %s=%s', (name, text) => {
    expect(faultsOf({ [name]: text })).toEqual([expect.stringContaining(`${name} must be`)]);
  });

  it('reads lists, instants and numbers', () => {
    const read = readConfig({
      TURNSTONE_TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7',
      TURNSTONE_CLOCK: '2026-01-31T23:59:58+01:00',
      NODE_ENV: 'test',
      TURNSTONE_QUOTA_TOKENS_OUT: '0',
    });
    expect(read.ok && read.config).toMatchObject({
      trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'],
      clock: Date.UTC(2026, 0, 31, 22, 59, 58),
      quota: { tokensOut: 0 },
    });
  });

  it('refuses a clock of its own outside of tests', () => {
    const clock = { TURNSTONE_CLOCK: '2026-01-31T23:59:58Z' };
    expect(faultsOf(clock)).toEqual([expect.stringMatching(/^TURNSTONE_CLOCK is for tests/)]);
    expect(readConfig({ ...clock, NODE_ENV: 'test' }).ok).toBe(true);
  });

  it('has what the extractor llm needs, and names all of it that is missing at once', () => {
    expect(faultsOf({ TURNSTONE_EXTRACTOR: 'llm' })).toEqual([
      'TURNSTONE_LLM_BASE_URL must be set for the extractor llm',
      'TURNSTONE_LLM_MODEL must be set for the extractor llm',
    ]);
    const llm = {
      TURNSTONE_EXTRACTOR: 'llm',
      TURNSTONE_LLM_BASE_URL: 'http://localhost:11434/v1',
      TURNSTONE_LLM_MODEL: 'meta-llama/Llama-3.1-8B:free',
    };
    const extractor = { kind: 'llm', baseUrl: llm.TURNSTONE_LLM_BASE_URL, model: llm.TURNSTONE_LLM_MODEL };
    const [local, hosted] = [readConfig(llm), readConfig({ ...llm, TURNSTONE_LLM_API_KEY: 'sk-1' })];
    expect(local.ok && local.config.extractor).toEqual({ ...extractor, apiKey: undefined });
    expect(hosted.ok && hosted.config.extractor).toEqual({ ...extractor, apiKey: 'sk-1' });
  });

  it('keeps a password out of its faults', () => {
    const [fault] = faultsOf({ TURNSTONE_LLM_BASE_URL: 'ftp://user:hunter2@example.org' });
    expect(fault).toContain('ftp://user:***@example.org');
    expect(fault).not.toContain('hunter2');
  });
});

describe('the mode cluster', () => {
  const engines = {
    TURNSTONE_MODE: 'cluster',
    TURNSTONE_KAFKA_BROKERS: 'one:9092, two:9092',
    TURNSTONE_ELASTICSEARCH_URL: 'http://elastic:hunter2@search:9200',
    TURNSTONE_CLICKHOUSE_URL: 'http://clickhouse:8123',
    TURNSTONE_REDIS_URL: 'redis://redis:6379',
    TURNSTONE_INSTALLATION_KEY: import.meta.filename,
    TURNSTONE_SIGNING_KEYS: import.meta.filename,
  };

  it('names all that it needs at once', () => {
    expect(faultsOf({ TURNSTONE_MODE: 'cluster' }).map(fault => fault.split(' ')[0])).toEqual([
      'TURNSTONE_SIGNING_KEYS',
      'TURNSTONE_KAFKA_BROKERS',
      'TURNSTONE_ELASTICSEARCH_URL',
      'TURNSTONE_CLICKHOUSE_URL',
      'TURNSTONE_REDIS_URL',
      'TURNSTONE_INSTALLATION_KEY',
    ]);
  });

  it('has its engines, one role and a closed sign-up', () => {
    const read = readConfig({ ...engines, TURNSTONE_ROLE: 'projector' });
    expect(read.ok && read.config).toMatchObject({
      mode: 'cluster',
      role: 'projector',
      signup: 'closed',
      cluster: {
        namespace: 'turnstone',
        kafkaBrokers: ['one:9092', 'two:9092'],
        partitions: 12,
        replication: 3,
        installationKey: import.meta.filename,
        migrateAtStart: false,
      },
    });
    const open = readConfig({ ...engines, TURNSTONE_SIGNUP: 'open' });
    expect(open.ok && open.config.signup).toBe('open');
  });

  it("prints no engine's password", () => {
    expect(JSON.stringify(describeConfig(engines))).not.toContain('hunter2');
  });
});

describe('sign-up', () => {
  it.each([
    [{}, 'open'],
    [{ TURNSTONE_HOST: 'localhost' }, 'open'],
    [{ TURNSTONE_HOST: '::1' }, 'open'],
    [{ TURNSTONE_HOST: '0.0.0.0' }, 'closed'],
    [{ TURNSTONE_HOST: '::' }, 'closed'],
    [{ TURNSTONE_HOST: '192.0.2.1' }, 'closed'],
    [{ TURNSTONE_HOST: '0.0.0.0', TURNSTONE_SIGNUP: 'open' }, 'open'],
  ])('is open where only this machine reaches it, or somebody opened it: %j', (environment, signup) => {
    const read = readConfig(environment);
    expect(read.ok && read.config.signup).toBe(signup);
    expect(describeConfig(environment)).toContainEqual(
      expect.objectContaining({ name: 'TURNSTONE_SIGNUP', text: signup }),
    );
  });
});

describe('describeConfig', () => {
  it('hides keys and passwords', () => {
    const lines = describeConfig({
      TURNSTONE_LLM_API_KEY: 'sk-secret',
      TURNSTONE_API_KEY: 'ts_secret',
      TURNSTONE_METRICS_TOKEN: 'scrape-secret',
      TURNSTONE_LLM_BASE_URL: 'https://me:hunter2@example.org/v1',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic secret,x-from=https://hunter2.example',
    });
    expect(JSON.stringify(lines)).not.toMatch(/secret|hunter2/);
    expect(lines).toContainEqual({ name: 'TURNSTONE_API_KEY', text: '(set)', isDefault: false });
    expect(lines).toContainEqual({ name: 'TURNSTONE_PORT', text: '8080', isDefault: true });
  });
});

describe('unknownVariables', () => {
  it('finds a typo and nothing else', () => {
    const known = { TURNSTONE_PORT: '1', TURNSTONE_REDIS_URL: 'x', HOME: '/', OTEL_LOG_LEVEL: 'info' };
    expect(unknownVariables({ ...known, TURNSTONE_PROT: '1' })).toEqual(['TURNSTONE_PROT']);
  });
});

describe('telemetry', () => {
  const telemetryOf = (environment: Record<string, string>) => {
    const read = readConfig(environment);
    return read.ok ? read.config.telemetry : read.faults;
  };

  it("reads OpenTelemetry's standard variables", () => {
    expect(
      telemetryOf({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant = one',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.version=1',
        OTEL_TRACES_SAMPLER: 'always_on',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        OTEL_METRICS_EXPORTER: 'none',
      }),
    ).toMatchObject({
      endpoint: 'http://collector:4318',
      headers: { authorization: 'Bearer a=b', 'x-tenant': 'one' },
      attributes: { 'deployment.environment.name': 'test', 'service.version': '1' },
      sampler: 'always_on',
      ratio: 0.25,
      traces: 'otlp',
      metrics: 'none',
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('names %s where it is %s', (name, text) => {
    const faults = telemetryOf({ [name]: text });
    expect(faults).toEqual([expect.stringContaining(name)]);
    expect(String(faults)).not.toContain('secret');
  });
});
