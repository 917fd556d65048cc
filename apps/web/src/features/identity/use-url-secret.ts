/**
 * Removes a secret from the page's URL immediately, so that it doesn't appear in the history, in screenshots or to third-party scripts that
 * read URLs.
 */
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';

/**
 * Returns the secret from the URL, otherwise from the history entry's state, so that it survives a reload. Returns "" if neither has one.
 */
export function useUrlSecret(name: string): string {
  const [search] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const urlSecret = search.get(name);
  useEffect(() => {
    if (urlSecret === null) return;
    const remainingParams = new URLSearchParams(search);
    remainingParams.delete(name);
    void navigate({ pathname, search: remainingParams.toString() }, { replace: true, state: { [name]: urlSecret } });
  }, [urlSecret, name, navigate, pathname, search]);
  return urlSecret ?? getStateSecret(state, name);
}

function getStateSecret(state: unknown, name: string): string {
  if (state === null || typeof state !== 'object' || !Object.hasOwn(state, name)) return '';
  const secret: unknown = (state as Record<string, unknown>)[name];
  return typeof secret === 'string' ? secret : '';
}
