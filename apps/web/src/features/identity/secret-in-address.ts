/** A secret that came in the page's address: taken out of it at once, so that no history, no screenshot and no script of others that reads addresses has it. */
import { useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** The secret, wherever it is now; "" where there is none. It stays with the page through a reload. */
export function useSecretInAddress(name: string): string {
  const [search] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const inAddress = search.get(name);
  useEffect(() => {
    if (inAddress === null) return;
    const rest = new URLSearchParams(search);
    rest.delete(name);
    void navigate({ pathname, search: rest.toString() }, { replace: true, state: { [name]: inAddress } });
  }, [inAddress, name, navigate, pathname, search]);
  return inAddress ?? keptIn(state, name);
}

function keptIn(state: unknown, name: string): string {
  if (state === null || typeof state !== 'object' || !Object.hasOwn(state, name)) return '';
  const kept: unknown = (state as Record<string, unknown>)[name];
  return typeof kept === 'string' ? kept : '';
}
