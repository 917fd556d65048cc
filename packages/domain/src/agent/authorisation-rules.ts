/** Rules about HMRC authorisations and the figures they let us read. */
import { isCoveredByHmrc, LINK_DAYS } from '../authorisations/describe-authorisation.ts';
import { addDays, daysBetween, formatDate, type PlainDate } from '../plain-date.ts';
import type { ClientFacts } from './agent-facts.ts';
import { defineRule, type AgentRule, type Finding, type RuleContext } from './agent-rule.ts';
import { findOwner, getService, isCurrent, TAX_TEXTS, toPracticeFact, toTaxFact, writeMessage } from './rule-text.ts';

const AGENT = ['vat', 'sa'] as const;

export const AUTHORISATION_RULES: readonly AgentRule[] = [
  defineRule({
    id: 'authorisation-missing',
    version: 1,
    name: 'Not authorised at HMRC',
    looksFor: 'An active client that hasn’t authorised you for VAT or Self Assessment and has no open request.',
    reads: ['HMRC authorisations', 'HMRC references'],
    proposes: 'request_authorisation',
    taxes: AGENT,
    find: (client) => findRequests(client, ['not_started'], 'Not authorised'),
  }),
  defineRule({
    id: 'authorisation-ended',
    version: 1,
    name: 'Authorisation ended or request expired',
    looksFor: 'A request the client didn’t respond to in time, or an authorisation that has ended.',
    reads: ['HMRC authorisations', 'HMRC references'],
    proposes: 'request_authorisation',
    taxes: AGENT,
    find: (client) => findRequests(client, ['expired', 'revoked'], 'Authorisation ended or request expired'),
  }),
  defineRule({
    id: 'authorisation-unanswered',
    version: 2,
    name: 'Authorisation request unanswered',
    looksFor: `A request the client hasn’t responded to. The portal won’t send reminders about it automatically, because it wasn’t emailed. HMRC’s link works for ${LINK_DAYS} days.`,
    reads: ['HMRC authorisations', 'the client’s email address'],
    proposes: 'message',
    taxes: AGENT,
    threshold: { unit: 'days', text: 'Days without a response', normal: 7, min: 1, max: 20, isFloor: true },
    find: findUnanswered,
  }),
  defineRule({
    id: 'figures-old',
    version: 1,
    name: 'Out-of-date figures',
    looksFor: 'Out-of-date figures from HMRC when something is due.',
    reads: ['dates of the figures', 'due dates'],
    proposes: 'refresh',
    taxes: AGENT,
    threshold: { unit: 'days', text: 'Something due within (days)', normal: 30, min: 1, max: 366, isFloor: false },
    find: findOldFigures,
  }),
  defineRule({
    id: 'refresh-failed',
    version: 1,
    name: 'Refresh failed',
    looksFor: 'A client authorised for a tax whose last refresh from HMRC failed.',
    reads: ['refreshes', 'HMRC authorisations'],
    proposes: 'refresh',
    taxes: AGENT,
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

function findRequests(client: ClientFacts, statuses: readonly string[], label: string): Finding[] {
  if (!isCurrent(client)) return [];
  return client.authorisations.flatMap(({ tax, status, sent_on: sent }) => {
    if (!isCoveredByHmrc(tax) || !statuses.includes(status)) return [];
    if (!client.taxes.includes(tax) || client.missing_references.includes(tax)) return [];
    return [
      {
        subject: `${tax} ${status} ${sent ?? 'never'}`,
        title: `${label}: ${TAX_TEXTS[tax]}`,
        tax,
        facts: [{ label: `Authorisation for ${TAX_TEXTS[tax]}`, text: label, page: 'client', source: 'hmrc', as_of: null }],
        act: { kind: 'request_authorisation', tax },
        due_on: null,
      },
    ] satisfies Finding[];
  });
}

function findUnanswered(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client) || !client.has_email) return [];
  return client.authorisations.flatMap(({ tax, status, sent_on: sent, expires_on: expires, url, is_emailed: isEmailed }) => {
    if (status !== 'link_sent' || isEmailed || sent === null || url === null || daysBetween(sent, today) < threshold) return [];
    const last = expires ?? addDays(sent, LINK_DAYS);
    if (last <= today) return [];
    const name = TAX_TEXTS[tax];
    return [
      {
        subject: `${tax} ${sent}`,
        title: `${name} request unanswered for ${daysBetween(sent, today)} days`,
        tax,
        facts: [toPracticeFact(`Request for ${name}`, `created on ${formatDate(sent)}, works until ${formatDate(last)}`)],
        act: writeMessage(`please authorise us for ${name} by ${formatDate(last)}`, [
          `To look after {client}’s ${name}, we need your permission at HMRC. Please open this HMRC link and sign in with your Government Gateway details:`,
          url,
          `The link works until ${formatDate(last)}.`,
        ]),
        due_on: last,
      },
    ] satisfies Finding[];
  });
}

const isAuthorised = ({ authorisations }: ClientFacts, wanted: string): boolean =>
  authorisations.some(({ tax, status }) => tax === wanted && (status === 'authorised' || status === 'expiring'));

/** Returns the first day on which anything is due for the tax, including overdue items. */
const findFirstDue = ({ items }: ClientFacts, wanted: string): PlainDate | undefined =>
  items.find(({ tax, what }) => tax === wanted && what !== 'refund')?.due_on;

function findOldFigures(client: ClientFacts, { today, threshold }: RuleContext): Finding[] {
  if (!isCurrent(client)) return [];
  return client.figures.flatMap((figures) => {
    const { tax, stale_on: stale, refresh_failed: hasFailed, as_of: read } = figures;
    const due = findFirstDue(client, tax);
    if (!isCoveredByHmrc(tax) || stale === null || stale > today || hasFailed || due === undefined || due > addDays(today, threshold))
      return [];
    if (!isAuthorised(client, tax)) return [];
    return [
      {
        subject: `${tax} ${stale}`,
        title: `${TAX_TEXTS[tax]} figures are from ${read === null ? 'an unknown date' : formatDate(read)}`,
        tax,
        facts: [toTaxFact(figures, 'Out of date after', `since ${formatDate(stale)}`), toTaxFact(undefined, 'Next due', formatDate(due))],
        act: { kind: 'refresh', tax },
        due_on: due,
      },
    ] satisfies Finding[];
  });
}

function findFailedRefreshes(client: ClientFacts): Finding[] {
  if (!isCurrent(client)) return [];
  return client.figures.flatMap((figures) => {
    const { tax, refresh_failed: hasFailed, as_of: read } = figures;
    if (!isCoveredByHmrc(tax) || !hasFailed || !isAuthorised(client, tax) || client.missing_references.includes(tax)) return [];
    return [
      {
        subject: `${tax} ${read ?? 'never'}`,
        title: `The last ${TAX_TEXTS[tax]} refresh failed`,
        tax,
        facts: [toTaxFact(figures, 'Last figures', read === null ? 'none' : formatDate(read))],
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
    const due = findFirstDue(client, tax);
    const isOld = figures?.is_read !== true || (figures.stale_on !== null && figures.stale_on <= today);
    if (!isOld || due === undefined || due > addDays(today, threshold)) return [];
    const state = figures?.is_read === true && figures.as_of !== null ? `dated ${formatDate(figures.as_of)}` : 'missing';
    return [
      {
        subject: `${tax} ${figures?.as_of ?? 'never'}`,
        title: `${TAX_TEXTS[tax]} needs a statement: figures ${state}`,
        tax,
        facts: [
          { ...toTaxFact(figures, `${TAX_TEXTS[tax]} figures`, state), page: 'statements' },
          toTaxFact(undefined, 'Next due', formatDate(due)),
        ],
        act: {
          kind: 'task',
          title: `Get a ${TAX_TEXTS[tax]} statement from HMRC and import it`,
          notes: `Something is due on ${formatDate(due)}, and the portal’s figures are ${state}.`,
          service: getService(tax),
          due_on: due > addDays(today, 5) ? addDays(today, 5) : due < today ? today : due,
          owner_id: findOwner(client),
        },
        due_on: due,
      },
    ] satisfies Finding[];
  });
}
