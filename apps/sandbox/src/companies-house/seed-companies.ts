/**
 * The sandbox's hand-made companies: those of the seeded users (docs/product/decisions.md section 12), and one of each kind that a rule
 * treats separately.
 */
import { plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { BRIGHTWELL } from '../seed/seed-data.ts';
import type { RegisterAddress, RegisterCompany, RegisterController, RegisterOfficer } from './register-company.ts';

type CompanyOverrides = Pick<RegisterCompany, 'number' | 'name' | 'incorporated_on' | 'address' | 'officers'> & Partial<RegisterCompany>;

/** Creates an active private company in England that files on time, unless overridden. */
function createCompany(overrides: CompanyOverrides): RegisterCompany {
  return {
    type: 'ltd',
    status: 'active',
    jurisdiction: 'england-wales',
    sic_codes: ['70229'],
    accounts: 'prompt',
    accounts_kind: 'micro-entity',
    confirmation: 'prompt',
    ...overrides,
    name: overrides.name.toUpperCase(),
  };
}

function toAddress(
  premises: string,
  address_line_1: string,
  locality: string,
  postal_code: string,
  overrides: Partial<RegisterAddress> = {},
): RegisterAddress {
  return { premises, address_line_1, locality, postal_code, country: 'England', ...overrides };
}

function createOfficer(name: string, appointedOn: string, role = 'director', resignedOn?: string): RegisterOfficer {
  return { name, role, appointed_on: plainDate(appointedOn), ...(resignedOn ? { resigned_on: plainDate(resignedOn) } : {}) };
}

function createController(name: string, notifiedOn: string): RegisterController {
  return { name, kind: 'individual-person-with-significant-control', notified_on: plainDate(notifiedOn) };
}

const toDate = (text: string): PlainDate => plainDate(text);

export const SEED_COMPANIES: readonly RegisterCompany[] = [
  createCompany({
    number: '09482716',
    name: BRIGHTWELL.organisationName,
    incorporated_on: toDate('2015-03-11'),
    address: toAddress('Unit 4', 'Harbour Way', 'Bristol', 'BS1 5TY'),
    sic_codes: ['46900'],
    accounts_kind: 'total-exemption-full',
    officers: [
      createOfficer('BRIGHT, Tessa', '2015-03-11'),
      createOfficer('BRIGHT, Owen James', '2018-06-01', 'secretary'),
      createOfficer('LANE, Marcus', '2015-03-11', 'director', '2019-01-31'),
    ],
    controllers: [createController('Ms Tessa Bright', '2016-04-06')],
  }),
  createCompany({
    number: '07331942',
    name: 'Oakline Accounting Ltd',
    incorporated_on: toDate('2010-07-30'),
    address: toAddress('12', 'Exchange Square', 'Leeds', 'LS1 4HT', { region: 'West Yorkshire' }),
    sic_codes: ['69201'],
    officers: [createOfficer('OAKES, Priya', '2010-07-30'), createOfficer('REED, Thomas', '2021-04-06', 'secretary')],
  }),
  createCompany({
    number: '05518273',
    name: 'Harlow Joinery Ltd',
    incorporated_on: toDate('2005-07-25'),
    address: toAddress('Workshop 2', 'Mill Lane', 'Harlow', 'CM20 2QE', { region: 'Essex' }),
    sic_codes: ['43320'],
    officers: [createOfficer('HARLOW, Carl', '2005-07-25')],
  }),
  createCompany({
    number: '08814305',
    name: 'Harlow & Sons Timber Limited',
    incorporated_on: toDate('2013-12-13'),
    address: toAddress('9', 'Station Road', 'Harlow', 'CM20 1AA', { region: 'Essex' }),
    status: 'dissolved',
    ceased_on: toDate('2021-05-18'),
    officers: [createOfficer('HARLOW, Carl', '2013-12-13')],
  }),
  createCompany({
    number: '06402518',
    name: 'Copperfield Glass Limited',
    incorporated_on: toDate('2007-10-18'),
    address: toAddress('31', 'Foundry Lane', 'Sheffield', 'S3 8PQ', { region: 'South Yorkshire' }),
    status: 'liquidation',
    accounts: 'behind',
    officers: [createOfficer('DACRE, Helen', '2007-10-18')],
  }),
  createCompany({
    number: '07120946',
    name: 'Tallow Street Foods Ltd',
    incorporated_on: toDate('2010-01-08'),
    address: toAddress('77', 'Dock Road', 'Southampton', 'SO14 3FJ', { region: 'Hampshire' }),
    status: 'administration',
    officers: [createOfficer('SELWYN, Marta', '2010-01-08')],
  }),
  createCompany({
    number: '04981627',
    name: 'Ravenscar Freight Limited',
    incorporated_on: toDate('2003-12-02'),
    address: toAddress('5', 'Wharf Road', 'Newcastle upon Tyne', 'NE1 3DX'),
    status: 'voluntary-arrangement',
    officers: [createOfficer('VICKERS, Paul', '2003-12-02')],
  }),
  createCompany({
    number: '03350712',
    name: 'Millrace Textiles Limited',
    incorporated_on: toDate('1997-04-14'),
    address: toAddress('Albion Mill', 'Canal Street', 'Manchester', 'M1 5GD'),
    status: 'receivership',
    officers: [createOfficer('NEWSOME, Ruth', '1997-04-14')],
  }),
  createCompany({
    number: 'OC318264',
    name: 'Penrose Whitlock LLP',
    type: 'llp',
    incorporated_on: toDate('2006-03-21'),
    address: toAddress('40', 'Queen Street', 'Exeter', 'EX4 3SR', { region: 'Devon' }),
    sic_codes: [],
    officers: [
      createOfficer('PENROSE, Alice', '2006-03-21', 'llp-designated-member'),
      createOfficer('WHITLOCK, Edward', '2006-03-21', 'llp-designated-member'),
      createOfficer('KESTREL NOMINEES LIMITED', '2016-05-09', 'corporate-llp-member'),
    ],
  }),
  createCompany({
    number: 'SC294817',
    name: 'Kilbrae Marine Ltd',
    incorporated_on: toDate('2005-12-16'),
    jurisdiction: 'scotland',
    address: toAddress('3', 'Shore Terrace', 'Oban', 'PA34 4LW', { region: 'Argyll', country: 'Scotland' }),
    officers: [createOfficer('GALLOWAY, Fiona', '2005-12-16')],
  }),
  createCompany({
    number: 'NI061938',
    name: 'Mournegate Bakery Limited',
    incorporated_on: toDate('2006-11-07'),
    jurisdiction: 'northern-ireland',
    address: toAddress('18', 'Main Street', 'Newry', 'BT34 1AN', { region: 'County Down', country: 'Northern Ireland' }),
    officers: [createOfficer('LORIMER, Sean', '2006-11-07')],
  }),
  createCompany({
    number: '10774923',
    name: 'Sandpiper Seafood Ltd',
    incorporated_on: toDate('2017-05-17'),
    address: toAddress('2', 'The Quay', 'Whitby', 'YO21 1DN', { region: 'North Yorkshire' }),
    accounts: 'behind',
    officers: [createOfficer('RIDLEY, Jack', '2017-05-17')],
    controllers: [createController('Mr Jack Ridley', '2017-05-17')],
  }),
  createCompany({
    number: '11625840',
    name: 'Larkfield Landscapes Ltd',
    incorporated_on: toDate('2018-10-16'),
    address: toAddress('61', 'Park Lane', 'Norwich', 'NR2 1EH', { region: 'Norfolk' }),
    confirmation: 'behind',
    status_detail: 'active-proposal-to-strike-off',
    officers: [createOfficer('YARDLEY, Emma', '2018-10-16')],
  }),
  createCompany({
    number: '01937465',
    name: 'Fenwick Machine Tools Public Limited Company',
    type: 'plc',
    incorporated_on: toDate('1985-08-12'),
    address: toAddress('Tower House', 'Grange Road', 'Birmingham', 'B18 6DJ'),
    accounts_kind: 'group',
    officers: [createOfficer('FENWICK, Charles', '1999-02-01'), createOfficer('JESSOP, Anne', '2011-09-01', 'secretary')],
  }),
  createCompany({
    number: 'FC038214',
    name: 'Nordvik Handel AS',
    type: 'oversea-company',
    incorporated_on: toDate('2019-02-04'),
    jurisdiction: 'noneu',
    address: toAddress('22', 'Finsbury Circus', 'London', 'EC2M 7PF', { country: 'United Kingdom' }),
    sic_codes: [],
    accounts: 'never_asked',
    confirmation: 'never_asked',
    officers: [createOfficer('HANSEN, Ingrid', '2019-02-04')],
  }),
  createCompany({
    number: '00041823',
    name: 'Calderstone Gas Light Company Limited',
    incorporated_on: toDate('1901-06-30'),
    previous_names: [{ name: 'CALDERSTONE GAS CONSUMERS COMPANY', effective_from: toDate('1901-06-30'), ceased_on: toDate('1948-05-01') }],
    address: toAddress('1', 'Market Place', 'Halifax', 'HX1 1PB', { region: 'West Yorkshire' }),
    accounts_fields: 'deprecated_only',
    had_insolvency: true,
    officers: [createOfficer('THACKRAY, Dorothy', '1994-03-01')],
  }),
];
