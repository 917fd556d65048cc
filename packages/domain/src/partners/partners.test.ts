// Partner table: docs/product/decisions.md section 8. Rates and button order: docs/product/specification.md sections 1, 2.1 and 9.
import { describe, expect, it } from 'vitest';
import { normalisePartnerName } from './partner-name.ts';
import { PARTNERS } from './partner-table.ts';
import { getPartner, getSignUpOrder } from './partners.ts';

describe('a partner', () => {
  it.each([
    ['quickbooks', 'bookkeeping', 100, 'before_hmrc'],
    ['xero', 'bookkeeping', 100, 'before_hmrc'],
    ['freeagent', 'bookkeeping', 100, 'before_hmrc'],
    ['kashflow', 'bookkeeping', 100, 'before_hmrc'],
    ['gofile', 'bridging', 100, 'last'],
    ['mtdsorted', 'bridging', 100, 'last'],
    ['swoop', 'broker', 200, 'after_hmrc'],
    ['azets', 'accountancy', 100, 'after_hmrc'],
    ['organic', 'organic', 100, 'after_hmrc'],
    [' SWOOP ', 'broker', 200, 'after_hmrc'],
    ['unknown-partner', 'organic', 100, 'after_hmrc'],
    ['nomi', 'organic', 100, 'after_hmrc'],
    ['__proto__', 'organic', 100, 'after_hmrc'],
  ] as const)('%j is %s, costs %i basis points and asks for the books %s', (name, kind, feeRateBps, booksStep) => {
    expect(getPartner(name)).toMatchObject({ kind, feeRateBps, booksStep });
  });

  it.each(['freeagent', 'nomi'])('%s refers client lists to OpenTax', (name) => {
    expect(getPartner(name, 'open_tax')).toMatchObject({ name, product: 'open_tax' });
  });

  it('has a unique name within its product that survives links and cookies', () => {
    const keys = PARTNERS.map(({ name, product }) => `${product} ${name}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { name } of PARTNERS) expect(normalisePartnerName(name)).toBe(name);
  });

  it.each(PARTNERS.filter(({ kind }) => kind !== 'organic').map((partner) => [partner.product, partner.name, partner] as const))(
    '%s (%s) has complete copy that names the partner',
    (_product, _name, { logoText, copy, consentText, referralOwner }) => {
      expect(`${copy.headline} ${copy.lead}`).toContain(logoText);
      expect(consentText).toContain(logoText);
      expect(copy.steps.length).toBeGreaterThanOrEqual(3);
      expect(copy.description.length).toBeLessThanOrEqual(160);
      expect(referralOwner).not.toBe('');
    },
  );

  it('that is paid for introductions says so before sign-up', () => {
    expect(getPartner('swoop').consentText).toMatch(/commission/);
    expect(getPartner('swoop').consentText).toContain('2%');
  });
});

describe('the order of the sign-up buttons', () => {
  it.each([
    ['organic', true, 'xero intuit google microsoft'],
    ['unknown-partner', true, 'xero intuit google microsoft'],
    ['azets', false, 'xero intuit google microsoft'],
    ['swoop', false, 'xero intuit google microsoft'],
    ['freeagent', false, 'xero intuit google microsoft'],
    ['kashflow', false, 'xero intuit google microsoft'],
    ['gofile', false, 'xero intuit google microsoft'],
    ['mtdsorted', false, 'xero intuit google microsoft'],
    ['xero', false, 'xero intuit google microsoft'],
    ['quickbooks', false, 'intuit xero google microsoft'],
    ['intuit-uk', false, 'intuit xero google microsoft'],
    ['My-Google-Ads', false, 'google xero intuit microsoft'],
    ['microsoft365', false, 'microsoft xero intuit google'],
  ])('for %s: email first is %s, then %s', (name, emailFirst, providers) => {
    expect(getSignUpOrder(name)).toEqual({ emailFirst, providers: providers.split(' ') });
  });
});

describe('a partner name from a link', () => {
  it.each([
    [' Swoop ', 'swoop'],
    ['my partner', 'my partner'],
    ['acme_uk-2.0', 'acme_uk-2.0'],
    ['', 'organic'],
    [undefined, 'organic'],
    [null, 'organic'],
    ['-x', 'organic'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), 'organic'],
    ['a;Path=/evil', 'organic'],
    ['a\r\nset-cookie: b=c', 'organic'],
    ['<script>', 'organic'],
    ['100%', 'organic'],
    ['ѕwoop', 'organic'],
    ['a\0b', 'organic'],
  ])('stores %j as %j', (text, name) => {
    expect(normalisePartnerName(text)).toBe(name);
  });
});
