/** Tests which tenant an input refers to, depending on its endpoint's access rule. */
import { describe, expect, it } from 'vitest';
import { completeQuery, findTenant, omitTenant } from './resolve-tenant.ts';

const PRACTICE_ID = '11111111-1111-4111-8111-111111111111';
const CLIENT_ID = '22222222-2222-4222-8222-222222222222';
const OTHER_ID = '33333333-3333-4333-8333-333333333333';

describe('the tenant of a request', () => {
  it.each([
    ['public', { company_id: PRACTICE_ID }, undefined],
    ['signed_in', { company_id: PRACTICE_ID }, undefined],
    ['operator.release', { company_id: PRACTICE_ID }, undefined],
    ['company.file_return', { company_id: PRACTICE_ID }, { kind: 'trader', companyId: PRACTICE_ID }],
    ['practice.manage', { company_id: PRACTICE_ID, client_id: CLIENT_ID }, { kind: 'practice', practiceId: PRACTICE_ID }],
    [
      'client.work',
      { company_id: PRACTICE_ID, client_id: CLIENT_ID, client_company_id: CLIENT_ID },
      { kind: 'client', practiceId: PRACTICE_ID, clientId: CLIENT_ID },
    ],
  ] as const)('for %s with %j is %j', (access, input, expected) => {
    expect(findTenant(access, input)).toEqual(expected);
  });

  it('is not found if the two names of a client differ', () => {
    const input = { company_id: PRACTICE_ID, client_id: CLIENT_ID, client_company_id: OTHER_ID };
    expect(() => findTenant('client.read', input)).toThrow(expect.objectContaining({ kind: 'notFound' }));
  });

  it("is the user's only practice and the named client if a read names the client as the company", async () => {
    const completed = await completeQuery(async () => PRACTICE_ID, 'client.read', { company_id: CLIENT_ID, tax_year: '2026' }, 'token');
    const tenant = findTenant('client.read', completed);
    expect(tenant).toEqual({ kind: 'client', practiceId: PRACTICE_ID, clientId: CLIENT_ID });
    expect(omitTenant(completed as Record<string, unknown>, tenant)).toEqual({ tax_year: '2026' });
  });

  it('is never filled in for a trader', async () => {
    const completed = await completeQuery(async () => PRACTICE_ID, 'company.read', {}, 'token');
    expect(() => findTenant('company.read', completed)).toThrow('badly formed');
  });

  it("keeps a practice's filter by client", () => {
    const input = { company_id: PRACTICE_ID, client_id: CLIENT_ID };
    expect(omitTenant(input, findTenant('practice.read', input))).toEqual({ client_id: CLIENT_ID });
  });
});
