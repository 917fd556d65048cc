import { useEffect } from 'react';

/**
 * Opens a page that is a separate document (contract/pages.ts, `kind`). The router has already changed the URL, so a reload fetches the
 * document.
 */
export function LeaveForDocument() {
  useEffect(() => location.reload(), []);
  return null;
}
