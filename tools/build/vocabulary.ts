/**
 * Generates core/tokens/o200k-base.bin, the vocabulary of `o200k_base`, from the tables of
 * gpt-tokenizer:
 *
 *     node tools/build/vocabulary.ts
 *
 * The file is deflated (zlib); inside, little endian:
 *     u32[2]  magic "OKV1", tokens n
 *     u8[n]   length of each token in bytes, in order of rank
 *     u8[…]   the tokens, concatenated
 */
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';

const MAGIC = 0x31564b4f;

const tokens = Array.from(ranks, token => Buffer.from(token as string));
const lengths = Uint8Array.from(tokens, token => token.length);
if (tokens.some((token, rank) => token.length === 0 || token.length !== lengths[rank]))
  throw new Error('a token is empty or longer than 255 bytes');

const head = Buffer.alloc(8);
head.writeUInt32LE(MAGIC, 0);
head.writeUInt32LE(tokens.length, 4);
const file = Buffer.concat([head, lengths, ...tokens]);
writeFileSync(new URL('../../core/tokens/o200k-base.bin', import.meta.url), deflateSync(file, { level: 9 }));
