/** FreeAgent's accounting categories: sale or purchase, and what their nominal codes mean. */
import type { BooksKind } from '@portal/domain/books/books-row.ts';
import type { FreeAgentCategoriesWire, FreeAgentCategoryWire } from './freeagent-books-wire.ts';

export type FreeAgentCategory = {
  readonly side: BooksKind | undefined;
  readonly isCapital: boolean;
  readonly isConstruction: boolean;
  readonly isEntertainment: boolean;
  /** FreeAgent's suggested rate: "Outside of the scope of VAT", "Exempt", "Zero rate" and so on. */
  readonly autoRate: string;
};

const UNKNOWN: FreeAgentCategory = { side: undefined, isCapital: false, isConstruction: false, isEntertainment: false, autoRate: '' };

export type FreeAgentCategoryFinder = (url: string | null | undefined) => FreeAgentCategory;

/** Sub-accounts such as 602-1 aren't in the list, so the nominal code at the end of the URL is also used. */
export function createCategoryFinder(wire: FreeAgentCategoriesWire): FreeAgentCategoryFinder {
  const sets: readonly (readonly [FreeAgentCategoryWire[] | null | undefined, BooksKind | undefined])[] = [
    [wire.income_categories, 'sale'],
    [wire.cost_of_sales_categories, 'purchase'],
    [wire.admin_expenses_categories, 'purchase'],
    [wire.general_categories, undefined],
  ];
  const categoryByCode = new Map(
    sets.flatMap(([list, side]) => (list ?? []).map((category) => [readCode(category.url), toCategory(category, side)])),
  );
  // Few categories are used on many items.
  const categoryByUrl = new Map<string, FreeAgentCategory>();
  return (url) => {
    if (url === null || url === undefined) return UNKNOWN;
    const known = categoryByUrl.get(url);
    if (known) return known;
    const code = readCode(url);
    const category = categoryByCode.get(code) ?? categoryByCode.get(code.split('-')[0] ?? '') ?? toCategory({ url }, findSide(code));
    categoryByUrl.set(url, category);
    return category;
  };
}

function toCategory(category: FreeAgentCategoryWire, side: BooksKind | undefined): FreeAgentCategory {
  const code = category.nominal_code ?? readCode(category.url);
  return {
    side,
    // 601 to 607 are capital assets; 096 to 099 are costs under the Construction Industry Scheme (dev.freeagent.com, Categories).
    isCapital: /^60[1-7](?:-|$)/.test(code),
    isConstruction: /^09[6-9](?:-|$)/.test(code),
    isEntertainment: /entertain/i.test(`${category.description ?? ''} ${category.tax_reporting_name ?? ''}`),
    autoRate: category.auto_sales_tax_rate ?? '',
  };
}

/** The nominal code ranges: income 001 to 049, cost of sales 096 to 199, administrative expenses 200 to 399. */
function findSide(code: string): BooksKind | undefined {
  const number = /^\d{3}/.test(code) ? Number(code.slice(0, 3)) : undefined;
  if (number === undefined) return undefined;
  if (number < 50) return 'sale';
  return number >= 96 && number < 400 ? 'purchase' : undefined;
}

function readCode(url: string): string {
  return url.split('/').at(-1) ?? '';
}
