/** Emails that confirm that an account was closed. */
import { PAGES } from '@portal/contract/pages.ts';
import { formatInstant, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { EmailContent, EmailFact } from '../../mail/email-content.ts';
import { getSecurityReason } from '../identity/link-emails.ts';
import type { ClosingFacts } from './closing-facts.ts';

type ClosedAccount = { readonly at: Instant; readonly facts: ClosingFacts };

export function createCompanyClosedEmail(brand: string, { name, at, facts }: ClosedAccount & { readonly name: string }): EmailContent {
  return {
    subject: `${name}’s ${brand} account was closed`,
    preheader: 'What has ended and what we must keep.',
    heading: `${name}’s account was closed`,
    paragraphs: [`${name}’s account was closed on ${formatInstant(at)}.`, ...facts.ends],
    facts: toFacts(facts),
    notes: ['If you didn’t expect this, contact us immediately. A closed account can’t be reopened.'],
    reason: `You’re receiving this because you had access to ${name} on ${brand}.`,
  };
}

export function createPersonClosedEmail(brand: string, { at, facts }: ClosedAccount): EmailContent {
  return {
    subject: `Your ${brand} account was closed`,
    preheader: 'What has ended and what we must keep.',
    heading: 'Your account was closed',
    paragraphs: [`You closed your account on ${formatInstant(at)}. This is the last email about it.`, ...facts.ends],
    facts: toFacts(facts),
    action: { label: 'Contact us', path: PAGES.contact.path },
    notes: ['If you didn’t close it, contact us immediately. A closed account can’t be reopened.'],
    reason: getSecurityReason(brand),
  };
}

const toFacts = ({ kept }: ClosingFacts): EmailFact[] =>
  kept.map(({ what, until }) => [what, until === null ? 'Kept permanently' : `Kept until ${formatDate(until)}`]);
