import { useEffect } from 'react';

/**
 * For a page that is a separate document (contract/pages.ts, `kind`): the router has changed the URL, and the reload fetches the document.
 */
export function LeaveForDocument() {
  useEffect(() => location.reload(), []);
  return null;
}
