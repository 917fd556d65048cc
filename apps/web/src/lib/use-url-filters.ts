/** A list's filters, stored in the URL so that a filtered list can be shared. */
import { changeSearchParams, useSearchParams } from './search-params.ts';

export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    }),
  ) as Partial<Record<Name, string>>;
  const show = (changes: Readonly<Record<string, string | undefined>>): void =>
    setSearch((current) => changeSearchParams(current, { page: undefined, ...changes }), { replace: true, preventScrollReset: true });
  /** Changing a filter returns to the first page. */
  const change = (changes: Readonly<Partial<Record<Name | 'page', string | undefined>>>): void =>
    show(Object.fromEntries(Object.entries<string | undefined>(changes).map(([name, value]) => [name, value === '' ? undefined : value])));
  const clear = (): void => show(Object.fromEntries(names.map((name) => [name, undefined])));
  return { filters, change, clear, page: Math.max(1, Number(search.get('page') ?? 1) || 1) };
}
