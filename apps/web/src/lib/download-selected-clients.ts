/** Downloads the selected clients as a file. Uses POST, because a thousand IDs don't fit into a URL. */
import { EXPORT_TABLE_PATH } from '@portal/contract/clients.ts';
import { readJson } from './http-transport.ts';
import { ApiError, toApiError } from './problem-to-error.ts';
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
      message: 'We couldn’t connect. Check your internet connection and try again.',
    });
  });
  if (!response.ok) throw toApiError(response.status, await readJson(response));
  const fileName = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const url = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName ?? 'clients' });
  link.click();
  URL.revokeObjectURL(url);
}
