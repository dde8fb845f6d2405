import { describeOnEngines } from '../support/engines.ts';
import { describeFilteredLists } from './filter-lists.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeFilteredLists('cluster', openElasticsearchListing, [1]);
});
