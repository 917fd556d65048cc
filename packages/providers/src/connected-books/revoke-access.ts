/** Ends our access to bookkeeping software. Also succeeds if access has already ended. */
import { ProviderError } from '../http/provider-error.ts';

const TIMEOUT_MS = 15_000;
const GONE_STATUSES: ReadonlySet<number> = new Set([200, 204, 400, 401, 403, 404]);

type Revocation = {
  readonly provider: string;
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly request: Omit<RequestInit, 'signal' | 'redirect'>;
};

export async function revokeAccess({ provider, url, fetch, request }: Revocation): Promise<void> {
  const facts = { provider, operation: `${provider}.disconnect` };
  let status: number;
  try {
    ({ status } = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }));
  } catch (error) {
    throw new ProviderError('unavailable', { ...facts, detail: 'no response' }, error);
  }
  if (!GONE_STATUSES.has(status)) throw new ProviderError('unavailable', { ...facts, status });
}
