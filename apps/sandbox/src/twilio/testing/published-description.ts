/**
 * Checks the simulator's responses against Twilio's published API description, by path, method and status. The description isn't in the
 * repository; without it these checks are skipped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { getSourcePath, PROVIDER_DESCRIPTIONS } from '../../testing/published-source.ts';

const DESCRIPTION_FILE = getSourcePath(PROVIDER_DESCRIPTIONS, 'twilio_verify_v2.json');
const SCHEMA_URI = 'twilio';

export type CheckedResponse = { readonly method: string; readonly path: string; readonly status: number; readonly body: unknown };

/** Describes how a response contradicts the description. Returns undefined if it matches. */
export type ResponseValidator = (response: CheckedResponse) => string | undefined;

type ApiDescription = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: Readonly<Record<string, unknown>> }>>>>;
};

export function loadTwilioValidator(): ResponseValidator | undefined {
  if (!existsSync(DESCRIPTION_FILE)) return undefined;
  const description = JSON.parse(readFileSync(DESCRIPTION_FILE, 'utf8'), dropLoneNullable) as ApiDescription;
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
  ajv.addSchema(description, SCHEMA_URI);
  return ({ method, path, status, body }) => {
    const template = Object.keys(description.paths).find((pattern) =>
      new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    const operation = template === undefined ? undefined : description.paths[template]?.[method.toLowerCase()];
    if (template === undefined || !operation?.responses) return `${method} ${path} is not described`;
    // Errors other than 429 are described only on Twilio's error pages. See docs/reference/providers.md section 7.
    if (!(String(status) in operation.responses)) return status >= 400 ? undefined : `status ${status} is not described`;
    const pointer = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content', 'application/json', 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = ajv.compile({ $ref: `${SCHEMA_URI}#/${pointer}` });
    if (validate(body)) return findUnknownFields(description, template, method, status, body);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`).join('; ');
  };
}

/** The description doesn't require any fields, so a misspelt field would pass. This requires exactly the described field names. */
function findUnknownFields(
  description: ApiDescription,
  template: string,
  method: string,
  status: number,
  body: unknown,
): string | undefined {
  const responses = description.paths[template]?.[method.toLowerCase()]?.responses;
  const responseJson = JSON.stringify(responses?.[String(status)]);
  const name = /"schema":\{"\$ref":"#\/components\/schemas\/([^"]+)"\}/.exec(responseJson)?.[1];
  if (name === undefined || typeof body !== 'object' || body === null) return undefined;
  const { components } = description as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
  };
  const knownFields = Object.keys(components.schemas[name]?.properties ?? {});
  const bodyFields = Object.keys(body);
  const wrongFields = [
    ...bodyFields.filter((field) => !knownFields.includes(field)),
    ...knownFields.filter((field) => !bodyFields.includes(field)),
  ];
  return wrongFields.length === 0 ? undefined : `fields that only one side has: ${wrongFields.join(', ')}`;
}

/** Removes `nullable` without `type`, which is meaningless and rejected by the validator. */
function dropLoneNullable(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value) || 'type' in value) return value;
  const { nullable: _nullable, ...rest } = value;
  return rest;
}
