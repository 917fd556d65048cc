/**
 * What a person's download holds: their own rows and columns, and nothing about others. A test requires an entry for every column of the
 * database that names a person.
 */
import {
  advances,
  assignmentRules,
  auditEntries,
  authenticators,
  apiKeys,
  calendarFeeds,
  clientMembers,
  clientPeople,
  contactEntries,
  contactMessages,
  deskViews,
  emailChanges,
  engagementLetters,
  filings,
  formerMemberships,
  identities,
  identityChecks,
  knownDevices,
  memberships,
  mutedClients,
  operatorBankAccounts,
  operators,
  partnerContacts,
  passkeys,
  recoveryCodes,
  savedViews,
  sessions,
  staffNotificationChoices,
  staffNotifications,
  users,
} from '@portal/db/schema/schema.ts';
import { and, eq, sql, type SQL } from '@portal/db/sql.ts';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

export type PersonTable = {
  readonly title: string;
  readonly table: PgTable;
  /** The column that holds the person's id. Null if `where` finds the rows by another table. */
  readonly person: PgColumn | null;
  readonly where: (userId: string) => SQL | undefined;
  /** The only columns that are in the download. */
  readonly columns: readonly PgColumn[];
};

const of = (person: PgColumn) => ({ person, where: (userId: string) => eq(person, userId) });

export const PERSON_DATA: readonly PersonTable[] = [
  {
    title: 'You',
    table: users,
    ...of(users.id),
    columns: [
      users.id,
      users.email,
      users.fullName,
      users.phone,
      users.phoneVerifiedAt,
      users.emailVerifiedAt,
      users.partner,
      users.product,
      users.firstPartner,
      users.firstPartnerAt,
      users.lastPartner,
      users.lastPartnerAt,
      users.createdAt,
    ],
  },
  {
    title: 'Companies and practices that you work for',
    table: memberships,
    ...of(memberships.userId),
    columns: [memberships.companyId, memberships.role, memberships.permissions, memberships.groups, memberships.createdAt],
  },
  {
    title: 'Companies and practices that you worked for',
    table: formerMemberships,
    ...of(formerMemberships.userId),
    columns: [
      formerMemberships.companyId,
      formerMemberships.role,
      formerMemberships.permissions,
      formerMemberships.groups,
      formerMemberships.joinedAt,
      formerMemberships.endedAt,
    ],
  },
  {
    title: 'Services that you log in with',
    table: identities,
    ...of(identities.userId),
    columns: [identities.provider, identities.issuer, identities.subject, identities.email, identities.linkedAt],
  },
  {
    title: 'Passkeys',
    table: passkeys,
    ...of(passkeys.userId),
    columns: [passkeys.id, passkeys.name, passkeys.createdAt, passkeys.lastUsedAt],
  },
  {
    title: 'Your authenticator app, without its secret',
    table: authenticators,
    ...of(authenticators.userId),
    columns: [authenticators.createdAt, authenticators.confirmedAt],
  },
  { title: 'When recovery codes were used', table: recoveryCodes, ...of(recoveryCodes.userId), columns: [recoveryCodes.usedAt] },
  {
    title: 'Logged-in devices',
    table: sessions,
    ...of(sessions.userId),
    columns: [
      sessions.id,
      sessions.signInMethod,
      sessions.ip,
      sessions.userAgent,
      sessions.createdAt,
      sessions.lastSeenAt,
      sessions.expiresAt,
    ],
  },
  { title: 'Browsers that you have used', table: knownDevices, ...of(knownDevices.userId), columns: [knownDevices.firstSeenAt] },
  {
    title: 'A new email address that isn’t confirmed yet',
    table: emailChanges,
    ...of(emailChanges.userId),
    columns: [emailChanges.newEmail, emailChanges.createdAt, emailChanges.expiresAt],
  },
  {
    title: 'Identity checks',
    table: identityChecks,
    ...of(identityChecks.userId),
    columns: [
      identityChecks.id,
      identityChecks.fullName,
      identityChecks.email,
      identityChecks.status,
      identityChecks.reasons,
      identityChecks.createdAt,
      identityChecks.completedAt,
      identityChecks.bornIn,
    ],
  },
  {
    title: 'Your messages to us',
    table: contactMessages,
    ...of(contactMessages.userId),
    columns: [
      contactMessages.reference,
      contactMessages.name,
      contactMessages.email,
      contactMessages.topic,
      contactMessages.message,
      contactMessages.receivedAt,
      contactMessages.answeredAt,
    ],
  },
  {
    title: 'Our replies to your messages',
    table: contactEntries,
    person: null,
    where: (userId) =>
      and(
        eq(contactEntries.kind, 'reply'),
        sql`${contactEntries.messageId} in (select ${contactMessages.id} from ${contactMessages} where ${contactMessages.userId} = ${userId})`,
      ),
    columns: [contactEntries.messageId, contactEntries.text, contactEntries.at],
  },
  {
    title: 'Returns that you filed, with what we sent to HMRC about your device',
    table: filings,
    ...of(filings.filedBy),
    columns: [filings.companyId, filings.id, filings.state, filings.declaration, filings.fraudHeaders, filings.sentAt],
  },
  {
    title: 'Agreements that you accepted, and from which address',
    table: advances,
    ...of(advances.acceptedBy),
    columns: [advances.companyId, advances.id, advances.acceptedAt, advances.acceptedIp, advances.agreementHash],
  },
  {
    title: 'Clients assigned to you',
    table: clientMembers,
    ...of(clientMembers.userId),
    columns: [clientMembers.companyId, clientMembers.clientId, clientMembers.duty, clientMembers.assignedAt],
  },
  {
    title: 'Rules that assign imported clients to you',
    table: assignmentRules,
    ...of(assignmentRules.userId),
    columns: [assignmentRules.companyId, assignmentRules.condition, assignmentRules.duty],
  },
  {
    title: 'Companies whose taxes you see as a client of a practice',
    table: clientPeople,
    ...of(clientPeople.userId),
    columns: [
      clientPeople.companyId,
      clientPeople.clientId,
      clientPeople.joinedAt,
      clientPeople.consentedAt,
      clientPeople.remindDays,
      clientPeople.peopleEmails,
      clientPeople.remindedItems,
      clientPeople.remindedOn,
    ],
  },
  {
    title: 'Your notifications of the last 90 days',
    table: staffNotifications,
    ...of(staffNotifications.userId),
    columns: [
      staffNotifications.companyId,
      staffNotifications.kind,
      staffNotifications.title,
      staffNotifications.createdAt,
      staffNotifications.readAt,
      staffNotifications.emailedAt,
    ],
  },
  {
    title: 'How you want to be notified',
    table: staffNotificationChoices,
    ...of(staffNotificationChoices.userId),
    columns: [
      staffNotificationChoices.companyId,
      staffNotificationChoices.channels,
      staffNotificationChoices.digest,
      staffNotificationChoices.quietFrom,
      staffNotificationChoices.quietTo,
      staffNotificationChoices.digestOn,
    ],
  },
  {
    title: 'Clients about which you get no notifications',
    table: mutedClients,
    ...of(mutedClients.userId),
    columns: [mutedClients.companyId, mutedClients.clientId],
  },
  {
    title: 'Letters of engagement that you signed, and from which address',
    table: engagementLetters,
    ...of(engagementLetters.signedBy),
    columns: [engagementLetters.text, engagementLetters.signedName, engagementLetters.signedAt, engagementLetters.signedIp],
  },
  {
    title: 'Your saved views',
    table: savedViews,
    ...of(savedViews.userId),
    columns: [savedViews.companyId, savedViews.name, savedViews.query, savedViews.isShared, savedViews.createdAt],
  },
  {
    title: 'Your views of the desk',
    table: deskViews,
    ...of(deskViews.userId),
    columns: [deskViews.name, deskViews.query, deskViews.createdAt],
  },
  {
    title: 'Private calendar links, without their address',
    table: calendarFeeds,
    ...of(calendarFeeds.userId),
    columns: [calendarFeeds.companyId, calendarFeeds.createdAt],
  },
  {
    title: 'API keys that act for you, without the keys themselves',
    table: apiKeys,
    ...of(apiKeys.userId),
    columns: [apiKeys.companyId, apiKeys.name, apiKeys.scopes, apiKeys.createdAt, apiKeys.expiresAt, apiKeys.lastUsedAt, apiKeys.revokedAt],
  },
  {
    title: 'Partners whose referrals you see',
    table: partnerContacts,
    ...of(partnerContacts.userId),
    columns: [partnerContacts.partner, partnerContacts.addedAt],
  },
  {
    title: 'Your rights as our operator',
    table: operators,
    ...of(operators.userId),
    columns: [operators.roles, operators.privateEmail, operators.invitedAt, operators.enrolledAt, operators.disabledAt],
  },
  {
    title: 'Your own bank accounts that you recorded as our operator',
    table: operatorBankAccounts,
    ...of(operatorBankAccounts.userId),
    columns: [operatorBankAccounts.accountEnd, operatorBankAccounts.recordedAt],
  },
  {
    title: 'What you did, when and from which address',
    table: auditEntries,
    ...of(auditEntries.actor),
    columns: [auditEntries.companyId, auditEntries.sequence, auditEntries.at, auditEntries.action, auditEntries.subject, auditEntries.ip],
  },
];
