/**
 * Calls every endpoint of the contract with keys that have its scope, that have every other scope, and that belong to the wrong company.
 */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import type { Access, Endpoint } from '@portal/contract/endpoint.ts';
import { API_SCOPES, type ApiScope } from '@portal/domain/developers/api-scopes.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPractice } from '../../testing/add-practice.ts';
import { addTestKey } from '../../testing/add-test-key.ts';
import { addTraderCompany } from '../../testing/add-trader-company.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

type NeededScope = ApiScope | 'person' | 'hidden' | 'none';

/** Independent of the contract's table, which it verifies. */
const READ_SCOPES: Partial<Record<Access, NeededScope>> = {
  public: 'none',
  'practice.read': 'clients.read',
  'client.read': 'clients.read',
  'client.companies': 'clients.read',
  'client.figures': 'figures.read',
  'company.read': 'figures.read',
  'practice.work': 'tasks.read',
  'practice.messages': 'messages.read',
  'practice.export': 'exports.read',
};
const WRITE: Partial<Record<Access, NeededScope>> = {
  public: 'none',
  'client.work': 'clients.write',
  'practice.clients': 'clients.edit',
  'practice.work': 'tasks.write',
  'practice.messages': 'messages.write',
  'practice.export': 'exports.read',
  'client.invite': 'clients.invite',
};

function getNeededScope({ access, method, callsHmrc, needsPerson }: Endpoint): NeededScope {
  if (access.startsWith('operator')) return 'hidden';
  if (access === 'public') return 'none';
  if (callsHmrc || needsPerson) return 'person';
  return (method === 'GET' ? READ_SCOPES : WRITE)[access] ?? 'person';
}

const ENDPOINTS = Object.entries(ALL_ENDPOINTS).flatMap(([api, calls]) =>
  Object.entries<Endpoint>(calls).map(([name, endpoint]) => ({ name: `${api}.${name}`, endpoint, needed: getNeededScope(endpoint) })),
);

let portal: TestPortal;
type Owner = { readonly companyId: string; readonly userId: string; readonly keys: Map<string, string> };
const owners: Partial<Record<'practice' | 'trader', Owner>> = {};
let otherCompanyId = '';
const ids = { client_id: randomUUID(), client_company_id: '' };
ids.client_company_id = ids.client_id;

beforeAll(async () => {
  portal = await openTestPortal();
  const practice = await addPractice(portal);
  owners.practice = { companyId: practice.companyId, userId: practice.adminId, keys: new Map() };
  owners.trader = { ...(await addTraderCompany(portal)), keys: new Map() };
  otherCompanyId = (await addPractice(portal)).companyId;
});
afterAll(() => portal.close());

async function call(endpoint: Endpoint, scopes: readonly ApiScope[], input: Record<string, unknown>) {
  const owner = owners[endpoint.access.startsWith('company.') ? 'trader' : 'practice'];
  if (!owner) throw new Error('not seeded');
  const name = scopes.join(' ');
  const key = owner.keys.get(name) ?? (await addTestKey(portal, { ...owner, scopes }));
  owner.keys.set(name, key);
  const response = await portal.app.inject({
    method: endpoint.method,
    url: `/portal${endpoint.path}`,
    ...(endpoint.method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
  });
  const { code } = (response.body && String(response.headers['content-type']).includes('json') ? response.json() : {}) as { code?: string };
  return response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 404
    ? (code ?? String(response.statusCode))
    : 'allowed';
}

describe('an API key', () => {
  it.each(ENDPOINTS)('follows the scopes of $name', async ({ endpoint, needed }) => {
    if (needed === 'none') return;
    if (needed === 'person' || needed === 'hidden') {
      const refusalCode = needed === 'hidden' ? 'request.not_found' : 'api_key.needs_person';
      expect(await call(endpoint, API_SCOPES, ids)).toBe(refusalCode);
      return;
    }
    const allOthers = API_SCOPES.filter((scope) => scope !== needed);
    expect(await call(endpoint, allOthers, ids)).toBe('api_key.scope_missing');
    expect(await call(endpoint, [needed], { ...ids, company_id: otherCompanyId })).toBe('request.not_found');
    expect(await call(endpoint, [needed], {})).toBe('allowed');
  });

  it('has a call for every scope', () => {
    expect(API_SCOPES.filter((scope) => !ENDPOINTS.some(({ needed }) => needed === scope))).toEqual(['exports.read']);
  });
});
