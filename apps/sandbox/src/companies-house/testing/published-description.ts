/**
 * Checks the simulator's responses against Companies House's published API description. Two errors in the description are corrected:
 * references to a server on 127.0.0.1, and `items` used in objects. The description is not in the repository; without it these checks are
 * skipped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { getSourcePath, PROVIDER_DESCRIPTIONS } from '../../testing/published-source.ts';

const DESCRIPTION_FILE = getSourcePath(PROVIDER_DESCRIPTIONS, 'companies-house-public-data.yml');
const SCHEMA_URI = 'companies-house';

type Json = { readonly [key: string]: Json } | readonly Json[] | string | number | boolean | null;

/** Schema for each call. The description maps paths to these schemas too, but half of its entries are invalid. */
const SCHEMAS_BY_PATH = [
  [/^\/search\/companies$/, 'CompanySearch'],
  [/^\/company\/[^/]+\/officers$/, 'officerList'],
  [/^\/company\/[^/]+\/persons-with-significant-control$/, 'controllerList'],
  [/^\/company\/[^/]+$/, 'companyProfile'],
] as const;

/** Returns how a successful response contradicts the description, or undefined when it matches. */
export type ResponseValidator = (path: string, body: unknown) => string | undefined;

/** Returns undefined when the description is not available. */
export function loadCompaniesHouseValidator(): ResponseValidator | undefined {
  if (!existsSync(DESCRIPTION_FILE)) return undefined;
  const { components } = parse(readFileSync(DESCRIPTION_FILE, 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, Json>> };
  };
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, fixSchema(schema, components.schemas)]),
  );
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ definitions: correctSchemas(schemas) }, SCHEMA_URI);
  return (path, body) => {
    const name = SCHEMAS_BY_PATH.find(([pattern]) => pattern.test(path))?.[1];
    if (name === undefined) return `${path} is not described`;
    const validate = ajv.compile({ $ref: `${SCHEMA_URI}#/definitions/${name}` });
    if (validate(body)) return undefined;
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`).join('; ');
  };
}

/**
 * Resolves each reference to the schema of that name in the file, or accepts anything if there is none. Replaces `items` of an object with
 * the object's own schema.
 */
function fixSchema(value: Json, schemas: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((item) => fixSchema(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Readonly<Record<string, Json>>;
  const reference = object['$ref'];
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? '';
    return name in schemas ? { $ref: `#/definitions/${name}` } : {};
  }
  const { items } = object;
  if (object['type'] !== 'array' && typeof items === 'object' && items !== null && '$ref' in items) return fixSchema(items, schemas);
  return Object.fromEntries(Object.entries(object).map(([key, nested]) => [key, fixSchema(nested, schemas)]));
}

type SchemaProperties = { readonly properties: Readonly<Record<string, Json>> };
type ListSchema = { readonly items: SchemaProperties };

/**
 * The file refers to a list of controllers and to officers' identity verification but defines neither. Both use the verification details
 * defined for its list of notifications.
 */
function correctPeopleSchemas(schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const { items } = (schemas['notificationList'] as unknown as SchemaProperties).properties;
  const details = (items as unknown as ListSchema).items.properties['identity_verification_details'] as object;
  const personSchema = { properties: { identity_verification_details: { ...details, additionalProperties: false } } } as Json;
  const officer = schemas['officerSummary'] as Json;
  return {
    controllerList: { type: 'object', required: ['items'], properties: { items: { type: 'array', items: personSchema } } },
    officerSummary: { allOf: [officer, personSchema] },
  };
}

/**
 * Corrects known differences in live responses: the reference date uses strings, and the last accounts are an object rather than a string.
 */
function correctSchemas(schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const dayOrMonth = { type: ['integer', 'string'] };
  return {
    ...schemas,
    ...correctPeopleSchemas(schemas),
    accountingReferenceDate: { type: 'object', required: ['day', 'month'], properties: { day: dayOrMonth, month: dayOrMonth } },
    // A company that has never filed has the type "null" and no date, so `made_up_to` is optional.
    lastAccounts: { ...(schemas['lastAccounts'] as object), type: 'object', required: ['type'] },
  };
}
