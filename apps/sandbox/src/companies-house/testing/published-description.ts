/**
 * Companies House's published description as judge of the double, mended where it is broken: it lies beside the repository
 * (../shared/reference/providers/oas), points every reference at a server on 127.0.0.1, and says `items` of objects.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { PROVIDER_DESCRIPTIONS, sourcePath } from '../../testing/published-source.ts';

const FILE = sourcePath(PROVIDER_DESCRIPTIONS, 'companies-house-public-data.yml');
const SCHEMA_URI = 'companies-house';

type Json = { readonly [key: string]: Json } | readonly Json[] | string | number | boolean | null;

/** What the answer of each call is held against: the description's own paths name the same schemas, half of them in a form no reader knows. */
const SCHEMAS = [
  [/^\/search\/companies$/, 'CompanySearch'],
  [/^\/company\/[^/]+\/officers$/, 'officerList'],
  [/^\/company\/[^/]+$/, 'companyProfile'],
] as const;

/** Says how a success contradicts the description; undefined where it does not. */
export type Judge = (path: string, body: unknown) => string | undefined;

/** Undefined where the description does not lie beside the repository. */
export function loadCompaniesHouseJudge(): Judge | undefined {
  if (!existsSync(FILE)) return undefined;
  const { components } = parse(readFileSync(FILE, 'utf8')) as { readonly components: { readonly schemas: Readonly<Record<string, Json>> } };
  const schemas = Object.fromEntries(Object.entries(components.schemas).map(([name, schema]) => [name, mend(schema, components.schemas)]));
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ definitions: correctWords(schemas) }, SCHEMA_URI);
  return (path, body) => {
    const name = SCHEMAS.find(([pattern]) => pattern.test(path))?.[1];
    if (name === undefined) return `${path} is not described`;
    const validate = ajv.compile({ $ref: `${SCHEMA_URI}#/definitions/${name}` });
    if (validate(body)) return undefined;
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`).join('; ');
  };
}

/** References lead to the schema of that name in the file, or to anything where it is missing; `items` of an object means the object itself. */
function mend(value: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((one) => mend(one, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Readonly<Record<string, Json>>;
  const reference = object['$ref'];
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return name in schemas ? { $ref: `#/definitions/${name}` } : {};
  }
  const { items } = object;
  if (object['type'] !== 'array' && typeof items === 'object' && items !== null && '$ref' in items) return mend(items, schemas);
  return Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, mend(inner, schemas)]));
}

/** Where live answers are known to differ from the description: the reference date is strings, and last accounts are an object, not a text. */
function correctWords(schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const dayOrMonth = { type: ['integer', 'string'] };
  return {
    ...schemas,
    accountingReferenceDate: { type: 'object', required: ['day', 'month'], properties: { day: dayOrMonth, month: dayOrMonth } },
    // Somebody who never filed has the type "null" and no date, so that `made_up_to` is not required.
    lastAccounts: { ...(schemas['lastAccounts'] as object), type: 'object', required: ['type'] },
  };
}
