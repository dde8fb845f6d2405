/** `npm run client:types`: generates src/api-types.ts from the OpenAPI document. */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../../schemas/openapi.ts';

export const API_TYPES_FILE = new URL('./src/api-types.ts', import.meta.url);

/** The document's schemas as TypeScript. Members with a default stay optional, since a request may omit them. */
export const apiTypes = async (): Promise<string> => {
  const document = openApiDocument() as unknown as OpenAPI3;
  const text = astToString(await openapiTS(document, { defaultNonNullable: false }));
  return `/** Generated from the OpenAPI document by \`npm run client:types\`: do not edit. */\n\n${text}`;
};

if (import.meta.main) {
  const text = await apiTypes();
  if (readFileSync(API_TYPES_FILE, 'utf8') !== text) writeFileSync(API_TYPES_FILE, text);
}
