/** Checks the simulator's responses against HMRC's published API descriptions: the schema of their path, method and status. */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { getSourcePath, HMRC_DESCRIPTIONS } from '../../testing/published-source.ts';

const DESCRIPTION_FILES = [
  'vat-api-1.0.yaml',
  'check-vat-number-2.0.yaml',
  'create-test-user-1.0.yaml',
  'agent-authorisation-api-2.0.yaml',
  'self-assessment-accounts-api-4.0.yaml',
  'obligations-api-3.0.yaml',
] as const;

/** The checked parts of a response. `path` is below the API's base path, without the query. */
export type CheckedResponse = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bodyText: string;
};

/** Known differences between HMRC's server source (or its platform) and the descriptions, with reasons. */
export const DEVIATIONS = [
  {
    name: 'platform answer',
    reason: 'The gateway before every API (401, 404, 405, 406, 429) and its scope check are described on the Hub pages only (FACTS 1).',
    applies: ({ status, bodyText }: CheckedResponse) =>
      [401, 404, 405, 406, 429].includes(status) && /^\{"code":"[A-Z_]+","message":"[^"]+"\}$/.test(bodyText),
  },
  {
    name: 'code in message',
    reason: 'Parameter faults and malformed JSON come as {statusCode, message}: server source and live threads (FACTS 3.2).',
    applies: ({ status, bodyText }: CheckedResponse) => status === 400 && /^\{"statusCode":400,"message":"[A-Za-z_ ]+"\}$/.test(bodyText),
  },
  {
    name: 'unfiled return without body',
    reason: 'The server answers 404 with an empty body and no Content-Type, the page shows NOT_FOUND (FACTS 3.6).',
    applies: ({ method, path, status, bodyText, headers }: CheckedResponse) =>
      method === 'GET' && /\/returns\/[^/]+$/.test(path) && status === 404 && bodyText === '' && !headers.has('content-type'),
  },
  {
    name: 'test user refused',
    reason: 'Create Test User describes its successes only; an unknown service is refused in the platform’s common shape (FACTS 1).',
    applies: ({ path, status, bodyText }: CheckedResponse) =>
      path.startsWith('/create-test-user/') && status === 400 && bodyText.startsWith('{"code":"INVALID_REQUEST","message":"'),
  },
  {
    name: 'no description',
    reason: 'OAuth and the fraud-header validator are described on Hub pages, not as OpenAPI (FACTS 2, 9).',
    applies: ({ path }: CheckedResponse) => path === '/oauth/token' || path.startsWith('/test/fraud-prevention-headers/'),
  },
] as const;

/** Known differences of the agent and income tax APIs. */
export const AGENT_DEVIATIONS = [
  {
    name: 'location of duplicates only',
    reason: 'The description lists Location for every 403 and says in its words that only a duplicate request has one.',
    applies: ({ path, status, bodyText }: CheckedResponse) =>
      path.startsWith('/agents/') && status === 403 && !bodyText.includes('DUPLICATE_AUTHORISATION_REQUEST'),
  },
] as const;
export type DeviationName = (typeof DEVIATIONS)[number]['name'] | (typeof AGENT_DEVIATIONS)[number]['name'];

/** `fault` describes how a response contradicts the description; `deviation` names the known difference that explains it. */
export type ValidationResult = { readonly fault?: string; readonly deviation?: DeviationName; readonly operation?: string };

export type PublishedDescriptions = {
  validate(response: CheckedResponse): ValidationResult;
  /** All described operations, such as "GET /organisations/vat/{vrn}/obligations". */
  readonly operations: readonly string[];
};

/** Returns undefined when the descriptions are not available. */
export function loadPublishedDescriptions(): PublishedDescriptions | undefined {
  if (!DESCRIPTION_FILES.every((file) => existsSync(getSourcePath(HMRC_DESCRIPTIONS, file)))) return undefined;
  const operations = DESCRIPTION_FILES.flatMap(readOperations);
  return {
    operations: operations.map(({ method, template }) => `${method} ${template}`),
    validate: (response) => {
      const operation = operations.find(({ method, pattern }) => method === response.method && pattern.test(response.path));
      const fault = operation ? operation.validate(response) : `${response.method} ${response.path} is not described`;
      const name = operation ? { operation: `${operation.method} ${operation.template}` } : {};
      if (fault === undefined) return name;
      const deviation = [...DEVIATIONS, ...AGENT_DEVIATIONS].find(({ applies }) => applies(response));
      return deviation ? { ...name, deviation: deviation.name } : { ...name, fault };
    },
  };
}

type Json = { readonly [key: string]: Json } | readonly Json[] | string | number | boolean | null;
type DescribedResponse = {
  readonly headers?: Readonly<Record<string, Json>>;
  readonly content?: { readonly 'application/json'?: { readonly schema?: Json } };
};
type DescribedOperation = {
  readonly method: string;
  readonly template: string;
  readonly pattern: RegExp;
  readonly validate: (response: CheckedResponse) => string | undefined;
};

function readOperations(file: string): DescribedOperation[] {
  const document = toAnyOf(removeExamples(parse(readFileSync(getSourcePath(HMRC_DESCRIPTIONS, file), 'utf8')) as Json));
  const description = document as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Json>> }>>>>;
  };
  // OpenAPI 3.0 schemas are JSON schemas except for a few keywords that the validator ignores. Hundredths are compared with a float
  // tolerance.
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, multipleOfPrecision: 2, allErrors: true });
  ajv.addSchema(description, file);
  return Object.entries(description.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
      validate: (response: CheckedResponse) => {
        const foundResponse = followPointer(document, ['paths', template, method, 'responses', String(response.status)]);
        if (!foundResponse) return `status ${response.status} is not described`;
        return validateByDescription(response, document, foundResponse.node as unknown as DescribedResponse, () =>
          compile(ajv, file, foundResponse.pointer),
        );
      },
    })),
  );
}

function validateByDescription(
  response: CheckedResponse,
  document: Json,
  describedResponse: DescribedResponse,
  validator: () => ValidateFunction,
): string | undefined {
  const missingHeaders = Object.entries(describedResponse.headers ?? {}).filter(
    ([name, header]) => isRequired(document, header) && !response.headers.has(name),
  );
  if (missingHeaders.length > 0) return `headers missing: ${missingHeaders.map(([name]) => name).join(', ')}`;
  if (!describedResponse.content?.['application/json']?.schema) return undefined;
  if (!(response.headers.get('content-type') ?? '').startsWith('application/json')) return 'the answer is not JSON';
  const validate = validator();
  if (validate(JSON.parse(response.bodyText))) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`).join('; ');
}

/** Headers count as required unless the description says otherwise. */
function isRequired(document: Json, header: Json): boolean {
  const target = getReference(header);
  const node = target === undefined ? header : followPointer(document, target)?.node;
  return !(typeof node === 'object' && node !== null && 'required' in node && node.required === false);
}

/** Returns the node at the end of a path, with references resolved. */
function followPointer(
  document: Json,
  pointer: readonly string[],
): { readonly node: Json; readonly pointer: readonly string[] } | undefined {
  let node: Json | undefined = document;
  for (const part of pointer) {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined;
    node = (node as Readonly<Record<string, Json>>)[part];
  }
  if (node === undefined) return undefined;
  const target = getReference(node);
  return target === undefined ? { node, pointer } : followPointer(document, target);
}

function getReference(node: Json): string[] | undefined {
  if (typeof node !== 'object' || node === null || !('$ref' in node) || typeof node.$ref !== 'string') return undefined;
  return node.$ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function compile(ajv: Ajv, file: string, response: readonly string[]): ValidateFunction {
  const pointer = [...response, 'content', 'application/json', 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  return ajv.compile({ $ref: `${file}#/${pointer}` });
}

/** HMRC uses "oneOf" for alternatives that differ only in their titles, so that every string matches both. */
function toAnyOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(toAnyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>).map(([key, nested]) => [key === 'oneOf' ? 'anyOf' : key, toAnyOf(nested)]),
  );
}

/** Removes examples, because some contain keys that would be read as schema keywords. */
function removeExamples(value: Json): Json {
  if (Array.isArray(value)) return value.map(removeExamples);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Json>>)
      .filter(([key]) => key !== 'example' && key !== 'examples' && key !== '$schema')
      .map(([key, nested]) => [key, removeExamples(nested)]),
  );
}
