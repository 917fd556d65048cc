/** Identifies the client's return that the page shows. */
export type ClientReturnTarget = { readonly company_id: string; readonly client_id: string; readonly obligation_id: string };
