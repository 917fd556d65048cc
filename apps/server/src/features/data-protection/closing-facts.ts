/** Lists what ends and what is kept when an account is closed, as worded on the page and in the confirmation email. */
import type { CompanyKind } from '@portal/domain/identity/roles.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { getDeletionDay } from '@portal/domain/retention/retention-periods.ts';

export type ClosingFacts = {
  readonly ends: string[];
  readonly kept: { what: string; why: string; until: PlainDate | null }[];
};

const TRAIL = 'When something was done, and by which account number, without names or values';

export function getPersonFacts(today: PlainDate, hasWorkedForCompany: boolean): ClosingFacts {
  const records = getDeletionDay('records', today);
  return {
    ends: [
      'You’re logged out on all your devices, and can’t log in again.',
      'Your password, passkeys, authenticator app, recovery codes and connected sign-in services are deleted.',
      'Your private calendar links stop working, and your saved views are deleted.',
      'Your mobile number is deleted. Your email address is no longer used, and can open a new account.',
    ],
    kept: [
      ...(hasWorkedForCompany
        ? [
            {
              what: 'Your name and email address',
              why: 'They belong to returns, agreements and payments, which we must be able to explain',
              until: records,
            },
          ]
        : []),
      {
        what: 'Your identity check, if you did one',
        why: 'Money Laundering Regulations 2017, regulation 40',
        until: getDeletionDay('identity', today),
      },
      { what: 'What you did here, when, and from which IP address', why: 'To find and prove misuse', until: records },
      { what: TRAIL, why: 'So that we can prove that no one has changed our records', until: null },
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
      'The company can’t be seen here any more. Your own account stays open.',
      'We delete our access to HMRC. HMRC still lists the permission in your business tax account, where you can remove it.',
      'A Direct Debit mandate is cancelled, if there is one.',
      'An offer that you haven’t accepted is withdrawn, and your accountant no longer sees your refunds.',
      ...(isVrnKept
        ? ['Because a refund was sold here, your VAT number can’t be used with another account until its records are deleted.']
        : ['Your VAT number can be used with another account.']),
    ],
    kept: [
      {
        what: 'Your books, VAT returns, receipts and what HMRC sent us',
        why: 'Value Added Tax Act 1994, schedule 11 paragraph 6',
        until: records,
      },
      { what: 'Your bank details, advances, agreements and payments', why: 'Claims on a contract end after six years', until: records },
      {
        what: 'Checks against lists of sanctions',
        why: 'Money Laundering Regulations 2017, regulation 40',
        until: getDeletionDay('identity', today),
      },
      { what: 'Our accounts: the amounts and days of payments', why: 'Companies Act 2006, sections 386 to 389', until: null },
      { what: TRAIL, why: 'So that we can prove that no one has changed our records', until: null },
    ],
  };
}

const PRACTICE_FACTS: ClosingFacts = {
  ends: [
    'Your team loses access to the practice immediately. Everyone’s own account stays open.',
    'All clients, their figures, notes, contacts and imports are deleted, and can’t be restored.',
    'We delete our access to HMRC. HMRC still lists the permission in your agent services account, where you can remove it. Your clients’ authorisations at HMRC stay yours.',
    'Private calendar links of the practice stop working.',
  ],
  kept: [{ what: TRAIL, why: 'So that we can prove that no one has changed our records', until: null }],
};
