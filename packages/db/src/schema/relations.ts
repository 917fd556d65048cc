/**
 * Relations between the tables of an advance, so that a single query can read everything about it. Every relation includes the tenant's
 * key.
 */
import { relations } from '../sql.ts';
import { advanceTransitions, advances, bankAccounts, collectionAccounts, creditAllocations, payoutReleases, payouts } from './advances.ts';
import { users } from './identity.ts';
import { mandates, shortfalls } from './shortfalls.ts';
import { filings, obligations } from './vat.ts';

export const advanceRelations = relations(advances, ({ one, many }) => ({
  obligation: one(obligations, {
    fields: [advances.companyId, advances.obligationId],
    references: [obligations.companyId, obligations.id],
  }),
  filing: one(filings, { fields: [advances.companyId, advances.filingId], references: [filings.companyId, filings.id] }),
  collectionAccount: one(collectionAccounts, { fields: [advances.companyId], references: [collectionAccounts.companyId] }),
  acceptor: one(users, { fields: [advances.acceptedBy], references: [users.id] }),
  transitions: many(advanceTransitions),
  payouts: many(payouts),
  releases: many(payoutReleases),
  allocations: many(creditAllocations),
  bankAccounts: many(bankAccounts),
  mandates: many(mandates),
  shortfalls: many(shortfalls),
}));

export const transitionRelations = relations(advanceTransitions, ({ one }) => ({
  advance: one(advances, {
    fields: [advanceTransitions.companyId, advanceTransitions.advanceId],
    references: [advances.companyId, advances.id],
  }),
}));

export const payoutRelations = relations(payouts, ({ one }) => ({
  advance: one(advances, { fields: [payouts.companyId, payouts.advanceId], references: [advances.companyId, advances.id] }),
}));

export const releaseRelations = relations(payoutReleases, ({ one }) => ({
  advance: one(advances, { fields: [payoutReleases.companyId, payoutReleases.advanceId], references: [advances.companyId, advances.id] }),
}));

export const allocationRelations = relations(creditAllocations, ({ one }) => ({
  advance: one(advances, {
    fields: [creditAllocations.companyId, creditAllocations.advanceId],
    references: [advances.companyId, advances.id],
  }),
}));

/** The bank accounts of the advance's company. */
export const bankAccountRelations = relations(bankAccounts, ({ one }) => ({
  advance: one(advances, { fields: [bankAccounts.companyId], references: [advances.companyId] }),
}));

/** The Direct Debit mandates of the advance's company. */
export const mandateRelations = relations(mandates, ({ one }) => ({
  advance: one(advances, { fields: [mandates.companyId], references: [advances.companyId] }),
}));

/** At most one case per advance. */
export const shortfallRelations = relations(shortfalls, ({ one }) => ({
  advance: one(advances, { fields: [shortfalls.companyId, shortfalls.advanceId], references: [advances.companyId, advances.id] }),
}));
