/** Creates a valid input for an endpoint from its zod schema: the required fields, and optional fields listed in BY_NAME. */
import type { Endpoint } from '@portal/contract/endpoint.ts';
import fc from 'fast-check';
import { z } from 'zod';

type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
};

const ID = '5b0c1f6e-3f0a-4b7e-9c55-0f2d7f6a9d11';

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: ID,
  date: '2026-03-07',
  'date-time': '2026-03-07T09:00:00.000Z',
};

/** Values for fields whose rules aren't part of the JSON schema. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  email: 'somebody@access.example',
  billing_email: 'somebody@access.example',
  emails: ['somebody@access.example'],
  client_ids: [ID],
  vrn: '482193730',
  vat_number: '482193730',
  company_number: '09482716',
  sort_code: '200415',
  account_number: '38290008',
  arn: 'AARN0000002',
  colour: '#7440F5',
};

/** Values for required texts whose pattern isn't part of the JSON schema, because it applies to what is left of them. */
const BY_NAME_WITHOUT_PATTERN: Readonly<Record<string, string>> = { code: '123456' };

export function makeInput({ input }: Pick<Endpoint, 'input'>): Record<string, unknown> {
  return makeObject(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema);
}

function makeObject({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name) || name in BY_NAME);
  return Object.fromEntries(names.map((name) => [name, BY_NAME[name] ?? makeNamedValue(name, properties[name] ?? {})]));
}

function makeNamedValue(name: string, schema: Schema): unknown {
  const text = schema.type === 'string' && schema.pattern === undefined ? BY_NAME_WITHOUT_PATTERN[name] : undefined;
  return text ?? makeValue(schema);
}

function makeValue(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first) return makeValue(first);
  switch (schema.type) {
    case 'object':
      return makeObject(schema);
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => makeValue(schema.items ?? {}));
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return makeText(schema);
  }
}

function makeText({ format = '', pattern, minLength = 1 }: Schema): string {
  const knownExample = BY_FORMAT[format];
  if (knownExample !== undefined) return knownExample;
  if (pattern !== undefined)
    return (
      fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: 1, numRuns: 20 }).find((text) => text.trim().length >= minLength) ?? ''
    );
  return 'a'.repeat(minLength);
}
