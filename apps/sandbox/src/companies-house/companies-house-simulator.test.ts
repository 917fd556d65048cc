/** Tests the simulator's key check, limits, paging and register, checked against the published API description. */
import { plainDate } from '@portal/domain/plain-date.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { describe, expect, it } from 'vitest';
import { generateCompanies } from './generate-companies.ts';
import { getAccountsState, getConfirmationState } from './register-company.ts';
import { SEED_COMPANIES } from './seed-companies.ts';
import { validateResponse, startCompaniesHouse } from './testing/start-companies-house.ts';
import { buildSourceNote, PROVIDER_DESCRIPTIONS } from '../testing/published-source.ts';

type SearchResponse = {
  total_results: number;
  start_index: number;
  items_per_page: number;
  page_number: number;
  items: { company_number: string; title: string; matches: { title: number[] } }[];
};

describe('access', () => {
  it('requires the key as user name with an empty password', async () => {
    const { get } = await startCompaniesHouse();
    const unauthorisedResponse = await get('/company/09482716', '');
    expect([unauthorisedResponse.status, await unauthorisedResponse.json()]).toEqual([
      401,
      { error: 'Empty Authorization header', type: 'ch:service' },
    ]);
    const passwordAuthorization = `Basic ${Buffer.from(':sandbox-companies-house-key').toString('base64')}`;
    for (const authorization of ['Bearer sandbox-companies-house-key', passwordAuthorization, 'Basic !!']) {
      expect((await get('/company/09482716', authorization)).status).toBe(401);
    }
  });

  it('counts calls, reports the remaining ones and rejects the 601st', async () => {
    const { get, controls, passMinutes } = await startCompaniesHouse();
    const firstResponse = await get('/company/09482716');
    const reset = String(Date.parse('2026-11-18T10:05:00Z') / 1000);
    const readRateLimitHeaders = (response: Response) =>
      ['limit', 'remain', 'reset', 'window'].map((name) => response.headers.get(`x-ratelimit-${name}`));
    expect(readRateLimitHeaders(firstResponse)).toEqual(['600', '599', reset, '5m']);
    for (let call = 2; call <= 600; call += 1) expect((await get('/company/x')).status).toBe(404);
    passMinutes(4);
    const closedCompanyResponse = await get('/company/09482716');
    expect([closedCompanyResponse.status, ...readRateLimitHeaders(closedCompanyResponse)]).toEqual([429, '600', '0', reset, '5m']);
    passMinutes(1);
    expect((await get('/company/09482716')).status).toBe(200);
    expect(controls.callsInWindow()).toBe(1);
  });

  it('returns the register’s error codes for unknown companies', async () => {
    const { get } = await startCompaniesHouse();
    const unknownResponse = await get('/company/09999999');
    expect([unknownResponse.status, await unknownResponse.json()]).toEqual([
      404,
      { errors: [{ error: 'company-profile-not-found', type: 'ch:service' }] },
    ]);
    expect((await get('/company/9482716')).status).toBe(404);
    expect((await get('/company/oc318264')).status).toBe(404);
    expect((await get('/search/companies')).status).toBe(400);
  });
});

describe('paging', () => {
  it.each([
    ['', 20, 0, 1],
    ['&items_per_page=5&start_index=10', 5, 10, 3],
    ['&items_per_page=5&start_index=12', 5, 10, 3],
    ['&items_per_page=500', 100, 0, 1],
    ['&items_per_page=0', 20, 0, 1],
    ['&items_per_page=x&start_index=-3', 20, 0, 1],
  ])('for %j returns %i items a page from item %i, which is page %i', async (query, items_per_page, start_index, page_number) => {
    const { get } = await startCompaniesHouse();
    const searchBody = (await (await get(`/search/companies?q=ltd${query}`)).json()) as SearchResponse;
    expect(searchBody).toMatchObject({ items_per_page, start_index, page_number });
    expect(searchBody.total_results).toBeGreaterThan(200);
    expect(searchBody.items).toHaveLength(items_per_page);
  });

  it('returns the first thousand hits and no more', async () => {
    const { get, controls } = await startCompaniesHouse();
    controls.addCompanies(1_500, 7);
    const last = (await (await get('/search/companies?q=ltd&items_per_page=100&start_index=900')).json()) as SearchResponse;
    expect(last.total_results).toBeGreaterThan(1_000);
    expect(last.items).toHaveLength(100);
    expect((await get('/search/companies?q=ltd&items_per_page=100&start_index=1000')).status).toBe(416);
    expect((await get('/search/companies?q=ltd&start_index=990')).status).toBe(416);
  });

  it('marks the matched words, counted from 1, and applies the restrictions', async () => {
    const { get } = await startCompaniesHouse();
    const search = async (query: string) => (await (await get(`/search/companies?q=${query}`)).json()) as SearchResponse;
    const [hit] = (await search('join%20harl')).items;
    expect(hit).toMatchObject({ title: 'HARLOW JOINERY LTD', matches: { title: [1, 4, 8, 11] } });
    expect((await search('harlow&restrictions=active-companies')).items.map((item) => item.company_number)).toEqual(['05518273']);
    expect((await search('harlow%20joinery%20limited&restrictions=legally-equivalent-company-name')).total_results).toBe(1);
    expect((await search('harlow%20joinery&restrictions=legally-equivalent-company-name')).total_results).toBe(0);
  });
});

describe('the register', () => {
  it('generates the same companies for the same seed, each with its own number and name', () => {
    const companies = generateCompanies(1_000, 3);
    expect(generateCompanies(1_000, 3)).toEqual(companies);
    expect(generateCompanies(10, 4)).not.toEqual(companies.slice(0, 10));
    expect(new Set(companies.map(({ number }) => number)).size).toBe(1_000);
    expect(new Set(companies.map(({ name }) => name)).size).toBe(1_000);
    const kinds = new Set(companies.map(({ status, status_detail, type }) => `${type} ${status} ${status_detail ?? ''}`.trim()));
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining(['llp active', 'ltd active', 'ltd active active-proposal-to-strike-off', 'ltd dissolved', 'ltd liquidation']),
    );
  });

  it('contains only valid numbers, each once, and a current officer for every company', () => {
    const allCompanies = [...SEED_COMPANIES, ...generateCompanies(400, 1)];
    expect(new Set(allCompanies.map(({ number }) => number)).size).toBe(allCompanies.length);
    for (const { number, officers, incorporated_on, ceased_on } of allCompanies) {
      expect(parseCompanyNumber(number)).toEqual({ ok: true, value: number });
      expect(officers.some(({ resigned_on }) => resigned_on === undefined)).toBe(true);
      expect(incorporated_on < (ceased_on ?? '2026-11-18')).toBe(true);
    }
  });

  it('stores changes until a reset', async () => {
    const { controls, store } = await startCompaniesHouse();
    expect(controls.setStatus('05518273', 'administration')).toBe(true);
    expect(controls.setStatus('09999999', 'administration')).toBe(false);
    expect(controls.findCompany('05518273')).toMatchObject({ status: 'administration' });
    const before = controls.listCompanies().length;
    controls.addCompanies(50, 9);
    controls.addCompanies(50, 9);
    expect(controls.listCompanies().length).toBe(before + 50);
    store.reset();
    expect(controls.listCompanies().length).toBe(before);
    expect(controls.findCompany('05518273')).toMatchObject({ status: 'active' });
  });

  it('sets the first accounts due 21 months after incorporation, and a public company’s accounts after 6', () => {
    const brightwellCompany = SEED_COMPANIES.find(({ number }) => number === '09482716');
    const fenwickCompany = SEED_COMPANIES.find(({ number }) => number === '01937465');
    if (!brightwellCompany || !fenwickCompany) throw new Error('a seeded company is missing');
    // Nine months from the first anniversary, because the period from 11 March 2015 to 31 March 2016 is longer than 12 months (Companies
    // Act 2006 s442(3)).
    expect(getAccountsState(brightwellCompany, plainDate('2015-06-01'))).toEqual({
      reference: { day: 31, month: 3 },
      next: { from: '2015-03-11', to: '2016-03-31', due: '2016-12-11' },
    });
    expect(getAccountsState(fenwickCompany, plainDate('2026-11-18'))?.next).toMatchObject({ to: '2026-08-31', due: '2027-02-28' });
    expect(getConfirmationState(brightwellCompany, plainDate('2015-06-01'))).toEqual({ next: '2016-03-10', due: '2016-03-24' });
  });
});

describe.skipIf(!validateResponse)(
  `Companies House’s published description ${buildSourceNote(PROVIDER_DESCRIPTIONS, validateResponse)}`,
  () => {
    it('matches every company of the register and a full page of hits', async () => {
      const { get, controls, passMinutes } = await startCompaniesHouse();
      for (const [index, { number }] of [...SEED_COMPANIES, ...controls.listCompanies().slice(-60)].entries()) {
        if (index % 200 === 199) passMinutes(5);
        expect((await get(`/company/${number}`)).status).toBe(200);
        expect((await get(`/company/${number}/officers`)).status).toBe(200);
      }
      for (const query of ['ltd', 'llp', 'harlow', 'nordvik'])
        expect((await get(`/search/companies?q=${query}&items_per_page=100`)).status).toBe(200);
    });

    it('rejects responses that differ from it', async () => {
      const { get } = await startCompaniesHouse();
      const profile = (await (await get('/company/09482716')).json()) as { accounts: object };
      const validateProfile = (overrides: object) => validateResponse?.('/company/09482716', { ...profile, ...overrides });
      expect(validateProfile({})).toBeUndefined();
      expect(validateProfile({ company_name: undefined })).toMatch(/company_name/);
      expect(validateProfile({ company_status: 'asleep' })).toMatch(/company_status/);
      expect(validateProfile({ accounts: { ...profile.accounts, next_made_up_to: undefined } })).toMatch(/next_made_up_to/);
      expect(validateProfile({ accounts: { ...profile.accounts, accounting_reference_date: { day: '31' } } })).toMatch(/month/);
      expect(validateProfile({ registered_office_address: { country: 'Atlantis' } })).toMatch(/country/);
      const searchResponse = (await (await get('/search/companies?q=harlow')).json()) as SearchResponse;
      expect(validateResponse?.('/search/companies', searchResponse)).toBeUndefined();
      expect(
        validateResponse?.('/search/companies', { ...searchResponse, items: [{ ...searchResponse.items[0], title: undefined }] }),
      ).toMatch(/title/);
      expect(validateResponse?.('/search/companies', { ...searchResponse, kind: 'search#all' })).toMatch(/kind/);
      const officers = (await (await get('/company/09482716/officers')).json()) as object;
      expect(validateResponse?.('/company/09482716/officers', { ...officers, active_count: undefined })).toMatch(/active_count/);
    });
  },
);
