/**
 * Checks the simulator's responses against HubSpot's published API description. The description is not in the repository; without it these
 * checks are skipped.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { getSourcePath, PROVIDER_DESCRIPTIONS } from '../../testing/published-source.ts';

const DESCRIPTION_FILE = getSourcePath(PROVIDER_DESCRIPTIONS, 'hubspot_visitor_identification_v3.json');

/** Describes how a token response contradicts the description; undefined when it matches. */
export type ResponseValidator = (status: number, body: unknown) => string | undefined;

/** Returns undefined when the description is not available. */
export function loadHubspotValidator(): ResponseValidator | undefined {
  if (!existsSync(DESCRIPTION_FILE)) return undefined;
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
  ajv.addSchema(JSON.parse(readFileSync(DESCRIPTION_FILE, 'utf8')) as object, 'hubspot');
  const compileSchema = (name: string) => ajv.compile({ $ref: `hubspot#/components/schemas/${name}` });
  const token = compileSchema('IdentificationTokenResponse');
  const error = compileSchema('Error');
  return (status, body) => {
    const validate = status === 200 ? token : error;
    if (validate(body)) return undefined;
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`).join('; ');
  };
}
