/** Generates HMRC's income tax records for a client signed up to Making Tax Digital. */
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import { getTaxYearStart, toTaxYear, getTaxYear } from '@portal/domain/uk-tax/calendar/tax-year.ts';
import { getValueOrForecast } from '@portal/domain/uk-tax/known.ts';
import { getSelfAssessmentDates } from '@portal/domain/uk-tax/self-assessment/dates.ts';
import { listMtdQuarterlyUpdates } from '@portal/domain/uk-tax/self-assessment/mtd-quarterly-updates.ts';
import type { IncomeTaxCharge, IncomeTaxPayment, IncomeTaxRecord } from '../hmrc-agent/agent-records.ts';
import { getVariation } from '../hmrc/past-figures.ts';
import type { PortfolioClient } from './portfolio-client.ts';
import { hashText } from './references.ts';

/** Number of tax years before the last complete one. */
const YEARS_BACK = 3;

/** Returns the record of a client with a business, otherwise undefined, because HMRC's income tax APIs don't cover anyone else. */
export function generateIncomeTaxRecord(client: PortfolioClient, today: PlainDate): IncomeTaxRecord | undefined {
  const business = client.selfAssessment?.business;
  if (!business || client.nino === undefined) return undefined;
  const hasData = client.situation !== 'no_data';
  const lastEndedYear = getTaxYearStart(getTaxYear(today)) - 1;
  const years = Array.from({ length: YEARS_BACK + 1 }, (_, yearIndex) => lastEndedYear - YEARS_BACK + yearIndex);
  const declaredYears = years.filter((year) => year < lastEndedYear || isDeclaredEarly(client));
  const charges = hasData ? listCharges(client, years, declaredYears, today) : [];
  return {
    nino: client.nino,
    name: client.name,
    postcode: client.address.postcode,
    business: { businessId: business.businessId, typeOfBusiness: business.typeOfBusiness },
    hasData,
    updatesReceived: listReceivedUpdates(client, today),
    declarationsReceived: Object.fromEntries(declaredYears.map((year) => [toTaxYear(year), getDeclarationDate(client, year, today)])),
    firstTaxYear: toTaxYear(years[0] ?? lastEndedYear),
    charges,
    payments: charges.flatMap((charge, index) => listPayments(client, charge, index, charges, today)),
  };
}

/** Some clients file in the summer, so January's amounts are known early. */
function isDeclaredEarly(client: PortfolioClient): boolean {
  return client.situation === 'due_soon' || getVariation(client.utr, 80) < 0.4;
}

function getDeclarationDate(client: PortfolioClient, year: number, today: PlainDate): PlainDate {
  const usualDate = addDays(getSelfAssessmentDates(toTaxYear(year)).end, 70 + Math.floor(getVariation(client.utr, year) * 100));
  return usualDate < today ? usualDate : addDays(today, -1);
}

function listReceivedUpdates(client: PortfolioClient, today: PlainDate): Record<string, PlainDate> {
  const expectedUpdates = getValueOrForecast(listMtdQuarterlyUpdates(getTaxYear(today))) ?? [];
  const dueUpdates = expectedUpdates.filter((update) => update.due < today);
  const receivedDueDates = client.situation === 'overdue_return' ? dueUpdates.slice(0, -1) : dueUpdates;
  return Object.fromEntries(
    receivedDueDates.map((update, index) => [update.due, addDays(update.end, 8 + Math.floor(getVariation(client.utr, 90 + index) * 20))]),
  );
}

/** Lists payments on account of half the previous year's tax, and the balance once the return is filed. */
function listCharges(
  client: PortfolioClient,
  years: readonly number[],
  declaredYears: readonly number[],
  today: PlainDate,
): IncomeTaxCharge[] {
  const getTax = (year: number) =>
    Math.round((client.selfAssessment?.typicalYearPence ?? 0) * (0.8 + getVariation(client.utr, 2000 + year) * 0.4));
  return [...years, (years.at(-1) ?? 0) + 1].flatMap((year) => {
    const dates = getSelfAssessmentDates(toTaxYear(year));
    const halfOfLastYear = Math.floor(getTax(year - 1) / 2);
    const isKnown = year === years[0] || declaredYears.includes(year - 1);
    const raisedOn = year === years[0] ? dates.start : getDeclarationDate(client, year - 1, today);
    const createCharge = (
      kind: IncomeTaxCharge['kind'],
      due: PlainDate,
      originalPence: number,
      raisedDate: PlainDate,
    ): IncomeTaxCharge => ({
      documentId: toDocumentId(client, year, kind),
      taxYear: dates.tax_year,
      kind,
      raisedOn: raisedDate,
      due,
      originalPence,
    });
    const balance = getTax(year) - halfOfLastYear * 2;
    return [
      ...(isKnown
        ? [createCharge('poa1', dates.poa1, halfOfLastYear, raisedOn), createCharge('poa2', dates.poa2, halfOfLastYear, raisedOn)]
        : []),
      ...(declaredYears.includes(year) && balance > 0
        ? [createCharge('balancing', dates.balancing, balance, getDeclarationDate(client, year, today))]
        : []),
    ];
  });
}

function listPayments(
  client: PortfolioClient,
  charge: IncomeTaxCharge,
  index: number,
  charges: readonly IncomeTaxCharge[],
  today: PlainDate,
): IncomeTaxPayment[] {
  if (charge.due >= today) return [];
  const isOwing = client.situation === 'overdue_payment' || client.situation === 'insolvent';
  const newestCharge = charges.findLast(({ due }) => due < today);
  const isUnpaid = isOwing && newestCharge === charge;
  const amountPence = !isUnpaid ? charge.originalPence : getVariation(client.utr, 95) < 0.4 ? Math.floor(charge.originalPence / 4) : 0;
  if (amountPence === 0) return [];
  return [
    {
      paymentLot: `0812${String(hashText(client.utr) % 100_000_000).padStart(8, '0')}`,
      paymentLotItem: String(index + 1).padStart(6, '0'),
      reference: `${client.utr}K`,
      amountPence,
      receivedOn: addDays(charge.due, -1 - Math.floor(getVariation(client.utr, index) * 12)),
      allocations: [{ documentId: charge.documentId, amountPence }],
    },
  ];
}

/** Returns twelve letters and digits. */
function toDocumentId(client: PortfolioClient, year: number, kind: IncomeTaxCharge['kind']): string {
  const position = { poa1: 1, poa2: 2, balancing: 3 }[kind];
  return `${String(hashText(`${client.utr} ${year}`)).padStart(10, '0')}${String(year % 10)}${position}`;
}
