/** Seed data of the portal's database. The simulators have the same people and companies. */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { generatePortfolio } from '../portfolio/generate-portfolio.ts';
import { createImportFile } from '../portfolio/import-file.ts';
import { HARLOW, OAKLINE } from '../portfolio/oakline.ts';
import { createHarlowStatements } from './harlow-statements.ts';
import { createBrightwellBooks } from './brightwell-books.ts';
import { SANDBOX_PRICING } from './sandbox-pricing.ts';
import { SANDBOX_OPERATORS } from './sandbox-operators.ts';
import { BRIGHTWELL, SANDBOX_PASSWORD } from './seed-data.ts';

/** Brightwell's books cover slightly more than two VAT quarters. */
const BOOKS_DAYS = 200;

const OAKLINE_COMPANY = { name: 'Oakline Accounting', company_number: '07331942' };

export function createPortalSeed(today: PlainDate) {
  return {
    password: SANDBOX_PASSWORD,
    companies: [
      { kind: 'trader', name: BRIGHTWELL.organisationName, company_number: '09482716', vrn: BRIGHTWELL.vrn },
      { kind: 'practice', ...OAKLINE_COMPANY, vrn: null },
    ],
    people: [
      createMember(BRIGHTWELL.ownerEmail, BRIGHTWELL.ownerName, BRIGHTWELL.organisationName, 'trader_owner'),
      createMember(OAKLINE.emailAddress, 'Priya Oakes', OAKLINE_COMPANY.name, 'practice_admin'),
      createMember('tom@oakline.example', 'Tom Reed', OAKLINE_COMPANY.name, 'team_member', ['VAT', 'Leeds']),
      createMember('ruth@oakline.example', 'Ruth Okafor', OAKLINE_COMPANY.name, 'practice_admin', ['York']),
      createMember('maya@oakline.example', 'Maya Singh', OAKLINE_COMPANY.name, 'team_member', ['Payroll', 'Leeds']),
      createMember('leo@oakline.example', 'Leo Grant', OAKLINE_COMPANY.name, 'team_member', ['VAT', 'York']),
      // A user of the client below.
      { email: HARLOW.email, full_name: HARLOW.contact, operator: null, membership: null },
      ...SANDBOX_OPERATORS.map(({ email, full_name, ...operator }) => ({ email, full_name, operator, membership: null })),
    ],
    trader: {
      owner_email: BRIGHTWELL.ownerEmail,
      hmrc_user_id: BRIGHTWELL.hmrcUserId,
      bank_account: {
        account_holder: BRIGHTWELL.organisationName,
        sort_code: BRIGHTWELL.bankAccount.sortCode,
        account_number: BRIGHTWELL.bankAccount.accountNumber,
      },
      books_csv: createBrightwellBooks(addDays(today, -BOOKS_DAYS), today),
    },
    practice: {
      admin_email: OAKLINE.emailAddress,
      company_number: OAKLINE_COMPANY.company_number,
      hmrc_user_id: OAKLINE.hmrcUserId,
      arn: OAKLINE.arn,
      agent_code_ct: 'C7331O',
      agent_code_paye: 'P7331O',
      agent_code_sa: 'S7331O',
      client: createClientSeed(today),
    },
    pricing: SANDBOX_PRICING,
  };
}

/** The portfolio generated from this seed has the same first client, so importing it later finds this client. */
const PORTFOLIO_SEED = 1;

/** Creates Oakline's client with a user in the client portal, and the statements that the practice imports for it. */
function createClientSeed(today: PlainDate) {
  const portfolio = generatePortfolio({ clients: 1, seed: PORTFOLIO_SEED, today });
  const [row] = createImportFile(portfolio);
  if (row === undefined) throw new Error('the portfolio has no first client');
  const { status: _, taxes, ...facts } = row.cells;
  return {
    person_email: HARLOW.email,
    facts: { ...facts, taxes: taxes.toLowerCase().split(' ') },
    statements: createHarlowStatements(portfolio),
  };
}

function createMember(email: string, full_name: string, company: string, role: string, groups: readonly string[] = []) {
  return { email, full_name, operator: null, membership: { company, role, groups } };
}
