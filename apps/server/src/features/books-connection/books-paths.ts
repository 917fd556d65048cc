/** Pages below /portal where books are connected. */
import { PAGES } from '@portal/contract/pages.ts';

/** A trader's own. */
export function getBooksPath(companyId: string): string {
  return `${PAGES.books.path}?${new URLSearchParams({ company_id: companyId })}`;
}

/** Those of a practice's clients together. */
export function getPracticeBooksPath(practiceId: string): string {
  return `${PAGES.practiceBooks.path}?${new URLSearchParams({ company_id: practiceId })}`;
}

/** The list of clients, which everybody in a practice sees. */
export function getClientsPath(practiceId: string): string {
  return `${PAGES.practiceClients.path}?${new URLSearchParams({ company_id: practiceId })}`;
}

/** Those of one client. */
export function getClientPath(practiceId: string, clientId: string): string {
  return `${PAGES.clientDashboard.path}?${new URLSearchParams({ company_id: practiceId, client_id: clientId, tab: 'vat' })}`;
}
