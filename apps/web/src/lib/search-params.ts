import { useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, type NavigateOptions } from 'react-router';

type NextParams = URLSearchParams | Readonly<Record<string, string>>;
type SetSearchParams = (next: NextParams | ((current: URLSearchParams) => NextParams), options?: NavigateOptions) => void;

/**
 * Returns the current URL's query, and a function that replaces it. React Router's own hook would bundle its `Link` (ui/link.tsx). A
 * function passed as `next` receives the most recently set query, even while that page is still rendering, so that two filters chosen in
 * quick succession both apply.
 */
export function useSearchParams(): [URLSearchParams, SetSearchParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const latestSearch = useRef(search);
  useEffect(() => {
    latestSearch.current = search;
  }, [search]);
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const set: SetSearchParams = (next, options) => {
    const query = new URLSearchParams(typeof next === 'function' ? next(new URLSearchParams(latestSearch.current)) : next);
    latestSearch.current = `?${query}`;
    void navigate(`?${query}`, options);
  };
  return [params, set];
}

/** Returns a copy of the search parameters with some changed. An undefined value removes a parameter. */
export function changeSearchParams(search: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
