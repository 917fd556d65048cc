/** Generates invented companies for searches. The same seed always generates the same companies. */
import { addDays, addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { FORENAMES, PLACES, STREETS, SURNAMES, TOWNS, TRADES } from './generated-words.ts';
import type { RegisterAddress, RegisterCompany, RegisterOfficer } from './register-company.ts';

/** Generates pseudo-random numbers that are always the same for the same seed. */
export type RandomGenerator = {
  /** Returns a whole number from 0 up to, but not including, `upperBound`. */
  number(upperBound: number): number;
  from<Item>(items: readonly Item[]): Item;
  isLikely(percent: number): boolean;
};

/**
 * Generates `count` companies. Most are small, active limited companies that file on time; about one in eight differs. Their numbers begin
 * with 1, unlike those of seeded companies.
 */
export function generateCompanies(count: number, seed: number): RegisterCompany[] {
  const random = createRandom(seed);
  const numbers = new Set<string>();
  const names = new Set<string>();
  return Array.from({ length: count }, () => {
    const number = drawUnusedValue(numbers, () => String(10_000_000 + random.number(6_500_000)));
    const name = drawUnusedValue(names, () => generateName(random));
    return generateCompany(random, number, name);
  });
}

function generateCompany(random: RandomGenerator, number: string, name: string): RegisterCompany {
  // Companies House assigned numbers from 10000000 onwards from 2016; this spreads them up to 2025.
  const incorporatedOn = addDays(plainDate('2016-02-01'), Math.floor((Number(number) - 10_000_000) / 2_000) + random.number(20));
  const outcome = random.number(100);
  const isLlp = name.endsWith(' LLP');
  const base = {
    number,
    name,
    type: isLlp ? 'llp' : 'ltd',
    jurisdiction: 'england-wales',
    incorporated_on: incorporatedOn,
    address: generateAddress(random),
    sic_codes: isLlp ? [] : [random.from(SIC_CODES)],
    officers: generateOfficers(random, isLlp, incorporatedOn),
    accounts: random.isLikely(6) ? 'behind' : 'prompt',
    accounts_kind: random.from(['micro-entity', 'micro-entity', 'total-exemption-full', 'unaudited-abridged', 'dormant']),
    confirmation: random.isLikely(4) ? 'behind' : 'prompt',
  } as const;
  if (outcome < 6) return { ...base, status: 'dissolved', ceased_on: addMonths(incorporatedOn, 14 + random.number(8)) };
  if (outcome < 8) return { ...base, status: 'liquidation' };
  if (outcome < 10) return { ...base, status: 'active', status_detail: 'active-proposal-to-strike-off' };
  return { ...base, status: 'active' };
}

const SIC_CODES = ['43220', '47910', '56101', '62012', '62020', '68209', '69201', '70229', '74909', '82990', '86900', '96020'];

function generateName(random: RandomGenerator): string {
  const kind = random.number(10);
  const legalSuffix = random.isLikely(70) ? 'LTD' : 'LIMITED';
  const trade = random.from(TRADES);
  if (kind < 6) return `${random.from(PLACES)} ${trade} ${legalSuffix}`.toUpperCase();
  if (kind < 8) return `${random.from(SURNAMES)} & ${random.from(SURNAMES)} ${trade} ${legalSuffix}`.toUpperCase();
  if (kind < 9) return `${random.from(SURNAMES)} ${trade} (${random.from(TOWNS).locality}) ${legalSuffix}`.toUpperCase();
  return `${random.from(SURNAMES)} ${random.from(SURNAMES)} LLP`.toUpperCase();
}

export function generateAddress(random: RandomGenerator): RegisterAddress {
  const { area, ...town } = random.from(TOWNS);
  const inwardCode = `${random.number(9) + 1}${random.from('ABDEFGHJLNPQRSTUWXYZ'.split(''))}${random.from('ABDEFGHJLNPQRSTUWXYZ'.split(''))}`;
  return {
    premises: String(random.number(180) + 1),
    address_line_1: random.from(STREETS),
    ...town,
    postal_code: `${area}${random.number(19) + 1} ${inwardCode}`,
    country: 'England',
  };
}

function generateOfficers(random: RandomGenerator, isLlp: boolean, since: PlainDate): RegisterOfficer[] {
  const count = isLlp ? 2 : 1 + random.number(3);
  return Array.from({ length: count }, (_, index) => ({
    name: `${random.from(SURNAMES).toUpperCase()}, ${random.from(FORENAMES)}`,
    role: isLlp ? 'llp-designated-member' : index === 2 ? 'secretary' : 'director',
    appointed_on: since,
    // The first officer never resigns, so every company has at least one.
    ...(index > 0 && random.isLikely(25) ? { resigned_on: addMonths(since, 10) } : {}),
  }));
}

function drawUnusedValue(usedValues: Set<string>, generate: () => string): string {
  for (;;) {
    const candidate = generate();
    if (usedValues.has(candidate)) continue;
    usedValues.add(candidate);
    return candidate;
  }
}

/** Uses the mulberry32 algorithm, which is small and gives the same results on every machine. */
export function createRandom(seed: number): RandomGenerator {
  let state = seed >>> 0;
  const drawNumber = (upperBound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedState = Math.imul(state ^ (state >>> 15), state | 1);
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61)) ^ mixedState;
    return Math.floor((((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296) * upperBound);
  };
  return {
    number: drawNumber,
    isLikely: (percent) => drawNumber(100) < percent,
    from: (items) => {
      const item = items[drawNumber(items.length)];
      if (item === undefined) throw new RangeError('There are no items to draw from.');
      return item;
    },
  };
}
