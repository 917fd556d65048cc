/** Pages below /portal where books are connected. */
import { PAGES } from '@portal/contract/pages.ts';

/** A trader's own. */
export function getBooksPath(companyId: string): string {
  return `${PAGES.books.path}?${new URLSearchParams({ company_id: companyId })}`;
}

/** Returns the page with the books of all the practice's clients. */
export function getPracticeBooksPath(practiceId: string): string {
  return `${PAGES.practiceBooks.path}?${new URLSearchParams({ company_id: practiceId })}`;
}

/** Returns the list of clients, which every practice member can see. */
export function getClientsPath(practiceId: string): string {
  return `${PAGES.practiceClients.path}?${new URLSearchParams({ company_id: practiceId })}`;
}

/** Returns the page with one client's books. */
export function getClientPath(practiceId: string, clientId: string): string {
  return `${PAGES.clientDashboard.path}?${new URLSearchParams({ company_id: practiceId, client_id: clientId, tab: 'vat' })}`;
}
