/** Generates a practice's clients with invented names and valid references. The same recipe always gives the same clients. */
import { addDays, countDaysBetween, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { generateAddress, createRandom, type RandomGenerator } from '../companies-house/generate-companies.ts';
import { FORENAMES, SURNAMES, TRADES, PLACES } from '../companies-house/generated-words.ts';
import { BRIGHTWELL } from '../seed/seed-data.ts';
import { getLastEndedStagger } from '../hmrc/vat-periods.ts';
import { HARLOW } from './oakline.ts';
import type { Portfolio, PortfolioClient, PortfolioKind, PortfolioRecipe } from './portfolio-client.ts';
import {
  hashText,
  createCompanyNumber,
  createLlpNumber,
  createNino,
  createPayeReferences,
  createUtr,
  createVrn,
  createScatter,
  type Scatter,
} from './references.ts';
import { needsAuthorisation, needsVat, drawSituation, type PortfolioSituation } from './situations.ts';

/** The first client is always Harlow Joinery; the first thirteen cover every situation once. */
export function generatePortfolio(recipe: PortfolioRecipe): Portfolio {
  const { clients, seed, today } = recipe;
  if (!Number.isSafeInteger(clients) || clients < 0 || clients > 100_000)
    throw new RangeError(`Expected 0 to 100,000 clients, not ${clients}.`);
  const scatter = createScatter(seed);
  const names = new Set<string>([HARLOW.name.toUpperCase()]);
  const list = Array.from({ length: clients }, (_, index) =>
    generateClient(createRandom(hashText(`${seed} client ${index}`)), scatter, index, today, names),
  );
  const byVrn = new Map(list.flatMap((client) => (client.vat ? [[client.vat.vrn, client]] : [])));
  const byNino = new Map(list.flatMap((client) => (client.nino === undefined ? [] : [[client.nino, client]])));
  return { ...recipe, list, byVrn, byNino };
}

function generateClient(random: RandomGenerator, scatter: Scatter, index: number, today: PlainDate, names: Set<string>): PortfolioClient {
  const situation = drawSituation(random, index);
  const kind = drawKind(random, index, situation);
  const personName = `${random.from(FORENAMES)} ${random.from(SURNAMES)}`;
  const name = index === 0 ? HARLOW.name : drawUnusedName(random, names, kind, personName);
  const contact = index === 0 ? HARLOW.contact : personName;
  const business = kind === 'sole_trader' || kind === 'individual' ? drawBusiness(random, scatter, index, kind, situation) : undefined;
  const taxes = drawTaxes(random, kind, situation, index, business !== undefined);
  const company = kind === 'company' || kind === 'llp' ? drawCompany(scatter, index, kind) : undefined;
  return {
    index,
    code: `OAK${String(index + 1).padStart(5, '0')}`,
    name,
    kind,
    taxes,
    situation,
    contact,
    email: index === 0 ? HARLOW.email : `${contact.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@client${index + 1}.example`,
    // Ofcom reserves 07700 900000 to 900999 for drama, so these numbers belong to no real person.
    phone: `07700 900${String(random.number(1000)).padStart(3, '0')}`,
    address: drawAddress(random, index),
    utr: createUtr(scatter, index),
    ...(kind === 'sole_trader' || kind === 'individual' ? { nino: createNino(scatter, index) } : {}),
    ...(company ? { company } : {}),
    ...(taxes.includes('vat') ? { vat: drawVat(random, scatter, index, situation, today, company?.incorporatedOn) } : {}),
    ...(taxes.includes('paye') ? { paye: drawPaye(random, scatter, index) } : {}),
    ...(taxes.includes('ct') ? { corporationTax: { typicalYearPence: 200_000 + random.number(6_000_000) } } : {}),
    ...(taxes.includes('sa')
      ? { selfAssessment: { typicalYearPence: 80_000 + random.number(1_900_000), ...(business ? { business } : {}) } }
      : {}),
  };
}

function drawKind(random: RandomGenerator, index: number, situation: PortfolioSituation): PortfolioKind {
  const draw = random.number(100);
  // The first thirteen clients are companies. An individual never has VAT, so a situation that needs VAT makes the client a company.
  if (index < 13) return 'company';
  const kind = draw < 58 ? 'company' : draw < 63 ? 'llp' : draw < 69 ? 'partnership' : draw < 89 ? 'sole_trader' : 'individual';
  return kind === 'individual' && needsVat(situation) ? 'company' : kind;
}

const VAT_PERCENT: Readonly<Record<PortfolioKind, number>> = { company: 78, llp: 85, partnership: 70, sole_trader: 45, individual: 0 };
const PAYE_PERCENT: Readonly<Record<PortfolioKind, number>> = { company: 62, llp: 60, partnership: 35, sole_trader: 20, individual: 0 };

function drawTaxes(
  random: RandomGenerator,
  kind: PortfolioKind,
  situation: PortfolioSituation,
  index: number,
  isKnownForIncomeTax: boolean,
): Tax[] {
  const shouldDrawVat = random.isLikely(VAT_PERCENT[kind]);
  const shouldDrawPaye = random.isLikely(PAYE_PERCENT[kind]);
  const isVatNeeded = index < 13 || needsVat(situation) || (needsAuthorisation(situation) && !isKnownForIncomeTax);
  return [
    ...(shouldDrawVat || (isVatNeeded && kind !== 'individual') ? (['vat'] as const) : []),
    ...(shouldDrawPaye || index === 0 ? (['paye'] as const) : []),
    ...(kind === 'company' ? (['ct'] as const) : (['sa'] as const)),
  ];
}

function drawBusiness(
  random: RandomGenerator,
  scatter: Scatter,
  index: number,
  kind: 'sole_trader' | 'individual',
  situation: PortfolioSituation,
) {
  const digits = String(scatter(index, 'business', 99_999_999_999)).padStart(11, '0');
  const isSignedUp = random.isLikely(kind === 'sole_trader' ? 55 : 30);
  const isSupporting = random.isLikely(8);
  // Signs up every individual in an authorisation situation, because an authorisation needs a tax.
  if (!isSignedUp && !(kind === 'individual' && needsAuthorisation(situation))) return undefined;
  return {
    businessId: `XAIS${digits}`,
    mtdItId: `XAIT${digits}`,
    typeOfBusiness: kind === 'sole_trader' ? 'self-employment' : 'uk-property',
    agentType: isSupporting ? 'supporting' : 'main',
  } as const;
}

function drawCompany(scatter: Scatter, index: number, kind: 'company' | 'llp') {
  if (index === 0) return { number: HARLOW.companyNumber, incorporatedOn: plainDate('2005-07-25') };
  const [candidate, from, days] =
    kind === 'company'
      ? ([createCompanyNumber(scatter, index), plainDate('1986-03-01'), 10_800] as const)
      : ([createLlpNumber(scatter, index), plainDate('2001-04-06'), 8_000] as const);
  return { number: candidate.number, incorporatedOn: addDays(from, Math.floor(candidate.ordinal * days)) };
}

function drawVat(
  random: RandomGenerator,
  scatter: Scatter,
  index: number,
  situation: PortfolioSituation,
  today: PlainDate,
  incorporatedOn: PlainDate | undefined,
): NonNullable<PortfolioClient['vat']> {
  const earliest = incorporatedOn !== undefined && incorporatedOn > '1990-01-01' ? incorporatedOn : plainDate('1990-01-01');
  // Registration was at least three years ago to allow a history, or days ago for clients without data.
  const latest = addDays(today, -1200);
  const randomDate = addDays(earliest, random.number(Math.max(countDaysBetween(earliest, latest), 1)));
  const registeredOn = situation === 'no_data' ? addDays(today, -1 - random.number(20)) : randomDate;
  const stagger = random.isLikely(6) ? 'monthly' : random.from([1, 2, 3] as const);
  const isRepaid = situation.startsWith('refund_') || (situation === 'up_to_date' && index > 0 && random.isLikely(14));
  const isDormant = situation === 'up_to_date' && index > 0 && !isRepaid && random.isLikely(4);
  const mayPayByDirectDebit = situation !== 'overdue_payment' && situation !== 'insolvent' && random.isLikely(40);
  const vrn = createVrn(scatter, index, registeredOn);
  return {
    vrn: vrn === BRIGHTWELL.vrn ? createVrn(scatter, 9_000_000 + index, registeredOn) : vrn,
    registeredOn,
    // Only the stagger whose period ended last has an open return that isn't late yet.
    stagger: situation === 'due_soon' && stagger !== 'monthly' ? getLastEndedStagger(today) : stagger,
    history: isRepaid ? 'exporter' : isDormant ? 'dormant' : 'payer',
    typicalNetPence: 40_000 + Math.floor(random.number(1_000) ** 2 * 4.5),
    paysByDirectDebit: mayPayByDirectDebit && !isRepaid && !isDormant,
  };
}

function drawPaye(random: RandomGenerator, scatter: Scatter, index: number): NonNullable<PortfolioClient['paye']> {
  const typicalMonthPence = 30_000 + Math.floor(random.number(1_000) ** 2 * 2.5);
  // Employers who pay less than £1,500 a month may pay quarterly.
  const frequency = typicalMonthPence < 150_000 && random.isLikely(70) ? 'quarterly' : 'monthly';
  return { ...createPayeReferences(scatter, index), payFrequency: frequency, typicalMonthPence };
}

function drawAddress(random: RandomGenerator, index: number): PortfolioClient['address'] {
  const candidate = generateAddress(random);
  if (index === 0) return { line1: 'Workshop 2, Mill Lane', town: 'Harlow', postcode: HARLOW.postcode };
  return { line1: `${candidate.premises} ${candidate.address_line_1}`, town: candidate.locality, postcode: candidate.postal_code };
}

/** Draws a name. Company names are unique, but people may share one. */
function drawUnusedName(random: RandomGenerator, names: Set<string>, kind: PortfolioKind, person: string): string {
  if (kind === 'individual') return person;
  if (kind === 'sole_trader' && random.isLikely(60)) return person;
  for (let attempt = 0; ; attempt += 1) {
    const candidate = drawName(random, kind, person, attempt);
    if (names.has(candidate.toUpperCase())) continue;
    names.add(candidate.toUpperCase());
    return candidate;
  }
}

function drawName(random: RandomGenerator, kind: PortfolioKind, person: string, attempt: number): string {
  const surname = person.split(' ')[1] ?? '';
  // After some attempts the name includes a place, because there are fewer names than clients.
  const trade = `${attempt > 3 ? `${random.from(PLACES)} ` : ''}${random.from(TRADES)}`;
  switch (kind) {
    case 'company':
      return `${random.isLikely(65) ? random.from(PLACES) : `${surname} & ${random.from(SURNAMES)}`} ${trade} ${random.isLikely(70) ? 'Ltd' : 'Limited'}`;
    case 'llp':
      return `${surname} ${random.from(SURNAMES)} ${attempt > 3 ? `${trade} ` : ''}LLP`;
    case 'partnership':
      return `${surname} & ${random.from(SURNAMES)} ${trade}`;
    case 'sole_trader':
    case 'individual':
      return `${surname}'s ${trade}`;
  }
}
