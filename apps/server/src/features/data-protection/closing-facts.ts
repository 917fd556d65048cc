/** Lists what ends and what is kept when an account is closed, as worded on the page and in the confirmation email. */
import type { CompanyKind } from '@portal/domain/identity/roles.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getDeletionDay } from '@portal/domain/retention/retention-periods.ts';

export type ClosingFacts = {
  readonly ends: string[];
  readonly kept: { what: string; why: string; until: PlainDate | null }[];
};

const AUDIT_TRAIL_TEXT = 'A record of when something was done and the ID of the account that did it, without names or values';

export function getPersonFacts(today: PlainDate, hasWorkedForCompany: boolean): ClosingFacts {
  const records = getDeletionDay('records', today);
  return {
    ends: [
      'You’ll be logged out on all your devices and won’t be able to log in again.',
      'We’ll delete your password, passkeys, authenticator app, recovery codes and connected sign-in services.',
      'Your private calendar links will stop working, and your saved views will be deleted.',
      'We’ll delete your messages to us, apart from complaints, once they’ve been answered.',
      'What you approved, signed, uploaded or wrote as a client of an accounting practice stays with that practice. Ask the practice to delete it.',
      'We’ll delete your mobile number and stop using your email address. You can use that address to open a new account.',
    ],
    kept: [
      ...(hasWorkedForCompany
        ? [
            {
              what: 'Your name and email address',
              why: 'They’re part of returns, agreements and payments that we must be able to explain',
              until: records,
            },
          ]
        : []),
      {
        what: 'Your identity check, if you did one',
        why: 'Money Laundering Regulations 2017, regulation 40',
        until: getDeletionDay('identity', today),
      },
      { what: 'Complaints you sent us, with our replies', why: 'Claims can be made for up to six years', until: records },
      { what: 'What you did here, when, and from which IP address', why: 'To detect and prove misuse', until: records },
      { what: AUDIT_TRAIL_TEXT, why: 'So that we can prove that our records haven’t been changed', until: null },
    ],
  };
}

export function getCompanyFacts(kind: Exclude<CompanyKind, 'client'>, today: PlainDate, isVrnKept: boolean): ClosingFacts {
  return kind === 'practice' ? PRACTICE_FACTS : getTraderFacts(today, isVrnKept);
}

function getTraderFacts(today: PlainDate, isVrnKept: boolean): ClosingFacts {
  const records = getDeletionDay('records', today);
  return {
    ends: [
      'You’ll no longer be able to see the company here. Your own account stays open.',
      'We’ll remove our access to HMRC. HMRC will still list the permission in your business tax account, where you can remove it.',
      'Any Direct Debit mandate will be cancelled.',
      'Any offer you haven’t accepted will be withdrawn, and your accountant will no longer see your refunds.',
      ...(isVrnKept
        ? ['Because we bought a refund of this company, its VAT number can’t be used with another account until its records are deleted.']
        : ['You’ll be able to use your VAT number with another account.']),
    ],
    kept: [
      {
        what: 'Your books, VAT returns, receipts and data from HMRC',
        why: 'Value Added Tax Act 1994, schedule 11 paragraph 6',
        until: records,
      },
      {
        what: 'Your bank details, advances, agreements and payments',
        why: 'Contract claims can be made for up to six years',
        until: records,
      },
      {
        what: 'Sanctions screening',
        why: 'Money Laundering Regulations 2017, regulation 40',
        until: getDeletionDay('identity', today),
      },
      { what: 'Our accounts: the amounts and dates of payments', why: 'Companies Act 2006, sections 386 to 389', until: null },
      { what: AUDIT_TRAIL_TEXT, why: 'So that we can prove that our records haven’t been changed', until: null },
    ],
  };
}

const PRACTICE_FACTS: ClosingFacts = {
  ends: [
    'Your team will lose access to the practice immediately. Everyone’s own account stays open.',
    'A paid subscription will end immediately.',
    'All clients and their figures, notes, contacts and imports will be deleted and can’t be restored.',
    'We’ll remove our access to HMRC. HMRC will still list the permission in your agent services account, where you can remove it. Your clients’ authorisations at HMRC aren’t affected.',
    'The practice’s private calendar links will stop working.',
  ],
  kept: [
    {
      what: 'Our VAT invoices to the practice, if there are any, with its name, contact and address, and their payments',
      why: 'Value Added Tax Act 1994, schedule 11 paragraph 6, and numbering without gaps',
      until: null,
    },
    { what: AUDIT_TRAIL_TEXT, why: 'So that we can prove that our records haven’t been changed', until: null },
  ],
};
