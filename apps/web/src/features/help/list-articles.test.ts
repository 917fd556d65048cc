import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findPage } from '@portal/contract/pages.ts';
import { isOpenTaxPath } from '@portal/contract/pages/open-tax-path.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { RULE_NAMES } from '../../components/advances/rule-list.tsx';
import { listUnmetRules } from './articles/when-we-say-no.ts';
import { ARTICLES, findArticlesAbout, searchArticles, writeArticles } from './list-articles.ts';

const today = plainDate('2026-11-21');
const FACTS = { brand: 'Tidewater', today, terms: getAdvanceTerms(today), feeRateBps: 100 };
const articles = writeArticles(FACTS, 'instant_vat');
const practiceArticles = writeArticles(FACTS, 'open_tax');
const listKeys = (foundArticles: readonly { key: string }[]): string[] => foundArticles.map(({ key }) => key);

describe('help', () => {
  it('has every article in the folder, each with its file’s name as key', () => {
    const files = readdirSync(join(import.meta.dirname, 'articles')).filter((file) => file !== 'article.ts');
    expect(
      listKeys(ARTICLES)
        .map((key) => `${key}.ts`)
        .toSorted(),
    ).toEqual(files.toSorted());
  });

  it('shows the fee that the product charges: 1%, at least £5.00 (docs/product/specification.md section 9)', () => {
    const fee = articles.find(({ key }) => key === 'fee');
    expect(fee?.text).toContain('1% of the refund, with a minimum of £5.00');
    expect(fee?.blocks[1]).toMatchObject({
      table: {
        rows: [
          ['£400.00', '£5.00', '£395.00'],
          ['£500.00', '£5.00', '£495.00'],
          ['£4,000.00', '£40.00', '£3,960.00'],
          ['£12,340.55', '£123.41', '£12,217.14'],
          ['£60,000.00', '£600.00', '£59,400.00'],
        ],
      },
    });
  });

  it('says for every rule how to meet it, in a row with its name', () => {
    const refusals = listUnmetRules(FACTS);
    const mentionedRules = new Set(refusals.map(({ rule }) => rule));
    // Debts on other taxes aren't evaluated in this version, and an owner who isn't an officer is reviewed manually. Neither leads to a
    // rejection.
    expect(Object.keys(RULE_NAMES).filter((rule) => !mentionedRules.has(rule))).toEqual(['debts_on_other_taxes', 'identity_of_officer']);
    for (const { how_to_fix } of refusals) expect(how_to_fix).not.toBe('');
  });

  it.each([
    ['how much does it cost', ['fee']],
    ['why is my refund late', ['timing']],
    ['refund late', ['timing']],
    ['change my bank account', ['bank-account']],
    ['hmrc slow repayment banana', ['timing']],
    ['fee', ['fee']],
    ['sort code', ['bank-account']],
    ['government gateway password', ['what-we-see', 'security']],
    ['nothing about unicorns', []],
  ])('for “%s” finds at least %j', (question, expected) => {
    const foundKeys = listKeys(searchArticles(articles, question));
    if (expected.length === 0) expect(foundKeys).toEqual([]);
    else expect(foundKeys).toEqual(expect.arrayContaining(expected));
  });

  it('finds everything for an empty question, and lists matching titles first', () => {
    expect(searchArticles(articles, '  ')).toHaveLength(articles.length);
    expect(listKeys(searchArticles(articles, 'bank account'))[0]).toBe('bank-account');
  });

  it.each([
    ['/v2/instant-vat/dashboard', 'how-it-works'],
    ['/v2/instant-vat/dashboard/vat-return', 'filing'],
    ['/v2/instant-vat/dashboard/advance', 'how-it-works'],
    ['/v2/instant-vat/steps/bank-account', 'bank-account'],
    ['/login', 'security'],
    ['/v2/open-tax/steps/arn', 'practice-begin'],
    ['/v2/open-tax/clients/import', 'practice-import'],
    ['/v2/open-tax/client-dashboard', 'practice-authority'],
    ['/v2/open-tax/dashboard', 'practice-figures'],
    ['/v2/open-tax/settings', 'practice-team'],
    ['/v2/open-tax/calendar', 'practice-calendar'],
  ])('for %s starts with %s', (path, key) => {
    const writtenArticles = isOpenTaxPath(path) ? practiceArticles : articles;
    expect(listKeys(findArticlesAbout(writtenArticles, findPage(path)?.name))[0]).toBe(key);
  });

  it('never mentions buying refunds to practices, or that we can’t see other taxes', () => {
    const articlesText = practiceArticles.map(({ text }) => text).join(' ');
    expect(articlesText).not.toMatch(/can’t see any other tax|your refund|the fee/);
    expect(listKeys(practiceArticles)).toEqual(expect.arrayContaining(['practice-import', 'security', 'privacy', 'contact']));
    expect(listKeys(articles).filter((key) => key.startsWith('practice-'))).toEqual([]);
  });
});
