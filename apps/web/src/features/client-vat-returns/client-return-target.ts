/** Identifies the client's return shown on the page. */
export type ClientReturnTarget = { readonly company_id: string; readonly client_id: string; readonly obligation_id: string };
