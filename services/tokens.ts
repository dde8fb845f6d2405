import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

/** Nothing in a text is a control token: `<|endoftext|>` is words like any other. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/** Tokens of a text in the `o200k_base` encoding. */
export const countTokens = (text: string): number => count(text, PLAIN);
