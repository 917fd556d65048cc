/** Test users with the identifiers that HMRC's Create Test User generates, and their traders. */
import { randomBytes, randomInt } from 'node:crypto';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import { getUtrCheckDigit } from '@portal/domain/uk-tax/references/utr.ts';
import { findVrnAlgorithm } from '@portal/domain/uk-tax/references/vrn.ts';
import { createNewIncomeTaxRecord } from '../hmrc-agent/newly-signed-up.ts';
import type { HmrcContext } from './hmrc-context.ts';
import type { Address, BankAccount, Stagger, TraderHistory, TraderRecord, UserKind, UserRecord } from './hmrc-records.ts';
import { writeTraderWithHistory } from './trader-history.ts';
import { getLastEndedStagger } from './vat-periods.ts';

const DEFAULT_HISTORY: TraderHistory = { fulfilledPeriods: 4, kind: 'exporter', typicalNetPence: 1_450_000 };

/** An organisation with a given name and VAT number, for fixed seed data instead of generated users. */
export type SeededOrganisation = {
  readonly userId: string;
  readonly password: string;
  readonly organisationName: string;
  readonly vrn: string;
  readonly vatRegistrationDate: PlainDate;
  readonly emailAddress?: string;
  readonly address?: Address;
  readonly stagger?: Stagger;
  readonly history?: Partial<TraderHistory>;
  readonly repaymentAccount?: BankAccount;
};

/** Creates the organisation. Leaves an existing user and its records unchanged. */
export function seedOrganisation(context: HmrcContext, seed: SeededOrganisation): void {
  context.store.atomically(() => {
    if (context.records.users.get(seed.userId)) return;
    if (context.records.traders.get(seed.vrn)) throw new RangeError(`VAT number ${seed.vrn} already belongs to another test user`);
    context.records.users.put(seed.userId, {
      userId: seed.userId,
      password: seed.password,
      kind: 'organisation',
      fullName: seed.organisationName,
      emailAddress: seed.emailAddress ?? `${seed.userId}@example.com`,
      services: ['mtd-vat'],
      vrn: seed.vrn,
      identifiers: {},
    });
    const trader = createTrader(context, seed.vrn, seed.organisationName, seed.vatRegistrationDate);
    writeTraderWithHistory(context, {
      ...trader,
      ...(seed.address ? { address: seed.address } : {}),
      stagger: seed.stagger ?? trader.stagger,
      history: { ...trader.history, ...seed.history },
      hasDirectDebit: seed.history?.kind === 'payer',
      ...(seed.repaymentAccount ? { repaymentAccount: seed.repaymentAccount } : {}),
    });
  });
}

/** Creates a user like Create Test User: random identifiers, and with `mtd-vat` a trader with records. */
export function createTestUser(context: HmrcContext, kind: UserKind, services: readonly string[]): UserRecord {
  return context.store.atomically(() => {
    const userId = generateUnusedDigits(12, (digits) => context.records.users.get(digits) !== undefined);
    const fullName = `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`;
    const isTrader = services.includes('mtd-vat');
    const vrn = isTrader || services.includes('submit-vat-returns') ? generateVrn(context) : undefined;
    const user: UserRecord = {
      userId,
      password: randomBytes(9).toString('base64url').slice(0, 12),
      kind,
      fullName,
      emailAddress: `${fullName.toLowerCase().replace(' ', '.')}@example.com`,
      services,
      ...(vrn === undefined ? {} : { vrn }),
      identifiers: generateIdentifiers(kind, services),
    };
    context.records.users.put(userId, user);
    const nino = user.identifiers['nino'];
    if (nino !== undefined && services.includes('mtd-income-tax')) {
      const postcode = toAddress(userId.slice(0, 9)).postcode;
      context.records.incomeTax.put(nino, createNewIncomeTaxRecord(nino, fullName, postcode, context.clock.today()));
    }
    if (vrn !== undefined && isTrader) {
      const name = kind === 'organisation' ? `${pick(COMPANY_WORDS)} ${pick(TRADES)} Ltd ${randomInt(100, 1000)}` : fullName;
      writeTraderWithHistory(context, createTrader(context, vrn, name, addDays(context.clock.today(), -randomInt(900, 4000))));
      const { crn } = user.identifiers;
      if (kind === 'organisation' && crn !== undefined) context.addCompany?.({ number: crn, name, director: fullName });
    }
    return user;
  });
}

/** Returns a test organisation's address, derived from its number. */
export function toAddress(vrn: string): Address {
  return { line1: `${(Number(vrn) % 90) + 1} Quay Street`, line2: 'Bristol', postcode: 'BS1 4DJ' };
}

function createTrader(context: HmrcContext, vrn: string, organisationName: string, vatRegistrationDate: PlainDate): TraderRecord {
  return {
    vrn,
    organisationName,
    address: toAddress(vrn),
    vatRegistrationDate,
    stagger: getLastEndedStagger(context.clock.today()),
    history: DEFAULT_HISTORY,
    insolvent: false,
    hasDirectDebit: false,
    // HMRC holds a bank account for every generated trader, as for most traders with earlier repayments.
    repaymentAccount: { sortCode: '040004', accountNumber: vrn.slice(0, 8), accountName: organisationName },
  };
}

/** Generates seven random digits, with check digits under the 97-55 rule, which all VAT numbers have used since 2009. */
function generateVrn(context: HmrcContext): string {
  for (;;) {
    const sevenDigits = String(randomInt(1_000_000, 10_000_000));
    const vrn = generateTwoDigits()
      .map((check) => sevenDigits + check)
      .find((number) => findVrnAlgorithm(number) === 'mod9755');
    if (vrn !== undefined && !context.records.traders.get(vrn)) return vrn;
  }
}

const GENERATED_BY_SERVICE: Readonly<Record<string, readonly string[]>> = {
  'corporation-tax': ['ctUtr', 'crn'],
  'paye-for-employers': ['empRef'],
  'national-insurance': ['nino'],
  'self-assessment': ['saUtr'],
  'mtd-income-tax': ['nino', 'mtdItId'],
  'agent-services': ['agentServicesAccountNumber'],
};

const GENERATOR_BY_IDENTIFIER: Readonly<Record<string, () => string>> = {
  ctUtr: generateUtr,
  saUtr: generateUtr,
  crn: () => String(randomInt(10_000_000, 16_000_000)),
  empRef: () => `${randomInt(100, 1000)}/AB${randomInt(10_000, 100_000)}`,
  nino: generateNino,
  mtdItId: () => `X${pick([...'ABCDEFGH'])}IT${String(randomInt(1_000_000_000)).padStart(11, '0')}`,
  agentServicesAccountNumber: generateArn,
};

function generateIdentifiers(kind: UserKind, services: readonly string[]): Record<string, string> {
  const identifierNames = new Set(services.flatMap((service) => GENERATED_BY_SERVICE[service] ?? []));
  if (kind !== 'agent') identifierNames.delete('agentServicesAccountNumber');
  return Object.fromEntries([...identifierNames].map((name) => [name, GENERATOR_BY_IDENTIFIER[name]?.() ?? '']));
}

function generateUtr(): string {
  for (;;) {
    const nineDigits = String(randomInt(100_000_000, 1_000_000_000));
    const check = getUtrCheckDigit(nineDigits);
    if (check !== undefined) return `${check}${nineDigits}`;
  }
}

function generateNino(): string {
  for (;;) {
    const letters = [...'ABCEGHJKLMNPRSTWXYZ'];
    const nino = parseNino(`${pick(letters)}${pick(letters)}${randomInt(100_000, 1_000_000)}${pick([...'ABCD'])}`);
    if (nino.ok) return nino.value;
  }
}

function generateArn(): string {
  const arnDigits = `ARN${String(randomInt(10_000_000)).padStart(7, '0')}`;
  const arn = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => parseArn(letter + arnDigits)).find(({ ok }) => ok);
  if (!arn?.ok) throw new RangeError(`no check letter fits ${arnDigits}`);
  return arn.value;
}

function generateUnusedDigits(length: number, isUsed: (digits: string) => boolean): string {
  for (;;) {
    const digits = String(randomInt(10 ** (length - 1), 10 ** length));
    if (!isUsed(digits)) return digits;
  }
}

function generateTwoDigits(): string[] {
  return Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
}

function pick(choices: readonly string[]): string {
  return choices[randomInt(choices.length)] ?? '';
}

const FIRST_NAMES = ['Ida', 'Bradley', 'Nora', 'Terrence', 'Maud', 'Gareth', 'Shona', 'Felix'];
const LAST_NAMES = ['Newton', 'Marlow', 'Ashby', 'Pryce', 'Lennox', 'Thackery', 'Osgood', 'Byrne'];
const COMPANY_WORDS = ['Harbour', 'Kestrel', 'Fenland', 'Ironbridge', 'Saltmarsh', 'Pennine', 'Longshore', 'Redwing'];
const TRADES = ['Exports', 'Instruments', 'Ceramics', 'Marine', 'Textiles', 'Optics', 'Provisions', 'Tooling'];
