/** Loads the stored facts that the eligibility rules need, without calling HMRC. */
import type { Db, Tx } from '@portal/db/database.ts';
import {
  advances,
  bankCredits,
  companies,
  creditAllocations,
  filings,
  hmrcConnections,
  hmrcReturns,
  obligations,
  shortfalls,
} from '@portal/db/schema/schema.ts';
import type { EligibilityFacts } from '@portal/domain/advances/evaluate-eligibility.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { LISTED_WITHIN_DAYS } from '@portal/domain/advances/refund-at-hmrc.ts';
import type { NamedPerson } from '@portal/domain/advances/evaluate-payee.ts';
import type { RegisterFacts } from '@portal/db/schema/schema.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import { addDays, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { and, eq, gte, isNotNull, isNull, ne, or, sql } from '@portal/db/sql.ts';
import { z } from 'zod';
import { listOwnerChecks } from '../identity-check/identity-checks.ts';
import { findFoundReturn, findRefundCharge } from '../vat-returns/find-found-return.ts';
import { findCurrentFiling, type FilingRow } from '../vat-returns/get-return.ts';
import { IS_STILL_EXPECTED, wasExpectedBefore } from '../vat-returns/is-still-expected.ts';
import { countDeclinedRefunds } from './declined-refunds.ts';
import { sumExposure, sumExposureOf } from './exposure.ts';
import { findNewestBankAccount } from './find-newest-bank-account.ts';
import { getNewestObservation, listPaidRefunds, listStoredCharges, sumComingVat, sumOverdueVat } from './hmrc-charges.ts';
import { listOwnersCompanies } from './owners-companies.ts';
import { loadDifferences } from './unpaid-differences.ts';

export async function loadEligibilityFacts(
  db: Db | Tx,
  companyId: string,
  obligationId: string,
  refund: Pence,
  today: PlainDate,
): Promise<EligibilityFacts> {
  const filing = await findCurrentFiling(db, companyId, obligationId);
  const [connection] = await db.select().from(hmrcConnections).where(eq(hmrcConnections.companyId, companyId));
  const openReturns = await listOpenReturns(db, companyId, obligationId, today);
  const bankAccount = await findNewestBankAccount(db, companyId);
  const charges = await listStoredCharges(db, companyId);
  const otherCompanies = await listOwnersCompanies(db, companyId);
  const exposure = await sumExposure(db, companyId, obligationId);
  return {
    refund,
    ...(await loadReturnAtHmrc(db, companyId, obligationId, filing)),
    isHmrcConnected: connection?.status === 'connected',
    overdueReturns: openReturns.filter(({ dueOn, isExpected }) => isExpected && dueOn < today).map(({ dueOn }) => dueOn),
    earlierReturns: openReturns.filter((open) => (open.dueOn < today ? !open.isExpected : open.isEarlier)).map(({ dueOn }) => dueOn),
    vatDebt: charges && sumOverdueVat(charges, today),
    comingVat: await sumComingVat(db, { companyId, obligationId }, charges ?? [], today),
    pastRefunds: await listPaidRefunds(db, { companyId, obligationId }, charges ?? []),
    registeredOn: await findRegistrationDate(db, companyId),
    insolvent: filing?.refusal?.includes('insolvent') ?? false,
    isBankAccountKnown: bankAccount !== undefined,
    companyExposure: exposure.company,
    exposureOfOwners: await sumExposureOf(db, otherCompanies.ofVerifiedPeople),
    totalExposure: exposure.total,
    figuresAsOf: connection?.figuresAsOf ?? undefined,
    differences: await loadDifferences(db, companyId, otherCompanies, today),
    declined: await countDeclinedRefunds(db, { companyId, obligationId, refundPence: refund }, otherCompanies),
    ...(await loadRegisterAndPayee(db, companyId, bankAccount, today)),
  };
}

type OpenReturn = { readonly dueOn: PlainDate; readonly isEarlier: boolean; readonly isExpected: boolean };

/**
 * Lists the other returns that aren't filed or whose figures aren't known yet, by due day. `isEarlier`: for a period that ended before this
 * return's. `isExpected`: false if HMRC has stopped expecting it in the last days. It may have been filed, and HMRC lists its charge about a
 * day later.
 */
async function listOpenReturns(db: Db | Tx, companyId: string, obligationId: string, today: PlainDate): Promise<OpenReturn[]> {
  const periodEnd = sql`(select period_end from obligations where company_id = ${companyId} and id = ${obligationId})`;
  const listedSince = addDays(today, -LISTED_WITHIN_DAYS);
  return db
    .select({
      dueOn: obligations.dueOn,
      isEarlier: sql`${obligations.periodEnd} < ${periodEnd}`.mapWith(Boolean),
      isExpected: sql`${obligations.status} = 'open' and ${IS_STILL_EXPECTED}`.mapWith(Boolean),
    })
    .from(obligations)
    .leftJoin(
      filings,
      and(eq(filings.companyId, obligations.companyId), eq(filings.obligationId, obligations.id), eq(filings.state, 'accepted')),
    )
    .leftJoin(hmrcReturns, and(eq(hmrcReturns.companyId, obligations.companyId), eq(hmrcReturns.obligationId, obligations.id)))
    .where(
      and(
        eq(obligations.companyId, companyId),
        ne(obligations.id, obligationId),
        isNull(filings.id),
        or(
          and(eq(obligations.status, 'open'), or(IS_STILL_EXPECTED, wasExpectedBefore(listedSince))),
          // HMRC doesn't show the figures of some returns, for example of periods before the business joined Making Tax Digital.
          and(eq(obligations.status, 'fulfilled'), isNull(hmrcReturns.obligationId), gte(obligations.receivedOn, listedSince)),
        ),
      ),
    )
    .orderBy(obligations.dueOn);
}

/** Loads the return and its refund at HMRC, from our accepted filing or otherwise from the return found at HMRC. */
async function loadReturnAtHmrc(
  db: Db | Tx,
  companyId: string,
  obligationId: string,
  filing: FilingRow | undefined,
): Promise<Pick<EligibilityFacts, 'filing' | 'atHmrc'>> {
  const [period] = await db
    .select({ periodStart: obligations.periodStart, periodEnd: obligations.periodEnd, receivedOn: obligations.receivedOn })
    .from(obligations)
    .where(and(eq(obligations.companyId, companyId), eq(obligations.id, obligationId)));
  const charge = period && (await findRefundCharge(db, companyId, period));
  const chargeField = charge ? { charge } : {};
  if (filing?.state === 'accepted') {
    const sentOn = toLondonDate(filing.sentAt);
    const isReadBack = filing.receiptSource === 'read_back';
    // HMRC had the same return before, so it was filed elsewhere, and HMRC may have repaid it since.
    const earlier = isReadBack && period?.receivedOn && period.receivedOn < sentOn ? period.receivedOn : undefined;
    const foundField = earlier === undefined ? {} : { found: { settledRefunds: await countSettledFoundReturns(db, companyId) } };
    return { filing: { accepted: true, isReadBack, ...foundField }, atHmrc: { receivedOn: earlier ?? sentOn, ...chargeField } };
  }
  const foundReturn = await findFoundReturn(db, companyId, obligationId);
  return {
    filing: {
      accepted: foundReturn !== undefined,
      isReadBack: false,
      ...(foundReturn ? { found: { settledRefunds: await countSettledFoundReturns(db, companyId) } } : {}),
    },
    atHmrc: { receivedOn: foundReturn?.receivedOn, ...chargeField },
  };
}

/**
 * Counts settled advances on returns filed elsewhere that HMRC repaid. One that the trader or someone else repaid says nothing about the
 * return.
 */
async function countSettledFoundReturns(db: Db | Tx, companyId: string): Promise<number> {
  const rows = await db
    .select({ id: advances.id, remitter: bankCredits.remitter, claimedOn: shortfalls.dueOn })
    .from(advances)
    .innerJoin(
      creditAllocations,
      and(
        eq(creditAllocations.companyId, advances.companyId),
        eq(creditAllocations.advanceId, advances.id),
        isNull(creditAllocations.reversedAt),
      ),
    )
    .innerJoin(bankCredits, and(eq(bankCredits.companyId, creditAllocations.companyId), eq(bankCredits.id, creditAllocations.creditId)))
    .leftJoin(shortfalls, and(eq(shortfalls.companyId, advances.companyId), eq(shortfalls.advanceId, advances.id)))
    .where(and(eq(advances.companyId, companyId), eq(advances.state, 'settled'), isNotNull(advances.foundReturnId)));
  const repaidByHmrc = rows.filter(({ remitter, claimedOn }) => isHmrcRemitter(remitter) && claimedOn === null);
  return new Set(repaidByHmrc.map(({ id }) => id)).size;
}

type PayeeAccount = Awaited<ReturnType<typeof findNewestBankAccount>>;

/**
 * Companies House's data is read again on each use if it is a day old. If it is older than this, Companies House hasn't answered, or no
 * longer has the company.
 */
const REGISTER_VALID_DAYS = 1;

/** Loads stored facts from Companies House, the bank and the identity check provider. */
async function loadRegisterAndPayee(
  db: Db | Tx,
  companyId: string,
  account: PayeeAccount,
  today: PlainDate,
): Promise<Pick<EligibilityFacts, 'register' | 'payee'>> {
  const [company] = await db
    .select({ register: companies.register, hmrcName: companies.vrnRegisteredName })
    .from(companies)
    .where(eq(companies.id, companyId));
  const stored = company?.register;
  const register = stored && toLondonDate(stored.read_at) >= addDays(today, -REGISTER_VALID_DAYS) ? stored : undefined;
  const checks = await listOwnerChecks(db, companyId);
  const passedChecks = checks.filter(({ status }) => status === 'passed');
  const byProvider = passedChecks.filter(({ verifiedBy }) => verifiedBy === null);
  const verifiedPeople = byProvider.length > 0 ? byProvider : passedChecks;
  const people = register?.people;
  const nameCheck = account?.nameCheck;
  return {
    ...(register ? { register: toRegister(register) } : {}),
    payee: {
      hmrcName: company?.hmrcName ?? undefined,
      registerName: register?.name,
      formerNames: register?.previous_names ?? [],
      accountHolder: account?.accountHolder,
      accountCheck: nameCheck
        ? {
            result: nameCheck.result,
            ...(nameCheck.name === undefined ? {} : { name: nameCheck.name }),
            accountEnd: account.accountNumber.slice(-4),
          }
        : undefined,
      identity: verifiedPeople[0]?.status ?? checks[0]?.status ?? 'not_started',
      verifiedPeople: verifiedPeople.map(({ fullName, bornIn }) => ({ name: fullName, bornIn: bornIn ?? undefined })),
      isVerifiedManually: verifiedPeople.length > 0 && byProvider.length === 0,
      companyPeople: people && listPeople(people),
    },
  };
}

const toRegister = ({
  status,
  status_detail: detail,
  type,
  is_insolvent: isInsolvent,
}: RegisterFacts): NonNullable<EligibilityFacts['register']> => ({
  status,
  type,
  isInsolvent,
  isStrikeOffProposed: detail === 'active-proposal-to-strike-off',
});

/** Two people with the same name get separate entries. */
function listPeople({ officers, controllers, births = [] }: NonNullable<RegisterFacts['people']>): NamedPerson[] {
  const knownNames = new Set(births.map(({ name }) => name));
  const otherPeople = [...officers, ...controllers.map(({ name }) => name)].filter((name) => !knownNames.has(name));
  return [...births.map(({ name, born_in: birthMonth }) => ({ name, bornIn: birthMonth })), ...otherPeople.map((name) => ({ name }))];
}

async function findRegistrationDate(db: Db | Tx, companyId: string): Promise<PlainDate | undefined> {
  const body = z
    .object({ registeredOn: z.string().optional() })
    .optional()
    .parse(await getNewestObservation(db, companyId, 'information'));
  return body?.registeredOn === undefined ? undefined : parsePlainDate(body.registeredOn);
}
