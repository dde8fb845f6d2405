/** `npm run client:types`: writes the types of the OpenAPI document to src/api-types.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../../schemas/openapi.ts';

export const API_TYPES_FILE = new URL('./src/api-types.ts', import.meta.url);

/** The document's schemas as TypeScript. A member with a default is still one that a request may leave out. */
export const apiTypes = async (): Promise<string> => {
  const document = openApiDocument() as unknown as OpenAPI3;
  const text = astToString(await openapiTS(document, { defaultNonNullable: false }));
  return `/** Made from the OpenAPI document by \`npm run client:types\`: not to be edited. */\n\n${text}`;
};

if (import.meta.main) {
  const text = await apiTypes();
  if (readFileSync(API_TYPES_FILE, 'utf8') !== text) writeFileSync(API_TYPES_FILE, text);
}
