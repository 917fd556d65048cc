/** Tests which tenant an input refers to, depending on its endpoint's access rule. */
import { describe, expect, it } from 'vitest';
import { completeQuery, findTenant, omitTenant } from './resolve-tenant.ts';

const PRACTICE = '11111111-1111-4111-8111-111111111111';
const CLIENT = '22222222-2222-4222-8222-222222222222';
const OTHER = '33333333-3333-4333-8333-333333333333';

describe('the tenant of a request', () => {
  it.each([
    ['public', { company_id: PRACTICE }, undefined],
    ['signed_in', { company_id: PRACTICE }, undefined],
    ['operator.release', { company_id: PRACTICE }, undefined],
    ['company.file_return', { company_id: PRACTICE }, { kind: 'trader', companyId: PRACTICE }],
    ['practice.manage', { company_id: PRACTICE, client_id: CLIENT }, { kind: 'practice', practiceId: PRACTICE }],
    [
      'client.work',
      { company_id: PRACTICE, client_id: CLIENT, client_company_id: CLIENT },
      { kind: 'client', practiceId: PRACTICE, clientId: CLIENT },
    ],
  ] as const)('for %s with %j is %j', (access, input, expected) => {
    expect(findTenant(access, input)).toEqual(expected);
  });

  it('is not found if the two names of a client differ', () => {
    const input = { company_id: PRACTICE, client_id: CLIENT, client_company_id: OTHER };
    expect(() => findTenant('client.read', input)).toThrow(expect.objectContaining({ kind: 'notFound' }));
  });

  it("is the person's only practice and the named client if a read names the client as the company", async () => {
    const completed = await completeQuery(async () => PRACTICE, 'client.read', { company_id: CLIENT, tax_year: '2026' }, 'token');
    const tenant = findTenant('client.read', completed);
    expect(tenant).toEqual({ kind: 'client', practiceId: PRACTICE, clientId: CLIENT });
    expect(omitTenant(completed as Record<string, unknown>, tenant)).toEqual({ tax_year: '2026' });
  });

  it('is never filled in for a trader', async () => {
    const completed = await completeQuery(async () => PRACTICE, 'company.read', {}, 'token');
    expect(() => findTenant('company.read', completed)).toThrow('badly formed');
  });

  it("keeps a practice's filter by client", () => {
    const input = { company_id: PRACTICE, client_id: CLIENT };
    expect(omitTenant(input, findTenant('practice.read', input))).toEqual({ client_id: CLIENT });
  });
});
