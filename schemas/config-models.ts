/** The variables of models that somebody runs or pays for: as extractor, for vectors, for reranking. */
import {
  httpUrlAlone,
  modelName,
  modelNames,
  needed,
  oneOf,
  optional,
  optionalSecret,
  prefix,
  variable,
  wholeNumber,
} from './config-values.ts';

export const MODEL_SETTINGS = {
  extractor: {
    kind: variable(
      'TURNSTONE_EXTRACTOR',
      'rules',
      oneOf('rules', 'llm'),
      'what finds observations and entities: [rules in the process, or a language model](../operate/models.md#a-language-model-as-extractor)',
    ),
    baseUrl: needed(
      'llm',
      'TURNSTONE_LLM_BASE_URL',
      httpUrlAlone,
      'such as `https://api.openai.com/v1`; `/chat/completions` is appended',
    ),
    model: needed('llm', 'TURNSTONE_LLM_MODEL', modelName, "the model's name"),
    apiKey: optionalSecret('TURNSTONE_LLM_API_KEY', 'sent as a bearer token; a local server may need none'),
  },
  /** An embedding model whose vectors take part in the ranking. Unset: none. */
  embeddings: {
    baseUrl: variable(
      'TURNSTONE_EMBEDDINGS_BASE_URL',
      '',
      optional(httpUrlAlone),
      'turns on [an embedding model](../operate/models.md#an-embedding-model); `/embeddings` is appended',
    ),
    /** The model to serve and, while it changes, the one before it: vectors of both are made. */
    models: needed(
      'embeddings',
      'TURNSTONE_EMBEDDINGS_MODEL',
      modelNames(2),
      'its name; two, separated by a comma, while it is changed',
    ),
    apiKey: optionalSecret(
      'TURNSTONE_EMBEDDINGS_API_KEY',
      'sent as a bearer token; a local server may need none',
    ),
    /** Undefined: the model's own. */
    dimensions: variable(
      'TURNSTONE_EMBEDDINGS_DIMENSIONS',
      '',
      optional(wholeNumber(1, 8_192)),
      'asked of models that can shorten their vectors',
    ),
    queryPrefix: variable(
      'TURNSTONE_EMBEDDINGS_QUERY_PREFIX',
      '',
      prefix,
      'put before a question, for models that want it (e5: `query: `)',
    ),
    passagePrefix: variable(
      'TURNSTONE_EMBEDDINGS_PASSAGE_PREFIX',
      '',
      prefix,
      'put before what is searched (e5: `passage: `)',
    ),
  },
  /** Unset: none. */
  rerank: {
    baseUrl: variable(
      'TURNSTONE_RERANK_BASE_URL',
      '',
      optional(httpUrlAlone),
      'turns on [a model that reranks](../operate/models.md#a-reranking-model) the best 30 hits; `/rerank` is appended',
    ),
    model: variable(
      'TURNSTONE_RERANK_MODEL',
      '',
      optional(modelName),
      'its name; a server of one model needs none',
    ),
    apiKey: optionalSecret('TURNSTONE_RERANK_API_KEY', 'sent as a bearer token'),
  },
};
