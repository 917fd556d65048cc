/** The portfolio's companies at Companies House. */
import { getVariation } from '../hmrc/past-figures.ts';
import type { RegisterCompany } from '../companies-house/register-company.ts';
import { SEED_COMPANIES } from '../companies-house/seed-companies.ts';
import type { Portfolio, PortfolioClient } from './portfolio-client.ts';

const SIC_CODES = ['43320', '47910', '56101', '62020', '68209', '70229', '86900', '96020'];

/** Returns companies by number, except those that the register seeds itself. */
export function listRegisterCompanies(portfolio: Portfolio): ReadonlyMap<string, RegisterCompany> {
  const entries = portfolio.list.flatMap((client) => {
    const company = toRegisterCompany(client);
    return company ? [[company.number, company] as const] : [];
  });
  const companies = new Map(entries);
  for (const { number } of SEED_COMPANIES) companies.delete(number);
  return companies;
}

function toRegisterCompany(client: PortfolioClient): RegisterCompany | undefined {
  const { company, kind, situation, address, contact } = client;
  if (!company || (kind !== 'company' && kind !== 'llp')) return undefined;
  const isLlp = kind === 'llp';
  const isBehind = situation === 'overdue_return' && getVariation(client.utr, 40) < 0.5;
  const [premises = '', ...street] = address.line1.split(' ');
  const [forename = '', surname = ''] = contact.split(' ');
  return {
    number: company.number,
    name: client.name.toUpperCase(),
    type: isLlp ? 'llp' : 'ltd',
    status: situation === 'insolvent' ? 'liquidation' : 'active',
    jurisdiction: 'england-wales',
    incorporated_on: company.incorporatedOn,
    address: {
      premises,
      address_line_1: street.join(' '),
      locality: address.town,
      postal_code: address.postcode,
      country: 'England',
    },
    sic_codes: isLlp ? [] : [SIC_CODES[client.index % SIC_CODES.length] ?? ''],
    officers: [
      {
        name: `${surname.toUpperCase()}, ${forename}`,
        role: isLlp ? 'llp-designated-member' : 'director',
        appointed_on: company.incorporatedOn,
      },
    ],
    accounts: isBehind ? 'behind' : 'prompt',
    accounts_kind: 'micro-entity',
    confirmation: isBehind ? 'behind' : 'prompt',
  };
}
