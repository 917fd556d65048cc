/** A rule about verifying the identity of a company's officers and controllers at Companies House. */
import { addDays, countDaysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import type { ClientFacts, IdentityState, RegisterPerson } from './agent-facts.ts';
import { defineRule, type AgentFact, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { isCurrent, writeMessage } from './rule-text.ts';

/** A person's identity counts as verified for a role while the register shows their statement for it, as its own pages do. */
export function getIdentityState(person: Pick<RegisterPerson, 'due_on' | 'supplied_on' | 'removed_on'>, today: PlainDate): IdentityState {
  const { due_on: due, supplied_on: suppliedOn, removed_on: removedOn } = person;
  if (suppliedOn !== null && (removedOn === null || removedOn > today)) return 'verified';
  return due === null ? 'unknown' : 'due';
}

export const IDENTITY_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'identity-verification-due',
    version: 1,
    name: 'Identity verification is due at Companies House',
    looksFor:
      'A director, member or person with significant control whose identity verification statement is due at Companies House soon, or is late. People for whom the register gives no information aren’t proposed. There’s one proposal for each date and company.',
    reads: ['the company’s officers and owners at Companies House, with the dates of their statements', 'the client’s email address'],
    proposes: 'message',
    threshold: { unit: 'days', text: 'Days before the due date', normal: 30, min: 1, max: 90, isFloor: false },
    law: {
      text: 'Companies Act 2006, section 167M, in force since 18 November 2025; GOV.UK: When you need to verify your identity for Companies House',
      url: 'https://www.gov.uk/guidance/when-you-need-to-verify-your-identity-for-companies-house',
    },
    find: findDueIdentities,
  }),
];

const OPEN_REGISTER_STATUSES = ['active', 'open', 'registered'];
/** Anything later means a company that doesn't file, which a reminder won't fix. */
const MAX_LATE_DAYS = 400;

function findDueIdentities(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  const { register_people: register, register_status: status, has_email: hasEmail } = client;
  if (!isCurrent(client) || !hasEmail || register === null || status === null || !OPEN_REGISTER_STATUSES.includes(status)) return [];
  const duePeople = register.people.filter(
    (person): person is RegisterPerson & { readonly due_on: PlainDate } =>
      getIdentityState(person, today) === 'due' && person.due_on !== null && person.due_on <= addDays(today, threshold),
  );
  const dates = [...new Set(duePeople.map(({ due_on: dueOn }) => dueOn))]
    .filter((dueOn) => countDaysBetween(dueOn, today) <= MAX_LATE_DAYS)
    .toSorted();
  return dates.map((dueOn) =>
    toFinding(
      dueOn,
      duePeople.filter((person) => person.due_on === dueOn),
      { today, readOn: register.read_on },
    ),
  );
}

/** Names come from the register, and braces would be parsed as message fields. */
const formatPerson = ({ name, role }: RegisterPerson): string => `${name.replaceAll(/[{}]/gu, '')}, ${role}`;

function toFinding(
  dueOn: PlainDate,
  people: readonly RegisterPerson[],
  { today, readOn }: { readonly today: PlainDate; readonly readOn: PlainDate },
): Finding {
  const date = formatDate(dueOn);
  const isLate = dueOn < today;
  const [first] = people;
  const peopleText = people.length === 1 && first ? first.name.replaceAll(/[{}]/gu, '') : `${people.length} people`;
  const opens = people.flatMap(({ opens_on: day }) => (day !== null && day > today ? [day] : [])).toSorted()[0];
  const toFact = (label: string, text: string): AgentFact => ({ label, text, page: 'client', source: 'companies_house', as_of: readOn });
  return {
    subject: dueOn,
    title: `Identity verification of ${peopleText} ${isLate ? 'was' : 'is'} due on ${date}`,
    tax: null,
    facts: [
      toFact('Statement due', date),
      ...people.map((person) => toFact(formatPerson(person), 'no identity verification statement at Companies House')),
    ],
    act: writeMessage(`identity verification ${isLate ? 'was' : 'is'} due on ${date}`, [
      `Companies House needs an identity verification statement for these people at {client} by ${date}${isLate ? ', and hadn’t received it when we last checked' : ''}:`,
      people.map((person) => `- ${formatPerson(person)}`).join('\n'),
      'Each person verifies their identity once, free of charge, with GOV.UK One Login, and gets a personal code from Companies House:\nhttps://www.gov.uk/guidance/verifying-your-identity-for-companies-house',
      `They then give Companies House the code for each role they hold: directors with the company’s confirmation statement, and people with significant control through a separate service${opens === undefined ? '' : `, from ${formatDate(opens)}`}. If this has already been done, or you’d like us to give Companies House the codes, please reply to this email.`,
    ]),
    due_on: dueOn,
  };
}
