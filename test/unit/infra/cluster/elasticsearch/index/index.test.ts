import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { COLUMN_FIELDS } from '../../../../../../infra/cluster/elasticsearch/fields.ts';
import { generationIndex } from '../../../../../../infra/cluster/elasticsearch/index/index.ts';
import { PROJECTIONS } from '../../../../../../projections/all.ts';

it('has the mapping of its version: another one is another version (projections/all.ts)', () => {
  const { _meta, properties, ...mapping } = generationIndex({ shards: 1 }, 0).mappings;
  expect(_meta.version).toBe(PROJECTIONS.recall.version);
  // The fields of columns are in the version by themselves.
  const others = Object.entries(properties).filter(([name]) => !(name in COLUMN_FIELDS));
  const [number] = PROJECTIONS.recall.version.split('-');
  const digest = hash('sha256', JSON.stringify([mapping, others])).slice(0, 16);
  expect({ [number!]: digest }).toEqual({ 13: 'ea591fbc5bc6b2fa' });
});
