import { useSearchParams } from '../lib/search-params.ts';
import { Link } from './link.tsx';
import styles from './filter-chips.module.css';

type FilterChipsProps = {
  label: string;
  /** The query parameter that stores the choice, so that a filtered list can be shared as a link. */
  name: string;
  selected: string | undefined;
  all: { readonly label: string; readonly count: number };
  options: readonly { readonly value: string; readonly label: string; readonly count: number }[];
};

/**
 * Filters a list by a single choice. Each choice is a link with its own URL. Choices without results are hidden, except the current one.
 */
export function FilterChips({ label, name, selected, all, options }: FilterChipsProps) {
  const [search] = useSearchParams();
  const shownOptions = options.filter((option) => option.count > 0 || option.value === selected);
  const getHref = (value: string | undefined): string => {
    const next = new URLSearchParams(search);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    return `?${next.toString()}`;
  };
  return (
    <ul className={styles.filters} aria-label={label}>
      {[{ value: undefined, ...all }, ...shownOptions].map((option) => (
        <li key={option.value ?? ''}>
          <Link to={getHref(option.value)} replace preventScrollReset aria-current={option.value === selected ? 'true' : undefined}>
            {option.label} <span>{option.count.toLocaleString('en-GB')}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
