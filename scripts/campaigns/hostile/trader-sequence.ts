/** A trader who signs up, connects HMRC, uploads books, files, and gets an offer. The rest is in advance-sequence.ts. */
import { identityCheckApi } from '@portal/contract/identity-check.ts';
import { BOOKS_UPLOAD_PATH, booksApi, type BooksUpload } from '@portal/contract/books.ts';
import { companyLookUpApi } from '@portal/contract/company-look-up.ts';
import { connectionsApi } from '@portal/contract/connections.ts';
import { contactApi } from '@portal/contract/contact.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { agentApi, partnersApi } from '@portal/contract/partners.ts';
import { tasksApi } from '@portal/contract/tasks.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { addDays, plainDate } from '@portal/domain/plain-date.ts';
import { pick } from '../../chaos/random.ts';
import type { Organisation } from '../../smoke/sandbox-client.ts';
import type { Tenant } from './campaign-record.ts';
import type { Person } from './hostile-person.ts';
import {
  getEmail,
  getPersonName,
  createHostilePerson,
  createTenant,
  returnFromHmrc,
  signUp,
  createText,
  pollUntil,
  type HostileTestBed,
} from './people.ts';

export type Trader = {
  readonly person: Person;
  readonly tenant: Tenant;
  readonly organisation: Organisation;
  readonly companyId: string;
  readonly refundPounds: number;
};
export type Obligation = { readonly obligation_id: string; readonly period_start: string; readonly period_end: string };

/** Partners with an accountant, with different sign-up steps, unknown ones, and none. */
const PARTNERS = ['gofile', 'organic', 'unknown-partner', 'azets', 'azets', ''] as const;

export async function openTrader(testBed: HostileTestBed): Promise<Trader> {
  const tenant = createTenant(testBed);
  const person = createHostilePerson(testBed, tenant);
  const partner = pick(testBed.random, PARTNERS);
  await signUp(testBed, person, partner === '' ? {} : { partner });
  await person.call(identityApi.userCompanies, {});
  await person.call(onboardingApi.saveAbout, { full_name: getPersonName(tenant), phone: '020 7946 0018' });
  const organisation = await testBed.sandbox.createOrganisation();
  await person.call(companyLookUpApi.search, { keyword: organisation.name.slice(0, 6) });
  const form = { name: organisation.name, company_number: organisation.companyNumber, vrn: organisation.vrn };
  const { company_id: companyId } = await person.call(onboardingApi.saveCompany, form, { isSafe: true });
  await person.call(onboardingApi.progress, { company_id: companyId });
  await person.call(onboardingApi.postponeHmrc, { company_id: companyId });
  return { person, tenant, organisation, companyId, refundPounds: pick(testBed.random, [1_200, 4_000, 4_000, 9_000]) };
}

export async function connectTrader({ sandbox }: HostileTestBed, { person, companyId, organisation }: Trader): Promise<Obligation> {
  const { authorize_url } = await person.call(onboardingApi.connectHmrc, { company_id: companyId, return_to: 'dashboard' });
  await person.open('/hmrc/callback', { code: 'x', state: 'guessed' }, { mayEnd: [404] });
  await returnFromHmrc(person, authorize_url, organisation.userId);
  await person.call(dashboardApi.refresh, { company_id: companyId });
  const { obligations, today } = await person.call(dashboardApi.get, { company_id: companyId });
  const endedObligation = obligations.find(({ status, period_end }) => status === 'open' && period_end < today);
  if (!endedObligation) throw new Error(`HMRC lists no open period that has ended for ${organisation.vrn}: ${sandbox.url}`);
  await person.call(connectionsApi.list, {});
  await person.call(identityApi.companyName, { company_id: companyId });
  await person.call(identityApi.dashboardCompanyName, { company_id: companyId });
  await person.call(tasksApi.list, {});
  return endedObligation;
}

/** Completes the bank account and identity check steps. */
export async function completeSteps({ sandbox }: HostileTestBed, { person, companyId, organisation, tenant }: Trader): Promise<void> {
  await person.call(onboardingApi.emailBankAccountCode, { company_id: companyId });
  const account = { account_holder: organisation.name, sort_code: '20-00-00', account_number: organisation.vrn.slice(0, 8) };
  await person.call(onboardingApi.saveBankAccount, { company_id: companyId, ...account }, { isSafe: true });
  const { check_id } = await person.call(identityCheckApi.begin, {});
  await sandbox.passIdentityCheck(check_id);
  await person.call(identityCheckApi.find, {});
  await person.call(agentApi.find, { company_id: companyId });
  await person.call(agentApi.set, { company_id: companyId }, { mayEnd: [409] });
  await person.call(agentApi.end, { company_id: companyId }, { mayEnd: [409] });
  await person.call(partnersApi.referrals, { partner: 'gofile' });
  await person.call(contactApi.details, {});
  const message = {
    name: getPersonName(tenant),
    email: getEmail(tenant),
    topic: 'complaint',
    message: createText(person, tenant),
  } as const;
  await person.call(contactApi.send, message);
}

function writeBooks({ period_start, period_end }: Obligation, { refundPounds, tenant }: Trader, headings = HEADINGS): string {
  return [
    headings,
    `${period_start},sale,INV-1,Oslo ${tenant.marker},Lamps,50000.00,0.00,zero`,
    `${addDays(plainDate(period_start), 1)},purchase,B-0,"Ærø & Søn ${tenant.marker}",Rent,10.00,2.00,standard`,
    `${period_end},purchase,B-1,Glass ${tenant.marker},Shades,${refundPounds * 5}.00,${refundPounds}.00,standard`,
    '',
  ].join('\n');
}

const HEADINGS = 'date,kind,reference,counterparty,description,net,vat,treatment';
/** Files that aren't books, are truncated, or whose contents don't match their names. */
const HOSTILE_FILES: readonly string[] = [
  '',
  '\0\0\0\0',
  'PK\u0003\u0004not really a zip file',
  `${HEADINGS}\n`,
  `${HEADINGS}\n2026-02-30,sale,a,b,c,1,0,zero\n`,
  `${HEADINGS}\n2026-01-01,sale,"unclosed,b,c,1,0,zero\n`,
  `${HEADINGS}\n2026-01-01,sale,a,b,c,999999999999999999999999,0,zero\n`,
  `${HEADINGS}\n2026-01-01,sale,=cmd|' /C calc'!A0,b,c,1e400,NaN,zero\n`,
  `${'date,'.repeat(2_000)}\n`,
  `${HEADINGS}\n${'x'.repeat(300_000)}\n`,
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>',
  '{"__proto__":{"rows":1}}',
];

async function sendFile({ person, companyId }: Trader, name: string, body: string, corrupted?: number): Promise<BooksUpload> {
  const headers = { 'content-type': 'text/csv' };
  const query = { company_id: companyId, file_name: name };
  const { text } = await person.post(BOOKS_UPLOAD_PATH, { query, body, headers }, corrupted === undefined ? {} : { corrupted });
  return JSON.parse(text) as BooksUpload;
}

export async function uploadBooks(trader: Trader, obligation: Obligation): Promise<void> {
  const { person, companyId } = trader;
  const headers = { 'content-type': pick(person.random, ['text/csv', 'application/json', 'x']) };
  for (let sentCount = 0; sentCount < 4; sentCount += 1) {
    const query = {
      company_id: companyId,
      file_name: pick(person.random, ['books.csv', 'a.xlsx', '../../x.csv', 'b.ods', '\u202Ecsv.exe']),
    };
    const file = { query, headers, body: pick(person.random, HOSTILE_FILES) };
    await person.post(BOOKS_UPLOAD_PATH, file, { corrupted: 1, mayEnd: [400, 413, 422] });
  }
  const uploadResult = await sendFile(trader, 'other.csv', writeBooks(obligation, trader, 'Tag,Art,Nr,Wer,Was,Netto,Steuer,Satz'), 3);
  const pendingUpload = uploadResult.pending;
  if (pendingUpload) {
    const mapping = { company_id: companyId, upload_id: pendingUpload.upload_id, sheet: 0, header_line: 1 };
    await person.call(booksApi.map, {
      ...mapping,
      columns: ['date', 'kind', 'reference', 'counterparty', 'description', 'net', 'vat', 'treatment'],
    });
  }
  await sendFile(trader, 'again.csv', writeBooks(obligation, trader, 'Jour,Genre,No,Qui,Quoi,Hors taxe,Taxe,Taux'), 0);
  const { pending } = await person.call(booksApi.current, { company_id: companyId });
  if (pending) await person.call(booksApi.discard, { company_id: companyId, upload_id: pending.upload_id });
  const uploadedFile = await sendFile(trader, 'books.csv', writeBooks(obligation, trader));
  if (uploadedFile.pending) await person.call(booksApi.apply, { company_id: companyId, upload_id: uploadedFile.pending.upload_id });
}

export async function prepareReturn({ person, companyId, tenant }: Trader, { obligation_id }: Obligation): Promise<void> {
  const key = { company_id: companyId, obligation_id };
  await person.call(vatReturnsApi.get, key);
  await person.call(vatReturnsApi.transactions, { ...key, box: '4', after_line: 0, search: 'glass' });
  const adjustment = {
    adjustment_id: crypto.randomUUID(),
    box: '4',
    amount_pence: 1_00,
    reason: `Found a receipt ${tenant.marker}`,
  } as const;
  const { adjustments } = await person.call(vatReturnsApi.adjust, { ...key, ...adjustment });
  for (const { adjustment_id } of adjustments)
    await person.call(vatReturnsApi.removeAdjustment, { ...key, adjustment_id }, { corrupted: 4 });
  await person.call(vatReturnsApi.corrections, key);
  const { boxes, figures_version } = await pollUntil(async () => person.ask(vatReturnsApi.get, key), 'no return');
  if (!boxes || figures_version === null) throw new Error(`the books have nothing for ${obligation_id}`);
}

/** Files the return twice at the same time, at two portals; HMRC may receive it only once. */
export async function fileReturn({ person, companyId }: Trader, { obligation_id }: Obligation): Promise<void> {
  const key = { company_id: companyId, obligation_id };
  const { figures_version } = await person.ask(vatReturnsApi.get, key);
  const filing = { ...key, figures_version: figures_version ?? '', declaration_accepted: true } as const;
  await person.call(vatReturnsApi.file, filing, { isSafe: person.random() < 0.5, isSentTwice: true });
  await person.call(vatReturnsApi.resolve, key, { mayEnd: [409] });
  await pollUntil(async () => {
    const { receipt } = await person.ask(vatReturnsApi.get, key);
    return receipt ?? undefined;
  }, 'the return was not filed');
}
