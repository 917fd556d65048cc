/** API keys of a practice or a trader's company, for calling this API without a browser (docs/decisions/0064-api-keys-and-webhooks.md). */
import { API_SCOPES, COMPANY_SCOPES, KEY_LIFETIMES } from '@portal/domain/developers/api-scopes.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, createNameScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

/** `ended`: the user whom the key acts for has left, or has reset their password. */
export const KEY_STATUSES = ['active', 'expired', 'revoked', 'ended'] as const;

const scope = z.enum(API_SCOPES);

const apiKey = z.object({
  key_id: idScalar,
  name: z.string(),
  scopes: z.array(scope),
  /** The start and end of the key, to help recognise it, for example "ptl_live_…x7Qa". */
  hint: z.string(),
  /** The user whose rights limit the key's rights. */
  acts_for: z.string(),
  created_at: instantScalar,
  expires_at: instantScalar,
  /** Accurate to the minute. Null if the key has never been used. */
  last_used_at: z.nullable(instantScalar),
  status: z.enum(KEY_STATUSES),
});
export type ApiKey = z.output<typeof apiKey>;

const listOutput = z.object({
  keys: z.array(apiKey),
});

const createInput = <Scope extends string>(scopes: z.ZodMiniType<Scope, Scope>) =>
  z.extend(companyInput, {
    name: createNameScalar('a name for the key'),
    scopes: z.array(scopes).check(z.minLength(1, 'Select at least one permission'), z.maxLength(API_SCOPES.length)),
    days: z.literal([...KEY_LIFETIMES], 'Choose how long the key is valid'),
  });

/** The only response that contains the key itself. */
const createOutput = z.object({ key_id: idScalar, key: z.string(), expires_at: instantScalar });

const revokeInput = z.extend(companyInput, { key_id: idScalar });

export const apiKeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/api-keys',
    access: 'practice.api',
    summary: 'List the practice’s API keys (without the secret values)',
    input: companyInput,
    output: listOutput,
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/api-keys',
    access: 'practice.api',
    summary: 'Create an API key that acts for you. Only this response contains the key.',
    input: createInput(scope),
    output: createOutput,
    maxPerPerson: 30,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/open-tax/api-keys/revoke',
    access: 'practice.api',
    summary: 'Revoke an API key. It stops working immediately.',
    input: revokeInput,
    output: doneOutput,
  }),
};

export const companyApiKeysApi = {
  list: endpoint({
    method: 'GET',
    path: '/instant-vat/api-keys',
    access: 'company.api',
    summary: 'List the company’s API keys (without the secret values)',
    input: companyInput,
    output: listOutput,
  }),
  create: endpoint({
    method: 'POST',
    path: '/instant-vat/api-keys',
    access: 'company.api',
    summary: 'Create an API key that acts for you. Only this response contains the key.',
    input: createInput(z.enum(COMPANY_SCOPES)),
    output: createOutput,
    maxPerPerson: 30,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/instant-vat/api-keys/revoke',
    access: 'company.api',
    summary: 'Revoke an API key. It stops working immediately.',
    input: revokeInput,
    output: doneOutput,
  }),
};
