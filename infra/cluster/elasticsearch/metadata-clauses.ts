import type { Condition } from '../../../domain/filter/condition.ts';

/** Returns the query for documents whose metadata terms pass the condition. */
export const ofMetadata = (condition: Condition): Record<string, unknown> => {
  switch (condition.op) {
    case 'terms':
      return { terms: { metadata: condition.terms } };
    case 'range': {
      const { from, hasFrom, to, hasTo } = condition;
      return { range: { metadata: { [hasFrom ? 'gte' : 'gt']: from, [hasTo ? 'lte' : 'lt']: to } } };
    }
    case 'all':
      return { bool: { filter: condition.of.map(ofMetadata) } };
    case 'any':
      return { bool: { should: condition.of.map(ofMetadata), minimum_should_match: 1 } };
    case 'not':
      return { bool: { must_not: ofMetadata(condition.of) } };
  }
};
