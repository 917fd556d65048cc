/** Rules about the payee: HMRC, Companies House and the bank must agree on the company, and one of its people must be verified. */
import type { OwnerIdentityStatus, RuleOutcome } from './advance-statuses.ts';
import { comparePersonNames, compareWithFormerNames, getWeakestMatch, hasLegalForm, type NameMatch } from './compare-names.ts';
import { toCompanyTitleCase } from '../uk-tax/references/company-title-case.ts';
import type { NameCheckResult } from './name-check-results.ts';
import { IDENTITY_RULE } from './identity-rule.ts';

/** A person in one of the registers. `bornIn`: the month of birth, "1984-05"; undefined if unknown. */
export type NamedPerson = { readonly name: string; readonly bornIn?: string | undefined };

/** The input for the rules. `undefined` means unknown, which never counts as a pass. */
export type PayeeFacts = {
  /** HMRC's name for the VAT number. */
  readonly hmrcName: string | undefined;
  /** The name at Companies House. */
  readonly registerName: string | undefined;
  /** Former names at Companies House. */
  readonly formerNames: readonly string[];
  /** The account holder's name, as given by the trader. */
  readonly accountHolder: string | undefined;
  /**
   * `name`: the account's name at the bank, returned only for a close match. `accountEnd`: the last digits of its number. The findings have
   * them, so that another account whose name the bank doesn't confirm needs another review.
   */
  readonly accountCheck: { readonly result: NameCheckResult; readonly name?: string; readonly accountEnd?: string } | undefined;
  /** The best status among the owners' identity checks. */
  readonly identity: OwnerIdentityStatus;
  /** The owners with a verified identity. */
  readonly verifiedPeople: readonly NamedPerson[];
  /** True if only our operators verified them, not a provider. */
  readonly isVerifiedManually: boolean;
  /** The company's officers and persons with significant control; undefined if we couldn't read them. */
  readonly companyPeople: readonly NamedPerson[] | undefined;
};

export type PayeeRule = { readonly rule: string; readonly outcome: RuleOutcome; readonly finding: string; readonly how_to_fix: string };

const REVIEW_TEXT = 'One of our team will review it. You don’t need to do anything.';

/** Evaluates every rule on the payee, in list order. */
export function evaluatePayee(facts: PayeeFacts): PayeeRule[] {
  return [
    { rule: 'company_name', ...evaluateCompanyName(facts) },
    { rule: 'account_holder', ...evaluateAccountHolder(facts) },
    { rule: 'bank_name_check', ...evaluateNameCheck(facts) },
    { rule: 'identity_verified', ...evaluateIdentity(facts) },
    { rule: 'identity_of_officer', ...evaluateOfficer(facts) },
  ];
}

type Finding = Omit<PayeeRule, 'rule'>;

/** Lists all the names, so that the trader and the operator can compare them. */
function describeNames({ hmrcName, registerName, formerNames, accountHolder }: PayeeFacts): string {
  const formerNamesText = formerNames.length === 0 ? '' : `, previously ${formerNames.map(toCompanyTitleCase).join(' and ')}`;
  return [
    hmrcName === undefined
      ? 'We haven’t been able to read the name registered at HMRC for the VAT number.'
      : `At HMRC, the VAT number is registered to ${toCompanyTitleCase(hmrcName)}.`,
    registerName === undefined
      ? 'We haven’t been able to read the company’s name at Companies House.'
      : `At Companies House, the company’s name is ${toCompanyTitleCase(registerName)}${formerNamesText}.`,
    ...(accountHolder === undefined ? [] : [`The bank account is in the name of ${accountHolder}.`]),
  ].join(' ');
}

/** Compares two names of the company. HMRC's name doesn't automatically count as one: the VAT number may belong to another company. */
function compareNames({ registerName, formerNames }: PayeeFacts, a: string, b: string): NameMatch {
  return compareWithFormerNames({ names: registerName === undefined ? [] : [registerName], former: formerNames }, a, b);
}

function evaluateCompanyName(facts: PayeeFacts): Finding {
  const { hmrcName, registerName } = facts;
  if (hmrcName === undefined || registerName === undefined)
    return { outcome: 'not_judged', finding: describeNames(facts), how_to_fix: REVIEW_TEXT };
  const names = compareNames(facts, hmrcName, registerName);
  return toFinding(
    // A sole trader's business name may be the same. Their refund isn't the company's, which may own nothing.
    names === 'match' && hasLegalForm(registerName) && !hasLegalForm(hmrcName) ? 'close' : names,
    `HMRC and Companies House both show ${toCompanyTitleCase(registerName)}.`,
    describeNames(facts),
    'They must be the same company. Correct the VAT number or the company number, or contact us.',
  );
}

function evaluateAccountHolder(facts: PayeeFacts): Finding {
  const { hmrcName, registerName, accountHolder } = facts;
  if (accountHolder === undefined) {
    return { outcome: 'not_judged', finding: 'There’s no bank account to check yet.', how_to_fix: 'Add the business’s bank account.' };
  }
  const names = [registerName, hmrcName].filter((name) => name !== undefined);
  if (names.length === 0) return { outcome: 'not_judged', finding: describeNames(facts), how_to_fix: REVIEW_TEXT };
  return toFinding(
    getWeakestMatch(names.map((name) => compareNames(facts, accountHolder, name))),
    `The bank account is in the company’s name, ${accountHolder}.`,
    describeNames(facts),
    'We can only pay into an account in the company’s own name. Change the bank account.',
  );
}

function toFinding(match: NameMatch, passedText: string, names: string, howToFix: string): Finding {
  if (match === 'match') return { outcome: 'pass', finding: passedText, how_to_fix: '' };
  if (match === 'close') return { outcome: 'review', finding: `The names are similar but not the same. ${names}`, how_to_fix: REVIEW_TEXT };
  return { outcome: 'fail', finding: `The names are different. ${names}`, how_to_fix: howToFix };
}

function evaluateNameCheck({ accountCheck }: PayeeFacts): Finding {
  const account = accountCheck?.accountEnd === undefined ? 'the account' : `the account ending ${accountCheck.accountEnd}`;
  switch (accountCheck?.result) {
    case 'match':
      return { outcome: 'pass', finding: 'The bank confirmed the name on the account.', how_to_fix: '' };
    case 'close_match':
      return {
        outcome: 'review',
        finding: `The bank has a similar name on ${account}${accountCheck.name === undefined ? '' : `: ${accountCheck.name}`}.`,
        how_to_fix: 'If that’s your company, enter the name exactly as the bank has it. Otherwise, one of our team will review it.',
      };
    case 'no_match':
      return {
        outcome: 'review',
        finding: `The bank says ${account} doesn’t belong to this name.`,
        how_to_fix: 'Check the account holder’s name, sort code and account number. If they’re right, one of our team will review it.',
      };
    default:
      return { outcome: 'not_judged', finding: `The bank hasn’t confirmed the name on ${account} yet.`, how_to_fix: REVIEW_TEXT };
  }
}

function evaluateIdentity({ identity }: PayeeFacts): Finding {
  if (identity === 'passed') return { outcome: 'pass', finding: 'The owner’s identity has been verified.', how_to_fix: '' };
  if (identity === 'failed') {
    return {
      outcome: 'fail',
      finding: 'We couldn’t verify the owner’s identity.',
      how_to_fix: 'Verify your identity again with a different document.',
    };
  }
  if (identity === 'needs_review')
    return { outcome: 'review', finding: 'We’re reviewing the owner’s identity check.', how_to_fix: IDENTITY_RULE };
  return { outcome: 'review', finding: 'The owner’s identity hasn’t been verified yet.', how_to_fix: IDENTITY_RULE };
}

/** An unverified person can't be compared; the identity rule already requires verification. */
function evaluateOfficer({ verifiedPeople, companyPeople, isVerifiedManually }: PayeeFacts): Finding {
  if (verifiedPeople.length === 0) {
    return {
      outcome: 'not_judged',
      finding: 'We compare the owner with the people listed at Companies House.',
      how_to_fix: 'We do this once an owner’s identity is verified.',
    };
  }
  if (companyPeople === undefined) {
    return {
      outcome: 'not_judged',
      finding: 'We couldn’t read the company’s officers and owners from Companies House.',
      how_to_fix: REVIEW_TEXT,
    };
  }
  const matches = verifiedPeople.flatMap((person) => companyPeople.map((companyPerson) => comparePeople(person, companyPerson)));
  const verifiedNamesText = [...new Set(verifiedPeople.map(({ name }) => name))].join(' or ');
  // Otherwise a single operator could make a payout by verifying the company's owner.
  if (isVerifiedManually && (matches.includes('match') || matches.includes('birth_unknown'))) {
    return {
      outcome: 'review',
      finding: `One of our team verified ${verifiedNamesText}, who is listed at Companies House.`,
      how_to_fix: REVIEW_TEXT,
    };
  }
  if (matches.includes('match')) {
    return {
      outcome: 'pass',
      finding: `Companies House lists ${verifiedNamesText}, born in the same month, as an officer or a person with significant control.`,
      how_to_fix: '',
    };
  }
  if (matches.includes('birth_unknown')) {
    return {
      outcome: 'not_judged',
      finding: `Companies House lists the name ${verifiedNamesText}, but we can’t compare the month of birth, so it may be someone else.`,
      how_to_fix: REVIEW_TEXT,
    };
  }
  return { outcome: 'review', finding: describeOtherPerson(matches, verifiedNamesText), how_to_fix: REVIEW_TEXT };
}

type PersonMatch = NameMatch | 'birth_unknown' | 'other_birth';

/** Companies House publishes the month and year of birth (Companies Act 2006 s242), which distinguishes people with the same name. */
function comparePeople(verifiedPerson: NamedPerson, companyPerson: NamedPerson): PersonMatch {
  const names = comparePersonNames(verifiedPerson.name, companyPerson.name);
  if (names !== 'match') return names;
  if (verifiedPerson.bornIn === undefined || companyPerson.bornIn === undefined) return 'birth_unknown';
  return verifiedPerson.bornIn === companyPerson.bornIn ? 'match' : 'other_birth';
}

function describeOtherPerson(matches: readonly PersonMatch[], people: string): string {
  if (matches.includes('other_birth')) return `Companies House lists someone named ${people}, but with a different month of birth.`;
  if (matches.includes('close')) return `Companies House lists someone with a name similar to ${people}.`;
  return `Companies House doesn’t list ${people} as an officer or a person with significant control.`;
}
