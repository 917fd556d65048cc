/**
 * Tests the register over real HTTP through our client. Every successful response is checked against the published API description when it
 * is available.
 */
import { describe, expect, it } from 'vitest';
import { plainDate } from '@portal/domain/plain-date.ts';
import { createCompaniesHouseClient } from '@portal/providers/companies-house/companies-house-client.ts';
import { toOfficer } from '@portal/providers/companies-house/companies-house-map.ts';
import { startCompaniesHouse } from './testing/start-companies-house.ts';

describe('searching', () => {
  it('finds a company by the beginnings of its words', async () => {
    const { client } = await startCompaniesHouse();
    expect(await client.searchCompanies({ query: ' brightw  EXP ', limit: 10 })).toEqual([
      {
        companyNumber: '09482716',
        name: 'BRIGHTWELL EXPORTS LTD',
        status: 'active',
        type: 'ltd',
        address: 'Unit 4 Harbour Way, Bristol, England, BS1 5TY',
        incorporatedOn: '2015-03-11',
      },
    ]);
  });

  it('lists active companies before dissolved ones, and nothing when a word matches no name', async () => {
    const { client } = await startCompaniesHouse();
    const foundCompanies = await client.searchCompanies({ query: 'harlow', limit: 10 });
    expect(foundCompanies.map(({ companyNumber, status }) => [companyNumber, status])).toEqual([
      ['05518273', 'active'],
      ['08814305', 'dissolved'],
    ]);
    expect(await client.searchCompanies({ query: 'harlow zebra', limit: 10 })).toEqual([]);
  });

  it.each([
    ['9482716', '09482716'],
    ['oc318264', 'OC318264'],
    ['sc294817', 'SC294817'],
  ])('finds %s by its number', async (query, companyNumber) => {
    const { client } = await startCompaniesHouse();
    expect(await client.searchCompanies({ query, limit: 5 })).toMatchObject([{ companyNumber }]);
  });

  it('returns the best hit for a limit of one, although the API returns the second hit for one item a page', async () => {
    const harlow = await startCompaniesHouse();
    expect(await harlow.client.searchCompanies({ query: 'harlow', limit: 1 })).toMatchObject([{ companyNumber: '05518273' }]);
    const searchBody = await (await harlow.get('/search/companies?q=harlow&items_per_page=1&start_index=0')).json();
    expect(searchBody).toMatchObject({ start_index: 1, page_number: 2, items: [{ company_number: '08814305' }] });
  });

  it('sends no call for an empty query, and one call in five minutes for the same words', async () => {
    const { client, requestedPaths, passMinutes } = await startCompaniesHouse();
    expect(await client.searchCompanies({ query: '   ', limit: 10 })).toEqual([]);
    expect(requestedPaths).toEqual([]);
    const [first, second] = await Promise.all(['Oakline', ' oakline '].map((query) => client.searchCompanies({ query, limit: 10 })));
    expect(first).toEqual(second);
    expect(requestedPaths).toHaveLength(1);
    passMinutes(4);
    await client.searchCompanies({ query: 'oakline', limit: 10 });
    expect(requestedPaths).toHaveLength(1);
    passMinutes(1);
    await client.searchCompanies({ query: 'oakline', limit: 10 });
    expect(requestedPaths).toHaveLength(2);
  });

  it('treats hostile text as text', async () => {
    const { client } = await startCompaniesHouse();
    for (const query of [`' or 1=1 --`, '<script>alert(1)</script>', '../../etc/passwd', '&q=brightwell', '%00', 'a'.repeat(5_000)]) {
      expect(await client.searchCompanies({ query, limit: 10 })).toEqual([]);
    }
  });
});

describe('a company', () => {
  it('is returned with everything the rules need', async () => {
    const { client } = await startCompaniesHouse();
    expect(await client.findCompany('9482716')).toEqual({
      companyNumber: '09482716',
      name: 'BRIGHTWELL EXPORTS LTD',
      previousNames: [],
      status: 'active',
      type: 'ltd',
      incorporatedOn: '2015-03-11',
      registeredOffice: { lines: ['Unit 4 Harbour Way', 'Bristol'], postcode: 'BS1 5TY', country: 'England' },
      sicCodes: ['46900'],
      accounts: {
        referenceDay: { day: 31, month: 3 },
        nextPeriodEndsOn: '2027-03-31',
        nextDueOn: '2027-12-31',
        isOverdue: false,
        last: { periodEndsOn: '2026-03-31', kind: 'total-exemption-full' },
      },
      confirmationStatement: { lastMadeUpTo: '2026-03-10', nextMadeUpTo: '2027-03-10', nextDueOn: '2027-03-24', isOverdue: false },
      insolvency: { isInsolvent: false, hasHistory: false },
      readAt: '2026-11-18T10:00:00.000Z',
    });
  });

  it.each([
    ['06402518', 'liquidation', true, true],
    ['07120946', 'administration', true, true],
    ['04981627', 'voluntary-arrangement', true, true],
    ['03350712', 'receivership', true, true],
    ['08814305', 'dissolved', false, false],
    ['00041823', 'active', false, true],
    ['OC318264', 'active', false, false],
  ])('%s is %s; insolvent: %s, ever: %s', async (number, status, isInsolvent, hasHistory) => {
    const { client } = await startCompaniesHouse();
    expect(await client.findCompany(number)).toMatchObject({ status, insolvency: { isInsolvent, hasHistory } });
  });

  it('with late accounts is overdue, and one with only the deprecated fields is still read', async () => {
    const { client, get } = await startCompaniesHouse();
    expect((await client.findCompany('10774923'))?.accounts).toMatchObject({
      isOverdue: true,
      nextPeriodEndsOn: '2024-05-31',
      nextDueOn: '2025-02-28',
    });
    const wire = (await (await get('/company/00041823')).json()) as { accounts: object };
    expect(wire.accounts).not.toHaveProperty('next_accounts');
    expect((await client.findCompany('41823'))?.accounts).toMatchObject({
      isOverdue: false,
      nextPeriodEndsOn: '2026-06-30',
      nextDueOn: '2027-03-31',
    });
  });

  it('without accounts or confirmation statement is returned without them', async () => {
    const { client } = await startCompaniesHouse();
    const overseas = await client.findCompany('FC038214');
    expect(overseas).toMatchObject({ type: 'oversea-company', status: 'active' });
    expect(overseas).not.toHaveProperty('accounts');
    expect(overseas).not.toHaveProperty('confirmationStatement');
    expect(await client.findCompany('08814305')).toMatchObject({ ceasedOn: '2021-05-18' });
  });

  it('with a proposal to strike it off says so, and shows its late confirmation statement as overdue', async () => {
    const { client } = await startCompaniesHouse();
    expect(await client.findCompany('11625840')).toMatchObject({
      statusDetail: 'active-proposal-to-strike-off',
      confirmationStatement: { isOverdue: true },
    });
  });

  it('that changed its name is returned with its former names', async () => {
    const { client } = await startCompaniesHouse();
    expect(await client.findCompany('00041823')).toMatchObject({ previousNames: ['CALDERSTONE GAS CONSUMERS COMPANY'] });
  });

  it('with an unknown or invalid number is undefined', async () => {
    const { client, requestedPaths } = await startCompaniesHouse();
    expect(await client.findCompany('09999999')).toBeUndefined();
    expect(await client.findCompany('QQ123456')).toBeUndefined();
    expect(await client.findCompany('../officers')).toBeUndefined();
    expect(requestedPaths).toEqual(['/company/09999999']);
  });

  it('is fetched once a day, and an unknown one every five minutes', async () => {
    const { client, requestedPaths, controls, passMinutes } = await startCompaniesHouse();
    const [first, second] = await Promise.all([client.findCompany('09482716'), client.findCompany('9482716')]);
    expect(first).toEqual(second);
    controls.setStatus('09482716', 'liquidation');
    passMinutes(23 * 60);
    expect(await client.findCompany('09482716')).toMatchObject({ status: 'active' });
    expect(requestedPaths).toHaveLength(1);
    passMinutes(60);
    expect(await client.findCompany('09482716')).toMatchObject({ status: 'liquidation' });
    expect(await client.findCompany('09999999')).toBeUndefined();
    passMinutes(5);
    await client.findCompany('09999999');
    expect(requestedPaths).toHaveLength(4);
  });

  it('becomes overdue as the clock moves on after it stops filing', async () => {
    const { client, controls, moveTo } = await startCompaniesHouse();
    expect((await client.findCompany('05518273'))?.accounts).toMatchObject({ isOverdue: false });
    expect(controls.setFilingHabit('05518273', 'behind')).toBe(true);
    expect(controls.setFilingHabit('09999999', 'behind')).toBe(false);
    moveTo('2028-01-10T09:00:00Z');
    expect((await client.findCompany('05518273'))?.accounts).toMatchObject({ isOverdue: true });
    expect((await client.findCompany('09482716'))?.accounts).toMatchObject({ isOverdue: false, nextPeriodEndsOn: '2028-03-31' });
  });
});

describe('identity verification', () => {
  it('is due, supplied by the person or by an authorised provider, or else absent', async () => {
    const { client, controls, get } = await startCompaniesHouse('2026-03-12T10:00:00Z');
    const find = async () => {
      const officers = await client.listOfficers('09482716');
      return officers.map(({ name, identity }) => [name, identity]);
    };
    // The secretary needn’t verify. Brightwell’s first confirmation date after 18 November 2025 is 10 March 2026.
    expect(await find()).toEqual([
      ['BRIGHT, Tessa', { dueOn: '2026-03-24' }],
      ['BRIGHT, Owen James', undefined],
    ]);
    // Her window as a controller who is also a director opens on the confirmation date.
    expect(await client.listControllers('09482716')).toMatchObject([
      { name: 'Ms Tessa Bright', identity: { opensOn: '2026-03-10', dueOn: '2026-03-24' } },
    ]);
    const supplied_on = plainDate('2026-03-01');
    expect(controls.setIdentity('09482716', 'BRIGHT, Tessa', { supplied_on, verified_by: 'OAKLINE ACCOUNTING LTD' })).toBe(true);
    const { items } = (await (await get('/company/09482716/officers')).json()) as { items: Record<string, unknown>[] };
    expect(items[0]?.['identity_verification_details']).toEqual({
      anti_money_laundering_supervisory_bodies: ['Institute of Chartered Accountants in England and Wales (ICAEW)'],
      authorised_corporate_service_provider_name: 'OAKLINE ACCOUNTING LTD',
      identity_verified_on: '2026-03-01',
      appointment_verification_start_on: '2026-03-01',
      appointment_verification_end_on: '9999-12-31',
    });
    expect(controls.setIdentity('09482716', 'OTHER, Ned', {})).toBe(false);
  });

  it('is supplied while the statement is in place, and removed when the register has ended it', async () => {
    const { settings, controls } = await startCompaniesHouse('2026-03-12T10:00:00Z');
    const read = async (identity: Parameters<typeof controls.setIdentity>[2]) => {
      controls.setIdentity('09482716', 'BRIGHT, Tessa', identity);
      // A new client has nothing cached.
      return (await createCompaniesHouseClient(settings).listOfficers('09482716'))[0]?.identity;
    };
    expect(await read({ supplied_on: plainDate('2026-03-01') })).toEqual({ suppliedOn: '2026-03-01' });
    expect(await read({ supplied_on: plainDate('2026-03-01'), removed_on: plainDate('2026-03-05') })).toEqual({
      suppliedOn: '2026-03-01',
      removedOn: '2026-03-05',
    });
  });

  it('isn’t verified if its end date can’t be read', () => {
    const wire = { name: 'BRIGHT, Tessa', officer_role: 'director', appointed_on: null, resigned_on: null, date_of_birth: null };
    const details = { appointment_verification_statement_date: null, appointment_verification_statement_due_on: '2026-03-24' };
    const toIdentity = (end: string | null) =>
      toOfficer({
        ...wire,
        identity_verification_details: {
          ...details,
          appointment_verification_start_on: '2026-03-01',
          appointment_verification_end_on: end,
        },
      }).identity;
    expect(toIdentity(null)).toEqual({ dueOn: '2026-03-24', suppliedOn: '2026-03-01' });
    expect(toIdentity('soon')).toEqual({ dueOn: '2026-03-24' });
  });
});

describe('officers', () => {
  it('are the current ones', async () => {
    const { client } = await startCompaniesHouse();
    expect(await client.listOfficers('09482716')).toEqual([
      {
        name: 'BRIGHT, Tessa',
        surname: 'BRIGHT',
        forenames: 'Tessa',
        role: 'director',
        appointedOn: '2015-03-11',
        bornIn: '1983-12',
        identity: expect.any(Object) as object,
      },
      { name: 'BRIGHT, Owen James', surname: 'BRIGHT', forenames: 'Owen James', role: 'secretary', appointedOn: '2018-06-01' },
    ]);
    expect((await client.listOfficers('OC318264')).at(-1)).toEqual({
      name: 'KESTREL NOMINEES LIMITED',
      role: 'corporate-llp-member',
      appointedOn: '2016-05-09',
    });
    expect(await client.listOfficers('09999999')).toEqual([]);
  });

  it('are read page by page to the end', async () => {
    const { client, controls, requestedPaths } = await startCompaniesHouse();
    const brightwell = controls.findCompany('09482716');
    if (!brightwell) throw new Error('Brightwell is missing');
    const [officer] = brightwell.officers;
    if (!officer) throw new Error('Brightwell has no officer');
    const officers = Array.from({ length: 230 }, (_, index) => ({ ...officer, name: `MEMBER, Number ${index}` }));
    controls.putCompany({ ...brightwell, officers });
    expect(await client.listOfficers('09482716')).toHaveLength(230);
    expect(requestedPaths.map((path) => /start_index=(\d+)/.exec(path)?.[1])).toEqual(['0', '100', '200']);
  });
});

describe('a failed call', () => {
  it('is throttled after 600 calls in five minutes, and no further call is sent until the time that the register gives', async () => {
    const { client, get, requestedPaths, passMinutes } = await startCompaniesHouse();
    for (let call = 1; call <= 599; call += 1) await (await get('/nothing')).body?.cancel();
    await client.findCompany('09482716');
    passMinutes(3);
    const throttled = { failure: 'throttled', facts: { provider: 'companies_house', status: 429, retryAfterSeconds: 120 } };
    await expect(client.findCompany('07331942')).rejects.toMatchObject(throttled);
    const before = requestedPaths.length;
    await expect(client.searchCompanies({ query: 'oakline', limit: 5 })).rejects.toMatchObject(throttled);
    expect(requestedPaths).toHaveLength(before);
    // Cached profiles are still returned.
    expect(await client.findCompany('09482716')).toMatchObject({ companyNumber: '09482716' });
    passMinutes(2);
    expect(await client.findCompany('07331942')).toMatchObject({ name: 'OAKLINE ACCOUNTING LTD' });
  });

  it('with a wrong key is unauthorized and does not reveal the key', async () => {
    const { settings } = await startCompaniesHouse();
    const call = createCompaniesHouseClient({ ...settings, apiKey: 'my-secret-key' }).findCompany('09482716');
    await expect(call).rejects.toMatchObject({ failure: 'unauthorized', facts: { status: 401, code: 'Invalid Authorization' } });
    await expect(call).rejects.not.toThrow('my-secret-key');
  });

  it.each([
    ['too_many', 'throttled'],
    ['server_error', 'unavailable'],
    ['malformed_body', 'unavailable'],
    ['timeout_after_work', 'unavailable'],
  ] as const)('%s fails as %s and is not cached', async (kind, failure) => {
    const { client, faults, passMinutes } = await startCompaniesHouse();
    faults.set({ operation: 'companies_house.profile', kind, times: 1 });
    await expect(client.findCompany('09482716')).rejects.toMatchObject({ failure });
    passMinutes(5);
    expect(await client.findCompany('09482716')).toMatchObject({ name: 'BRIGHTWELL EXPORTS LTD' });
  });

  it('to another server does not mean "company not found"', async () => {
    const { settings, apiUrl, close, client } = await startCompaniesHouse();
    const unreachableClient = createCompaniesHouseClient({ ...settings, apiUrl: apiUrl.replace('/ch', '/elsewhere') });
    await expect(unreachableClient.findCompany('09482716')).rejects.toMatchObject({ failure: 'refused', facts: { status: 404 } });
    await close();
    await expect(client.findCompany('09482716')).rejects.toMatchObject({ failure: 'unavailable' });
  });
});
