/** The chosen clients of the list as a file: a POST, because a thousand ids fit no address; so the browser's own download has to be begun by hand. */
import { EXPORT_TABLE_PATH } from '@portal/contract/clients.ts';
import { readJson } from './http-transport.ts';
import { ApiError, problemToError } from './problem-to-error.ts';
import { PORTAL_BASE } from './settings.ts';

export async function downloadSelectedClients(query: URLSearchParams, clientIds: readonly string[]): Promise<void> {
  const response = await fetch(`${PORTAL_BASE}${EXPORT_TABLE_PATH}?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_ids: clientIds }),
  }).catch(() => {
    throw new ApiError({
      status: 0,
      code: 'network.unreachable',
      message: 'We could not reach the portal. Check your connection, then try again.',
    });
  });
  if (!response.ok) throw problemToError(response.status, await readJson(response));
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName ?? 'clients' });
  link.click();
  URL.revokeObjectURL(url);
}
