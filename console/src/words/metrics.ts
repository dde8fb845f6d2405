/** The few metrics that the console shows, read from the text format of Prometheus. */

export interface ServiceState {
  /** Events in the log that are not projected yet; undefined if the process does not report it. */
  projectorLag: number | undefined;
  enricherLag: number | undefined;
  /** Events set aside since the process started; undefined if it runs no projector. */
  deadLetters: number | undefined;
  deadLettersByReason: { step: string; reason: string; count: number }[];
  /** The reason why the projector has stopped, if it has. */
  stoppedBy: string | undefined;
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)/i;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Record<string, string> = { n: '\n', '\\': '\\', '"': '"' };

const samplesOf = (text: string): Sample[] =>
  text.split('\n').flatMap(line => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label, quoted]) => [
      label,
      quoted!.replace(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

export const serviceState = (text: string): ServiceState => {
  const samples = samplesOf(text);
  const all = (name: string): Sample[] => samples.filter(sample => sample.name === `turnstone_${name}`);
  const one = (name: string): number | undefined => {
    const value = all(name)[0]?.value;
    return value === undefined || Number.isNaN(value) ? undefined : value;
  };
  return {
    projectorLag: one('projector_lag_events'),
    enricherLag: one('enricher_lag_events'),
    deadLetters: one('dead_letters'),
    deadLettersByReason: all('dead_letters_by_reason')
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => ({ step: labels.step ?? '', reason: labels.reason ?? '', count: value })),
    stoppedBy: all('projector_stopped').find(({ value }) => value === 1)?.labels.reason,
  };
};
