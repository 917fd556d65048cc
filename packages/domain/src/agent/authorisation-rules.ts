/** Rules about HMRC authorisations and the figures they let us read. */
import { isCoveredByHmrc, REQUEST_LINK_TTL_DAYS } from '../authorisations/describe-authorisation.ts';
import { addDays, countDaysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { findOwner, getService, isCurrent, TAX_LABELS, toPracticeFact, toTaxFact, writeMessage } from './rule-text.ts';

const AGENT_TAXES = ['vat', 'sa'] as const;

export const AUTHORISATION_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'authorisation-missing',
    version: 1,
    name: 'Not authorised at HMRC',
    looksFor: 'An active client that hasn’t authorised you for VAT or Self Assessment and has no open request.',
    reads: ['HMRC authorisations', 'HMRC references'],
    proposes: 'request_authorisation',
    taxes: AGENT_TAXES,
    find: (client) => findRequestsByStatus(client, ['not_started'], 'Not authorised'),
  }),
  defineRule({
    id: 'authorisation-ended',
    version: 1,
    name: 'Authorisation ended or request expired',
    looksFor: 'A request the client didn’t respond to in time, or an authorisation that has ended.',
    reads: ['HMRC authorisations', 'HMRC references'],
    proposes: 'request_authorisation',
    taxes: AGENT_TAXES,
    find: (client) => findRequestsByStatus(client, ['expired', 'revoked'], 'Authorisation ended or request expired'),
  }),
  defineRule({
    id: 'authorisation-unanswered',
    version: 2,
    name: 'Authorisation request unanswered',
    looksFor: `A request the client hasn’t responded to. The portal won’t send reminders about it automatically, because it wasn’t emailed. HMRC’s link works for ${REQUEST_LINK_TTL_DAYS} days.`,
    reads: ['HMRC authorisations', 'the client’s email address'],
    proposes: 'message',
    taxes: AGENT_TAXES,
    threshold: { unit: 'days', text: 'Days without a response', normal: 7, min: 1, max: 20, isFloor: true },
    find: findUnansweredAuthorisations,
  }),
  defineRule({
    id: 'figures-old',
    version: 1,
    name: 'Out-of-date figures',
    looksFor: 'Out-of-date figures from HMRC when something is due.',
    reads: ['dates of the figures', 'due dates'],
    proposes: 'refresh',
    taxes: AGENT_TAXES,
    threshold: { unit: 'days', text: 'Something due within (days)', normal: 30, min: 1, max: 366, isFloor: false },
    find: findStaleFigures,
  }),
  defineRule({
    id: 'refresh-failed',
    version: 1,
    name: 'Refresh failed',
    looksFor: 'A client authorised for a tax whose last refresh from HMRC failed.',
    reads: ['refreshes', 'HMRC authorisations'],
    proposes: 'refresh',
    taxes: AGENT_TAXES,
    find: findFailedRefreshes,
  }),
  defineRule({
    id: 'statement-needed',
    version: 1,
    name: 'Statement needed',
    looksFor:
      'PAYE or corporation tax with missing or out-of-date figures when something is due. HMRC doesn’t share these figures with software, so you import a statement.',
    reads: ['dates of imported statements', 'due dates'],
    proposes: 'task',
    taxes: ['paye', 'ct'],
    threshold: { unit: 'days', text: 'Something due within (days)', normal: 30, min: 1, max: 366, isFloor: false },
    find: findMissingStatements,
  }),
];

function findRequestsByStatus(client: ClientFacts, statuses: readonly string[], label: string): Finding[] {
  if (!isCurrent(client)) return [];
  return client.authorisations.flatMap(({ tax, status, sent_on: sentOn }) => {
    if (!isCoveredByHmrc(tax) || !statuses.includes(status)) return [];
    if (!client.taxes.includes(tax) || client.missing_references.includes(tax)) return [];
    return [
      {
        subject: `${tax} ${status} ${sentOn ?? 'never'}`,
        title: `${label}: ${TAX_LABELS[tax]}`,
        tax,
        facts: [{ label: `Authorisation for ${TAX_LABELS[tax]}`, text: label, page: 'client', source: 'hmrc', as_of: null }],
        act: { kind: 'request_authorisation', tax },
        due_on: null,
      },
    ] satisfies Finding[];
  });
}

function findUnansweredAuthorisations(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  return client.authorisations.flatMap(({ tax, status, sent_on: sentOn, expires_on: expiresOn, url, is_emailed: isEmailed }) => {
    if (status !== 'link_sent' || isEmailed || sentOn === null || url === null || countDaysBetween(sentOn, today) < threshold) return [];
    const last = expiresOn ?? addDays(sentOn, REQUEST_LINK_TTL_DAYS);
    if (last <= today) return [];
    const name = TAX_LABELS[tax];
    return [
      {
        subject: `${tax} ${sentOn}`,
        title: `${name} request unanswered for ${countDaysBetween(sentOn, today)} days`,
        tax,
        facts: [toPracticeFact(`Request for ${name}`, `created on ${formatDate(sentOn)}, works until ${formatDate(last)}`)],
        act: writeMessage(`please authorise us for ${name} by ${formatDate(last)}`, [
          `To look after {client}’s ${name}, we need you to authorise us at HMRC. Please open this HMRC link and sign in with your Government Gateway details:`,
          url,
          `The link works until ${formatDate(last)}.`,
        ]),
        due_on: last,
      },
    ] satisfies Finding[];
  });
}

const isAuthorised = ({ authorisations }: ClientFacts, requiredTax: string): boolean =>
  authorisations.some(({ tax, status }) => tax === requiredTax && (status === 'authorised' || status === 'expiring'));

/** Returns the first day on which anything is due for the tax, including overdue items. */
const findFirstDue = ({ items }: ClientFacts, requiredTax: string): PlainDate | undefined =>
  items.find(({ tax, what }) => tax === requiredTax && what !== 'refund')?.due_on;

function findStaleFigures(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  return client.figures.flatMap((figures) => {
    const { tax, stale_on: staleOn, refresh_failed: hasFailed, as_of: asOf } = figures;
    const firstDue = findFirstDue(client, tax);
    if (
      !isCoveredByHmrc(tax) ||
      staleOn === null ||
      staleOn > today ||
      hasFailed ||
      firstDue === undefined ||
      firstDue > addDays(today, threshold)
    )
      return [];
    if (!isAuthorised(client, tax)) return [];
    return [
      {
        subject: `${tax} ${staleOn}`,
        title: `${TAX_LABELS[tax]} figures are from ${asOf === null ? 'an unknown date' : formatDate(asOf)}`,
        tax,
        facts: [
          toTaxFact(figures, 'Out of date after', `since ${formatDate(staleOn)}`),
          toTaxFact(undefined, 'Next due', formatDate(firstDue)),
        ],
        act: { kind: 'refresh', tax },
        due_on: firstDue,
      },
    ] satisfies Finding[];
  });
}

function findFailedRefreshes(client: ClientFacts): Finding[] {
  if (!isCurrent(client)) return [];
  return client.figures.flatMap((figures) => {
    const { tax, refresh_failed: hasFailed, as_of: asOf } = figures;
    if (!isCoveredByHmrc(tax) || !hasFailed || !isAuthorised(client, tax) || client.missing_references.includes(tax)) return [];
    return [
      {
        subject: `${tax} ${asOf ?? 'never'}`,
        title: `The last ${TAX_LABELS[tax]} refresh failed`,
        tax,
        facts: [toTaxFact(figures, 'Last figures', asOf === null ? 'none' : formatDate(asOf))],
        act: { kind: 'refresh', tax },
        due_on: null,
      },
    ] satisfies Finding[];
  });
}

function findMissingStatements(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  return client.taxes.flatMap((tax) => {
    if (isCoveredByHmrc(tax)) return [];
    const figures = client.figures.find((figure) => figure.tax === tax);
    const firstDue = findFirstDue(client, tax);
    const isOld = figures?.is_read !== true || (figures.stale_on !== null && figures.stale_on <= today);
    if (!isOld || firstDue === undefined || firstDue > addDays(today, threshold)) return [];
    const state = figures?.is_read === true && figures.as_of !== null ? `dated ${formatDate(figures.as_of)}` : 'missing';
    return [
      {
        subject: `${tax} ${figures?.as_of ?? 'never'}`,
        title: `${TAX_LABELS[tax]} needs a statement: figures ${state}`,
        tax,
        facts: [
          { ...toTaxFact(figures, `${TAX_LABELS[tax]} figures`, state), page: 'statements' },
          toTaxFact(undefined, 'Next due', formatDate(firstDue)),
        ],
        act: {
          kind: 'task',
          title: `Get a ${TAX_LABELS[tax]} statement from HMRC and import it`,
          notes: `Something is due on ${formatDate(firstDue)}, and the portal’s figures are ${state}.`,
          service: getService(tax),
          due_on: firstDue > addDays(today, 5) ? addDays(today, 5) : firstDue < today ? today : firstDue,
          owner_id: findOwner(client),
        },
        due_on: firstDue,
      },
    ] satisfies Finding[];
  });
}
