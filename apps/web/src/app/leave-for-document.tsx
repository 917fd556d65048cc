import { useEffect } from 'react';

/** A page that is a document of its own (contract/pages.ts, `kind`): the router has put its address there, the server has the rest. */
export function LeaveForDocument() {
  useEffect(() => location.reload(), []);
  return null;
}
