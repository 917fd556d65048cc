/** Checks that the same recipe always generates the same practice, with valid references and every special case. */
import { plainDate } from '@portal/domain/plain-date.ts';
import { parseAccountsOfficeReference } from '@portal/domain/uk-tax/references/accounts-office-reference.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { parseCompanyNumber } from '@portal/domain/uk-tax/references/company-number.ts';
import { parseEmployerPayeReference } from '@portal/domain/uk-tax/references/employer-paye-reference.ts';
import { parseNino } from '@portal/domain/uk-tax/references/nino.ts';
import { parseUtr } from '@portal/domain/uk-tax/references/utr.ts';
import { findVrnAlgorithm } from '@portal/domain/uk-tax/references/vrn.ts';
import { describe, expect, it } from 'vitest';
import { SEED_COMPANIES } from '../companies-house/seed-companies.ts';
import { generatePortfolio } from './generate-portfolio.ts';
import { OAKLINE } from './oakline.ts';
import { PORTFOLIO_SITUATIONS } from './situations.ts';

const TODAY = plainDate('2026-11-21');
const portfolio = generatePortfolio({ clients: 3_000, seed: 1, today: TODAY });

describe('a generated portfolio', () => {
  it('is the same for the same recipe, different for another seed, and starts like a smaller one', () => {
    expect(generatePortfolio({ clients: 300, seed: 1, today: TODAY }).list).toEqual(portfolio.list.slice(0, 300));
    const otherPortfolio = generatePortfolio({ clients: 300, seed: 2, today: TODAY });
    expect(otherPortfolio.list.filter(({ utr }) => portfolio.list.some((client) => client.utr === utr))).toHaveLength(0);
  });

  it('contains every situation among its first clients, and all kinds and taxes often', () => {
    expect(portfolio.list.slice(0, 13).map(({ situation }) => situation)).toEqual([...PORTFOLIO_SITUATIONS]);
    for (const situation of PORTFOLIO_SITUATIONS) {
      expect(portfolio.list.filter((client) => client.situation === situation).length).toBeGreaterThan(10);
    }
    const kinds = Map.groupBy(portfolio.list, ({ kind }) => kind);
    expect([...kinds.keys()].sort()).toEqual(['company', 'individual', 'llp', 'partnership', 'sole_trader']);
    for (const tax of ['vat', 'paye', 'ct', 'sa'] as const) {
      expect(portfolio.list.filter(({ taxes }) => taxes.includes(tax)).length).toBeGreaterThan(1_000);
    }
  });

  it('has valid, unique references, with VAT numbers that pass the check-digit rule of their registration date', () => {
    const rules = new Set<string>();
    for (const { utr, nino, company, vat, paye, address } of portfolio.list) {
      expect(parseUtr(utr)).toEqual({ ok: true, value: utr });
      if (nino !== undefined) expect(parseNino(nino)).toEqual({ ok: true, value: nino });
      if (company) expect(parseCompanyNumber(company.number)).toEqual({ ok: true, value: company.number });
      expect(address.postcode).toMatch(/^[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}$/);
      if (paye) {
        expect(parseEmployerPayeReference(paye.employerReference)).toEqual({ ok: true, value: paye.employerReference });
        expect(parseAccountsOfficeReference(paye.accountsOfficeReference)).toEqual({ ok: true, value: paye.accountsOfficeReference });
      }
      if (!vat) continue;
      const rule = vat.registeredOn < '2009-11-01' ? 'mod97' : 'mod9755';
      expect(findVrnAlgorithm(vat.vrn)).toBe(rule);
      rules.add(rule);
    }
    expect(rules.size).toBe(2);
    const collect = (pick: (client: (typeof portfolio.list)[number]) => string | undefined) =>
      portfolio.list.map(pick).filter((value) => value !== undefined);
    for (const pick of [
      collect(({ utr }) => utr),
      collect(({ nino }) => nino),
      collect(({ vat }) => vat?.vrn),
      collect(({ company }) => company?.number),
      collect(({ paye }) => paye?.employerReference),
      collect(({ kind, name }) => (kind === 'company' ? name.toUpperCase() : undefined)),
    ]) {
      expect(new Set(pick).size).toBe(pick.length);
    }
  });

  it('shares no company with the seeded ones except Harlow Joinery', () => {
    const seedNumbers = new Set(SEED_COMPANIES.map(({ number }) => number));
    expect(portfolio.list.filter(({ company }) => company && seedNumbers.has(company.number)).map(({ name }) => name)).toEqual([
      'Harlow Joinery Ltd',
    ]);
  });

  it('belongs to a practice with a valid agent reference number', () => {
    expect(parseArn(OAKLINE.arn)).toEqual({ ok: true, value: OAKLINE.arn });
  });
});
