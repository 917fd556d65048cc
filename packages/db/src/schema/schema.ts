/** All tables, for Drizzle and its migration generator. */
export * from './advances.ts';
export * from './approvals.ts';
export * from './books-uploads.ts';
export * from './clients.ts';
export * from './desk.ts';
export * from './documents.ts';
export * from './identity.ts';
export * from './jobs.ts';
export * from './ledger.ts';
export * from './operators.ts';
export * from './partners.ts';
export * from './positions.ts';
export * from './relations.ts';
export * from './shortfalls.ts';
export * from './return-changes.ts';
export * from './screening.ts';
export * from './vat.ts';
