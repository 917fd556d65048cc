import type { Supplier } from '@portal/domain/connected-books/books-document.ts';

/** How people and programs write it. The Isle of Man charges UK VAT. */
const UK_NAMES: ReadonlySet<string> = new Set([
  'uk',
  'gb',
  'gbr',
  'unitedkingdom',
  'greatbritain',
  'england',
  'scotland',
  'wales',
  'northernireland',
  'isleofman',
]);

/** `countries`: those of its addresses; without any, it is taken for one in the UK. A VAT number without a digit, such as "n/a", is none. */
export function toSupplier(vatNumber: string | null | undefined, countries: readonly (string | null | undefined)[]): Supplier {
  const stated = countries.map((country) => (country ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')).filter((country) => country !== '');
  const isInUk = stated.length === 0 || stated.some((country) => UK_NAMES.has(country) || country.startsWith('unitedkingdom'));
  return { vatNumber: vatNumber && /\d/.test(vatNumber) ? vatNumber : null, isInUk };
}
