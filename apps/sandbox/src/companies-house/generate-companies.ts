/** Generates invented companies for searches, the same ones for the same seed. */
import { addDays, addMonths, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { FORENAMES, PLACES, STREETS, SURNAMES, TOWNS, TRADES } from './invented-words.ts';
import type { RegisterAddress, RegisterCompany, RegisterOfficer } from './register-company.ts';

/** A seeded pseudo-random generator. */
export type Draw = {
  /** A whole number from 0 up to, but not including, `below`. */
  number(below: number): number;
  from<Item>(items: readonly Item[]): Item;
  chance(percent: number): boolean;
};

/**
 * `count` companies: mostly small, active, limited and filing on time; about one in eight differs. Numbers begin with 1, which no seeded
 * company's does.
 */
export function generateCompanies(count: number, seed: number): RegisterCompany[] {
  const draw = drawFrom(seed);
  const numbers = new Set<string>();
  const names = new Set<string>();
  return Array.from({ length: count }, () => {
    const number = unused(numbers, () => String(10_000_000 + draw.number(6_500_000)));
    const name = unused(names, () => nameFrom(draw));
    return companyFrom(draw, number, name);
  });
}

function companyFrom(draw: Draw, number: string, name: string): RegisterCompany {
  // Numbers from 10000000 on were assigned from 2016; this spreads them to 2025.
  const incorporated = addDays(plainDate('2016-02-01'), Math.floor((Number(number) - 10_000_000) / 2_000) + draw.number(20));
  const fate = draw.number(100);
  const isLlp = name.endsWith(' LLP');
  const base = {
    number,
    name,
    type: isLlp ? 'llp' : 'ltd',
    jurisdiction: 'england-wales',
    incorporated_on: incorporated,
    address: addressFrom(draw),
    sic_codes: isLlp ? [] : [draw.from(SIC_CODES)],
    officers: officersFrom(draw, isLlp, incorporated),
    accounts: draw.chance(6) ? 'behind' : 'prompt',
    accounts_kind: draw.from(['micro-entity', 'micro-entity', 'total-exemption-full', 'unaudited-abridged', 'dormant']),
    confirmation: draw.chance(4) ? 'behind' : 'prompt',
  } as const;
  if (fate < 6) return { ...base, status: 'dissolved', ceased_on: addMonths(incorporated, 14 + draw.number(8)) };
  if (fate < 8) return { ...base, status: 'liquidation' };
  if (fate < 10) return { ...base, status: 'active', status_detail: 'active-proposal-to-strike-off' };
  return { ...base, status: 'active' };
}

const SIC_CODES = ['43220', '47910', '56101', '62012', '62020', '68209', '69201', '70229', '74909', '82990', '86900', '96020'];

function nameFrom(draw: Draw): string {
  const kind = draw.number(10);
  const ending = draw.chance(70) ? 'LTD' : 'LIMITED';
  const trade = draw.from(TRADES);
  if (kind < 6) return `${draw.from(PLACES)} ${trade} ${ending}`.toUpperCase();
  if (kind < 8) return `${draw.from(SURNAMES)} & ${draw.from(SURNAMES)} ${trade} ${ending}`.toUpperCase();
  if (kind < 9) return `${draw.from(SURNAMES)} ${trade} (${draw.from(TOWNS).locality}) ${ending}`.toUpperCase();
  return `${draw.from(SURNAMES)} ${draw.from(SURNAMES)} LLP`.toUpperCase();
}

export function addressFrom(draw: Draw): RegisterAddress {
  const { area, ...town } = draw.from(TOWNS);
  const inward = `${draw.number(9) + 1}${draw.from('ABDEFGHJLNPQRSTUWXYZ'.split(''))}${draw.from('ABDEFGHJLNPQRSTUWXYZ'.split(''))}`;
  return {
    premises: String(draw.number(180) + 1),
    address_line_1: draw.from(STREETS),
    ...town,
    postal_code: `${area}${draw.number(19) + 1} ${inward}`,
    country: 'England',
  };
}

function officersFrom(draw: Draw, isLlp: boolean, since: PlainDate): RegisterOfficer[] {
  const count = isLlp ? 2 : 1 + draw.number(3);
  return Array.from({ length: count }, (_, index) => ({
    name: `${draw.from(SURNAMES).toUpperCase()}, ${draw.from(FORENAMES)}`,
    role: isLlp ? 'llp-designated-member' : index === 2 ? 'secretary' : 'director',
    appointed_on: since,
    // The first officer stays, so that every company has one.
    ...(index > 0 && draw.chance(25) ? { resigned_on: addMonths(since, 10) } : {}),
  }));
}

function unused(taken: Set<string>, make: () => string): string {
  for (;;) {
    const made = make();
    if (taken.has(made)) continue;
    taken.add(made);
    return made;
  }
}

/** The mulberry32 generator: small, with the same results on every machine. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const number = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
  return {
    number,
    chance: (percent) => number(100) < percent,
    from: (items) => {
      const item = items[number(items.length)];
      if (item === undefined) throw new RangeError('There are no items to draw from.');
      return item;
    },
  };
}
