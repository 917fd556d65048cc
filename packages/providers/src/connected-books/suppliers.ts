import type { Supplier } from '@portal/domain/connected-books/books-document.ts';

/** Spellings used by people and software. The Isle of Man charges UK VAT. */
const UK_COUNTRY_NAMES: ReadonlySet<string> = new Set([
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

/**
 * `countries`: those in the supplier's addresses; if there are none, it counts as a UK supplier. A VAT number without a digit, such as
 * "n/a", is ignored.
 */
export function toSupplier(vatNumber: string | null | undefined, countries: readonly (string | null | undefined)[]): Supplier {
  const statedCountries = countries
    .map((country) => (country ?? '').toLowerCase().replaceAll(/[^a-z]/g, ''))
    .filter((country) => country !== '');
  const isInUk =
    statedCountries.length === 0 || statedCountries.some((country) => UK_COUNTRY_NAMES.has(country) || country.startsWith('unitedkingdom'));
  return { hasVatNumber: /\d/.test(vatNumber ?? ''), isInUk };
}
