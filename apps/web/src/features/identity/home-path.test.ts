import { describe, expect, it } from 'vitest';
import { getHomePath } from './home-path.ts';

const trader = { type: 'trader', home_path: '/v2/instant-vat/dashboard?company_id=c1' } as const;
const unfinished = { type: 'trader', home_path: '/v2/instant-vat/steps/bank-account?company_id=c1' } as const;
const practice = { type: 'practice', home_path: '/v2/open-tax/dashboard?company_id=p1' } as const;
const unfinishedPractice = { type: 'practice', home_path: '/v2/open-tax/steps/arn?company_id=p1' } as const;
const client = { type: 'client', home_path: '/v2/open-tax/clients-portal/dashboard?company_id=c1' } as const;

describe('home', () => {
  it.each([
    ['of a trader', trader, null, '/v2/instant-vat/dashboard?company_id=c1'],
    ['of a trader, for the company that was named', trader, 'c2', '/v2/instant-vat/dashboard?company_id=c2'],
    ['of a trader whose newest company is not finished', unfinished, null, '/v2/instant-vat/steps/bank-account?company_id=c1'],
    ['of that one, for a company that was named', unfinished, 'c2', '/v2/instant-vat/dashboard?company_id=c2'],
    ['of a practice', practice, '', '/v2/open-tax/dashboard?company_id=p1'],
    ['of someone in several practices', practice, 'p2', '/v2/open-tax/dashboard?company_id=p2'],
    ['of a practice that is not finished', unfinishedPractice, 'p2', '/v2/open-tax/steps/arn?company_id=p1'],
    ['of an operator, whatever is named', { type: 'operator', home_path: '/admin' } as const, 'c1', '/admin'],
    ['of a client', client, null, '/v2/open-tax/clients-portal/dashboard?company_id=c1'],
    ['of a client, for the company that was named', client, 'c2', '/v2/open-tax/clients-portal/dashboard?company_id=c2'],
    ['where the server named a foreign place: none', { type: 'new', home_path: 'https://evil.example' } as const, null, ''],
  ])('%s', (_who, person, companyId, path) => {
    expect(getHomePath(person, companyId)).toBe(path);
  });
});
