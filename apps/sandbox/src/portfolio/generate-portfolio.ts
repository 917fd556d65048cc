/** Generates a practice's clients with invented names and valid references, the same ones for the same recipe. */
import { addDays, daysBetween, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { addressFrom, drawFrom, type Draw } from '../companies-house/generate-companies.ts';
import { FORENAMES, SURNAMES, TRADES, PLACES } from '../companies-house/invented-words.ts';
import { BRIGHTWELL } from '../seed/seed-data.ts';
import { staggerEndedLast } from '../hmrc/vat-periods.ts';
import { HARLOW } from './oakline.ts';
import type { Portfolio, PortfolioClient, PortfolioKind, PortfolioRecipe } from './portfolio-client.ts';
import {
  hashOf,
  makeCompanyNumber,
  makeLlpNumber,
  makeNino,
  makePayeReferences,
  makeUtr,
  makeVrn,
  scatterFrom,
  type Scatter,
} from './references.ts';
import { needsAuthority, needsVat, situationOf, type PortfolioSituation } from './situations.ts';

/** The first client is always Harlow Joinery; the first thirteen cover every situation once. */
export function generatePortfolio(recipe: PortfolioRecipe): Portfolio {
  const { clients, seed, today } = recipe;
  if (!Number.isSafeInteger(clients) || clients < 0 || clients > 100_000)
    throw new RangeError(`Expected 0 to 100,000 clients, not ${clients}.`);
  const scatter = scatterFrom(seed);
  const names = new Set<string>([HARLOW.name.toUpperCase()]);
  const list = Array.from({ length: clients }, (_, index) =>
    makeClient(drawFrom(hashOf(`${seed} client ${index}`)), scatter, index, today, names),
  );
  const byVrn = new Map(list.flatMap((client) => (client.vat ? [[client.vat.vrn, client]] : [])));
  const byNino = new Map(list.flatMap((client) => (client.nino === undefined ? [] : [[client.nino, client]])));
  return { ...recipe, list, byVrn, byNino };
}

function makeClient(draw: Draw, scatter: Scatter, index: number, today: PlainDate, names: Set<string>): PortfolioClient {
  const situation = situationOf(draw, index);
  const kind = kindOf(draw, index, situation);
  const person = `${draw.from(FORENAMES)} ${draw.from(SURNAMES)}`;
  const name = index === 0 ? HARLOW.name : unusedName(draw, names, kind, person);
  const contact = index === 0 ? HARLOW.contact : person;
  const business = kind === 'sole_trader' || kind === 'individual' ? businessOf(draw, scatter, index, kind, situation) : undefined;
  const taxes = taxesOf(draw, kind, situation, index, business !== undefined);
  const company = kind === 'company' || kind === 'llp' ? companyOf(scatter, index, kind) : undefined;
  return {
    index,
    code: `OAK${String(index + 1).padStart(5, '0')}`,
    name,
    kind,
    taxes,
    situation,
    contact,
    email: index === 0 ? HARLOW.email : `${contact.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@client${index + 1}.example`,
    // Ofcom reserves 07700 900000 to 900999 for drama, so no real person is called.
    phone: `07700 900${String(draw.number(1000)).padStart(3, '0')}`,
    address: addressOf(draw, index),
    utr: makeUtr(scatter, index),
    ...(kind === 'sole_trader' || kind === 'individual' ? { nino: makeNino(scatter, index) } : {}),
    ...(company ? { company } : {}),
    ...(taxes.includes('vat') ? { vat: vatOf(draw, scatter, index, situation, today, company?.incorporatedOn) } : {}),
    ...(taxes.includes('paye') ? { paye: payeOf(draw, scatter, index) } : {}),
    ...(taxes.includes('ct') ? { corporationTax: { typicalYearPence: 200_000 + draw.number(6_000_000) } } : {}),
    ...(taxes.includes('sa')
      ? { selfAssessment: { typicalYearPence: 80_000 + draw.number(1_900_000), ...(business ? { business } : {}) } }
      : {}),
  };
}

function kindOf(draw: Draw, index: number, situation: PortfolioSituation): PortfolioKind {
  const drawn = draw.number(100);
  // The first thirteen clients are companies. Of the rest, individuals without a business have no VAT.
  if (index < 13) return 'company';
  const kind = drawn < 58 ? 'company' : drawn < 63 ? 'llp' : drawn < 69 ? 'partnership' : drawn < 89 ? 'sole_trader' : 'individual';
  return kind === 'individual' && needsVat(situation) ? 'company' : kind;
}

const VAT_PERCENT: Readonly<Record<PortfolioKind, number>> = { company: 78, llp: 85, partnership: 70, sole_trader: 45, individual: 0 };
const PAYE_PERCENT: Readonly<Record<PortfolioKind, number>> = { company: 62, llp: 60, partnership: 35, sole_trader: 20, individual: 0 };

function taxesOf(draw: Draw, kind: PortfolioKind, situation: PortfolioSituation, index: number, knownForIncomeTax: boolean): Tax[] {
  const drawsVat = draw.chance(VAT_PERCENT[kind]);
  const drawsPaye = draw.chance(PAYE_PERCENT[kind]);
  const needed = index < 13 || needsVat(situation) || (needsAuthority(situation) && !knownForIncomeTax);
  return [
    ...(drawsVat || (needed && kind !== 'individual') ? (['vat'] as const) : []),
    ...(drawsPaye || index === 0 ? (['paye'] as const) : []),
    ...(kind === 'company' ? (['ct'] as const) : (['sa'] as const)),
  ];
}

function businessOf(draw: Draw, scatter: Scatter, index: number, kind: 'sole_trader' | 'individual', situation: PortfolioSituation) {
  const digits = String(scatter(index, 'business', 99_999_999_999)).padStart(11, '0');
  const isIn = draw.chance(kind === 'sole_trader' ? 55 : 30);
  const isSupporting = draw.chance(8);
  // A situation about the practice's authorisation needs a tax that can be authorised.
  if (!isIn && !(kind === 'individual' && needsAuthority(situation))) return undefined;
  return {
    businessId: `XAIS${digits}`,
    mtdItId: `XAIT${digits}`,
    typeOfBusiness: kind === 'sole_trader' ? 'self-employment' : 'uk-property',
    agentType: isSupporting ? 'supporting' : 'main',
  } as const;
}

function companyOf(scatter: Scatter, index: number, kind: 'company' | 'llp') {
  if (index === 0) return { number: HARLOW.companyNumber, incorporatedOn: plainDate('2005-07-25') };
  const [made, from, days] =
    kind === 'company'
      ? ([makeCompanyNumber(scatter, index), plainDate('1986-03-01'), 10_800] as const)
      : ([makeLlpNumber(scatter, index), plainDate('2001-04-06'), 8_000] as const);
  return { number: made.number, incorporatedOn: addDays(from, Math.floor(made.ordinal * days)) };
}

function vatOf(
  draw: Draw,
  scatter: Scatter,
  index: number,
  situation: PortfolioSituation,
  today: PlainDate,
  incorporatedOn: PlainDate | undefined,
): NonNullable<PortfolioClient['vat']> {
  const earliest = incorporatedOn !== undefined && incorporatedOn > '1990-01-01' ? incorporatedOn : plainDate('1990-01-01');
  // Registered for at least three years, so that there is a history; clients without data registered days ago.
  const latest = addDays(today, -1200);
  const drawn = addDays(earliest, draw.number(Math.max(daysBetween(earliest, latest), 1)));
  const registeredOn = situation === 'no_data' ? addDays(today, -1 - draw.number(20)) : drawn;
  const stagger = draw.chance(6) ? 'monthly' : draw.from([1, 2, 3] as const);
  const isRepaid = situation.startsWith('refund_') || (situation === 'up_to_date' && index > 0 && draw.chance(14));
  const isDormant = situation === 'up_to_date' && index > 0 && !isRepaid && draw.chance(4);
  const pays = situation !== 'overdue_payment' && situation !== 'insolvent' && draw.chance(40);
  const vrn = makeVrn(scatter, index, registeredOn);
  return {
    vrn: vrn === BRIGHTWELL.vrn ? makeVrn(scatter, 9_000_000 + index, registeredOn) : vrn,
    registeredOn,
    // Only the stagger that ended last has an open return that is not late yet.
    stagger: situation === 'due_soon' && stagger !== 'monthly' ? staggerEndedLast(today) : stagger,
    history: isRepaid ? 'exporter' : isDormant ? 'dormant' : 'payer',
    typicalNetPence: 40_000 + Math.floor(draw.number(1_000) ** 2 * 4.5),
    paysByDirectDebit: pays && !isRepaid && !isDormant,
  };
}

function payeOf(draw: Draw, scatter: Scatter, index: number): NonNullable<PortfolioClient['paye']> {
  const typicalMonthPence = 30_000 + Math.floor(draw.number(1_000) ** 2 * 2.5);
  // Employers who pay less than £1,500 a month may pay quarterly.
  const pays = typicalMonthPence < 150_000 && draw.chance(70) ? 'quarterly' : 'monthly';
  return { ...makePayeReferences(scatter, index), pays, typicalMonthPence };
}

function addressOf(draw: Draw, index: number): PortfolioClient['address'] {
  const made = addressFrom(draw);
  if (index === 0) return { line1: 'Workshop 2, Mill Lane', town: 'Harlow', postcode: HARLOW.postcode };
  return { line1: `${made.premises} ${made.address_line_1}`, town: made.locality, postcode: made.postal_code };
}

/** Company names are unique; people may share a name. */
function unusedName(draw: Draw, names: Set<string>, kind: PortfolioKind, person: string): string {
  if (kind === 'individual') return person;
  if (kind === 'sole_trader' && draw.chance(60)) return person;
  for (let attempt = 0; ; attempt += 1) {
    const made = nameFrom(draw, kind, person, attempt);
    if (names.has(made.toUpperCase())) continue;
    names.add(made.toUpperCase());
    return made;
  }
}

function nameFrom(draw: Draw, kind: PortfolioKind, person: string, attempt: number): string {
  const surname = person.split(' ')[1] ?? '';
  // After some attempts the name includes a place, because names run out before clients do.
  const trade = `${attempt > 3 ? `${draw.from(PLACES)} ` : ''}${draw.from(TRADES)}`;
  switch (kind) {
    case 'company':
      return `${draw.chance(65) ? draw.from(PLACES) : `${surname} & ${draw.from(SURNAMES)}`} ${trade} ${draw.chance(70) ? 'Ltd' : 'Limited'}`;
    case 'llp':
      return `${surname} ${draw.from(SURNAMES)} ${attempt > 3 ? `${trade} ` : ''}LLP`;
    case 'partnership':
      return `${surname} & ${draw.from(SURNAMES)} ${trade}`;
    case 'sole_trader':
    case 'individual':
      return `${surname}'s ${trade}`;
  }
}
