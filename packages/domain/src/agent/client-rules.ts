/** Rules about the client's record: contact details, missing details, and whether it is still a client. */
import { addDays, countDaysBetween, formatDate } from '../plain-date.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentFact, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { createFinding, createTaskAction, isCurrent, TAX_LABELS, toPracticeFact } from './rule-text.ts';

export const CLIENT_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'invitation-bounced',
    version: 1,
    name: 'Invitation bounced',
    looksFor: 'An invitation to the client portal that the mail server rejected.',
    reads: ['invitations'],
    proposes: 'task',
    find: findBouncedInvitations,
  }),
  defineRule({
    id: 'invitation-unanswered',
    version: 1,
    name: 'Invitation unanswered',
    looksFor: 'An invitation to the client portal that hasn’t been accepted.',
    reads: ['invitations'],
    proposes: 'task',
    threshold: { unit: 'days', text: 'Days without a response', normal: 14, min: 1, max: 90, isFloor: true },
    find: findUnansweredInvitations,
  }),
  defineRule({
    id: 'message-failed',
    version: 1,
    name: 'Message not delivered',
    looksFor: 'A message to the client that failed in the last 30 days.',
    reads: ['messages and their outcomes'],
    proposes: 'task',
    find: findFailedMessages,
  }),
  defineRule({
    id: 'email-missing',
    version: 1,
    name: 'No email address',
    looksFor: 'An active client with no email address, when something is due.',
    reads: ['email addresses of the client and its contacts', 'due dates'],
    proposes: 'task',
    threshold: { unit: 'days', text: 'Something due within (days)', normal: 30, min: 1, max: 366, isFloor: false },
    find: findMissingEmail,
  }),
  defineRule({
    id: 'reference-missing',
    version: 1,
    name: 'HMRC reference missing',
    looksFor: 'An active client with a tax but without HMRC’s reference for it.',
    reads: ['the client’s taxes and references'],
    proposes: 'task',
    taxes: ['vat', 'paye', 'ct', 'sa'],
    find: findMissingReferences,
  }),
  defineRule({
    id: 'year-end-missing',
    version: 1,
    name: 'Year end missing',
    looksFor: 'An active client with corporation tax but no year end, so its deadlines can’t be calculated.',
    reads: ['the client’s taxes and year end'],
    proposes: 'task',
    taxes: ['ct'],
    find: findMissingYearEnd,
  }),
  defineRule({
    id: 'year-end-plan',
    version: 1,
    name: 'Year end approaching',
    looksFor: 'An accounting period that ends soon, leaving only a few weeks for year-end planning.',
    reads: ['the client’s year end'],
    proposes: 'task',
    taxes: ['ct'],
    threshold: { unit: 'days', text: 'Days before the year end', normal: 45, min: 7, max: 120, isFloor: false },
    find: findNearYearEnd,
  }),
  defineRule({
    id: 'company-closed',
    version: 1,
    name: 'Company not active at Companies House',
    looksFor: 'An active client that Companies House shows as dissolved, in liquidation or otherwise not active.',
    reads: ['the status at Companies House'],
    proposes: 'tag',
    find: findClosedCompanies,
  }),
  defineRule({
    id: 'client-insolvent',
    version: 1,
    name: 'Insolvent at HMRC',
    looksFor: 'A client that HMRC treats as insolvent. HMRC stops showing its details, and payment reminders would be inappropriate.',
    reads: ['HMRC’s answers'],
    proposes: 'tag',
    taxes: ['vat'],
    find: findInsolventClients,
  }),
  defineRule({
    id: 'client-dormant',
    version: 1,
    name: 'Dormant client',
    looksFor: 'An active client with nothing due, nothing owed and no tasks.',
    reads: ['due dates', 'amounts', 'tasks'],
    proposes: 'tag',
    threshold: { unit: 'days', text: 'Days since the client was added', normal: 90, min: 30, max: 730, isFloor: true },
    find: findDormantClients,
  }),
  defineRule({
    id: 'lead-forgotten',
    version: 1,
    name: 'Lead not followed up',
    looksFor: 'Someone who has been a lead, or a client being invited, for a month.',
    reads: ['the client’s status and the date it was added'],
    proposes: 'task',
    threshold: { unit: 'days', text: 'Days since the client was added', normal: 30, min: 7, max: 366, isFloor: true },
    find: findStaleLeads,
  }),
];

const isFormer = ({ status }: ClientFacts): boolean => status === 'inactive' || status === 'closed';

function findBouncedInvitations(client: ClientFacts, context: RuleContext): Finding[] {
  if (isFormer(client)) return [];
  return client.invitations.flatMap(({ id, email, bounced_on: bouncedOn }) => {
    if (bouncedOn === null) return [];
    const notes = `The invitation to ${email} bounced on ${formatDate(bouncedOn)}.`;
    return [
      createFinding(
        `${id} ${bouncedOn}`,
        'The invitation bounced',
        [toPracticeFact('Invitation', `to ${email}, bounced on ${formatDate(bouncedOn)}`)],
        createTaskAction(client, context, { title: 'Correct the email address and invite again', notes, inDays: 3, service: 'onboarding' }),
      ),
    ];
  });
}

function findUnansweredInvitations(client: ClientFacts, context: RuleContext): Finding[] {
  if (isFormer(client)) return [];
  return client.invitations.flatMap(({ id, email, sent_on: sentOn, bounced_on: bouncedOn }) => {
    const days = countDaysBetween(sentOn, context.today);
    if (bouncedOn !== null || days < context.threshold) return [];
    const notes = `The invitation was sent to ${email} on ${formatDate(sentOn)}.`;
    return [
      createFinding(
        `${id} ${sentOn}`,
        `Invitation unanswered for ${days} days`,
        [toPracticeFact('Invitation', `to ${email}, sent on ${formatDate(sentOn)}`)],
        createTaskAction(client, context, {
          title: 'Call about the invitation to the client portal',
          notes,
          inDays: 5,
          service: 'onboarding',
        }),
      ),
    ];
  });
}

function findFailedMessages(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  return client.failed_messages.slice(0, 1).map(({ message_id: id, email, failed_on: failedOn }) =>
    createFinding(
      id,
      'A message didn’t reach the client',
      [toPracticeFact('Message', `to ${email}, failed on ${formatDate(failedOn)}`, 'messages')],
      createTaskAction(client, context, {
        title: 'Check the client’s email address and send the message again',
        notes: `A message to ${email} failed on ${formatDate(failedOn)}.`,
        inDays: 2,
      }),
    ),
  );
}

function findMissingEmail(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client) || client.has_email) return [];
  const next = client.items.find(({ what, due_on: due }) => what !== 'refund' && due >= context.today);
  if (!next || next.due_on > addDays(context.today, context.threshold)) return [];
  return [
    createFinding(
      'email',
      'No email address, and something is due',
      [toPracticeFact('Email address', 'none'), toPracticeFact('Next due', formatDate(next.due_on))],
      createTaskAction(client, context, {
        title: 'Ask the client for an email address',
        notes: `Something is due on ${formatDate(next.due_on)}, but the client can’t receive emails.`,
        inDays: 5,
      }),
    ),
  ];
}

function findMissingReferences(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client) || client.missing_references.length === 0) return [];
  const names = client.missing_references.map((tax) => TAX_LABELS[tax]).join(', ');
  return [
    createFinding(
      client.missing_references.join(' '),
      `No HMRC reference for ${names}`,
      [toPracticeFact('References missing', names)],
      createTaskAction(client, context, {
        title: `Add the HMRC reference for ${names}`,
        notes: 'We can’t get figures from HMRC without it.',
        inDays: 7,
      }),
    ),
  ];
}

function findMissingYearEnd(client: ClientFacts, context: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.taxes.includes('ct') || client.year_end_on !== null) return [];
  return [
    createFinding(
      'year end',
      'No year end, so no corporation tax deadlines',
      [toPracticeFact('Year end', 'none')],
      createTaskAction(client, context, {
        title: 'Enter the client’s year end',
        notes: 'It’s needed to calculate corporation tax deadlines.',
        inDays: 7,
        service: 'accounts',
      }),
    ),
  ];
}

function findNearYearEnd(client: ClientFacts, context: RuleContext): Finding[] {
  const { year_end_on: end } = client;
  if (!isCurrent(client) || !client.taxes.includes('ct') || end === null) return [];
  if (end < context.today || end > addDays(context.today, context.threshold)) return [];
  return [
    {
      ...createFinding(
        end,
        `The year ends on ${formatDate(end)}`,
        [toPracticeFact('Year end', formatDate(end))],
        createTaskAction(client, context, {
          title: `Discuss year-end planning for ${formatDate(end)} with the client`,
          notes:
            'Employer pension contributions count for this year only if they’re paid before it ends, and equipment only if it’s bought before then.',
          inDays: 7,
          service: 'accounts',
        }),
      ),
      tax: 'ct',
      due_on: end,
    },
  ];
}

const OPEN_REGISTER_STATUSES = ['active', 'open', 'not_found', 'registered'];

function findClosedCompanies(client: ClientFacts): Finding[] {
  const { register_status: status, tags } = client;
  if (!isCurrent(client) || status === null || OPEN_REGISTER_STATUSES.includes(status) || tags.includes('Check Companies House')) return [];
  const name = status.replaceAll('-', ' ');
  const fact: AgentFact = { label: 'Companies House', text: name, page: 'client', source: 'companies_house', as_of: null };
  return [createFinding(status, `Companies House says: ${name}`, [fact], { kind: 'tag', tag: 'Check Companies House' })];
}

function findInsolventClients(client: ClientFacts): Finding[] {
  if (!isCurrent(client) || client.tags.includes('Insolvent')) return [];
  const insolvency = client.figures.find(({ is_insolvent: isInsolvent }) => isInsolvent);
  if (!insolvency) return [];
  const text = 'treats the client as insolvent';
  const fact: AgentFact = { label: 'HMRC', text, page: 'client', source: 'hmrc', as_of: insolvency.as_of };
  return [
    {
      ...createFinding(insolvency.tax, `HMRC ${text}`, [fact], { kind: 'tag', tag: 'Insolvent' }),
      tax: insolvency.tax,
    },
  ];
}

function findDormantClients(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || client.tags.includes('Dormant') || countDaysBetween(client.created_on, today) < threshold) return [];
  const isQuiet = client.items.length === 0 && client.tasks.length === 0 && client.figures.every(({ owed_pence: debt }) => debt === 0);
  if (!isQuiet) return [];
  const facts = [toPracticeFact('Added', formatDate(client.created_on)), toPracticeFact('Due dates and tasks', 'none')] as const;
  return [createFinding('dormant', 'Nothing due, nothing owed, no tasks', facts, { kind: 'tag', tag: 'Dormant' })];
}

function findStaleLeads(client: ClientFacts, context: RuleContext): Finding[] {
  const days = countDaysBetween(client.created_on, context.today);
  if ((client.status !== 'lead' && client.status !== 'inviting') || days < context.threshold) return [];
  const state = client.status === 'lead' ? 'a lead' : 'being invited';
  return [
    createFinding(
      client.status,
      `Has been ${state} for ${days} days`,
      [toPracticeFact('Added', formatDate(client.created_on)), toPracticeFact('Status', state)],
      createTaskAction(client, context, {
        title: 'Follow up, or close the lead',
        notes: `Added on ${formatDate(client.created_on)}.`,
        inDays: 5,
        service: 'onboarding',
      }),
    ),
  ];
}
