/** Tools that read: clients, what they owe and must file, and past events. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { positionsApi } from '@portal/contract/positions.ts';
import { practiceDashboardApi } from '@portal/contract/practice-dashboard.ts';
import { taxScalar } from '@portal/contract/practice.ts';
import { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import { dateScalar, idScalar } from '@portal/contract/scalars.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { z } from 'zod/mini';
import { ToolError } from '../../http/call-portal.ts';
import { defineTool, READ_ANNOTATIONS, type Tool } from './tool.ts';

const DEFAULT_DUE_DAYS = 30;
const cursor = z.optional(z.string().check(z.maxLength(500), z.meta({ description: 'next_cursor from the previous page' })));
const createLimitSchema = (defaultLimit: number, max: number) => z._default(z.int().check(z.minimum(1), z.maximum(max)), defaultLimit);
const client = { client_id: idScalar.check(z.meta({ description: 'From search_clients' })) };
const portalLink = { link: z.string().check(z.meta({ description: 'The page in the portal, for the user' })) };

const SUMMARIES = {
  vat: positionsApi.vatSummary,
  paye: positionsApi.payeSummary,
  ct: positionsApi.corpTaxSummary,
  sa: positionsApi.selfAssessmentSummary,
} as const;

const timeline = clientDashboardApi.timeline.output.shape.entries;

export const READ_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'search_clients',
    title: 'Search clients',
    description:
      'Finds the practice’s clients by name, reference or filter, with their next deadline and what they owe. Amounts are in pence; null means unknown, never zero. `has: "overdue_any"` finds clients with something overdue.',
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.extend(
      z.pick(clientsApi.list.input, {
        q: true,
        status: true,
        tax: true,
        attention: true,
        due_before: true,
        has: true,
        tag: true,
        sort: true,
        direction: true,
      }),
      {
        cursor,
        limit: createLimitSchema(20, 50),
      },
    ),
    data: clientsApi.list.output,
    run: ({ call }, input) => call(clientsApi.list, input),
  }),
  defineTool({
    name: 'get_client_positions',
    title: 'Get a client’s tax positions',
    description:
      'For one client: what is owed, overdue and refundable for each tax, its next deadline, penalties and interest, HMRC authorisation, and where the figures come from.',
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.object(client),
    data: z.extend(positionsApi.clientTaxes.output, portalLink),
    run: async ({ call, link }, { client_id }) => ({
      ...(await call(positionsApi.clientTaxes, { client_company_id: client_id })),
      link: link(PAGES.clientDashboard.path, { client_id }),
    }),
  }),
  defineTool({
    name: 'get_client_tax',
    title: 'Get one tax for a client in detail',
    description: 'For one client and one tax: periods, returns, charges, payments, penalty points and interest, each with source and age.',
    scopes: ['figures.read'],
    annotations: READ_ANNOTATIONS,
    input: z.object({ ...client, tax: taxScalar }),
    data: positionsApi.vatSummary.output,
    run: ({ call }, { client_id, tax }) => call(SUMMARIES[tax], { client_id }),
  }),
  defineTool({
    name: 'list_due',
    title: 'List what’s due',
    description: `All clients’ returns to file, quarterly updates, payments and refunds between two dates, earliest first. Without dates: the next ${DEFAULT_DUE_DAYS}. Amounts are in pence, positive if payable to HMRC; null means unknown.`,
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.extend(z.pick(practiceDashboardApi.dueItems.input, { tax: true, what: true }), {
      from: z.optional(dateScalar),
      to: z.optional(dateScalar),
      cursor,
      limit: createLimitSchema(50, 100),
    }),
    data: practiceDashboardApi.dueItems.output,
    run: ({ call, today }, { from = today, to = addDays(from, DEFAULT_DUE_DAYS), ...rest }) =>
      call(practiceDashboardApi.dueItems, { from, to, ...rest }),
  }),
  defineTool({
    name: 'list_vat_returns_by_stage',
    title: 'List VAT returns by stage',
    description:
      'All clients’ VAT returns in one stage: to prepare, sent to the client for approval, questioned, approved and ready to file, or filed in the last 90 days. Earliest due first, 50 at a time. box5_pence and direction relate to the figures sent; they are null until figures are sent.',
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.extend(z.pick(returnApprovalsApi.stages.input, { stage: true }), {
      offset: z._default(z.int().check(z.minimum(0), z.maximum(100_000), z.meta({ description: 'next_offset from the previous page' })), 0),
    }),
    data: z.extend(returnApprovalsApi.stages.output, portalLink),
    run: async ({ call, link }, input) => ({
      ...(await call(returnApprovalsApi.stages, input)),
      link: link(PAGES.practiceVatReturns.path, { stage: input.stage }),
    }),
  }),
  defineTool({
    name: 'get_client_timeline',
    title: 'Read a client’s timeline',
    description: 'One client’s history, newest first: changes, notes, messages and new figures. Returns the latest 100.',
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.object({ ...client, cursor, limit: createLimitSchema(25, 100) }),
    data: z.object({ entries: timeline, next_cursor: z.nullable(z.string()) }),
    run: async ({ call }, { client_id, cursor: cursorParam, limit: size }) => {
      const { entries } = await call(clientDashboardApi.timeline, { client_id });
      const start = cursorParam === undefined ? 0 : entries.findIndex(({ key }) => key === cursorParam) + 1;
      if (cursorParam !== undefined && start === 0)
        throw new ToolError('input.invalid', 'cursor: This page is no longer available. Start without it.');
      const page = entries.slice(start, start + size);
      return { entries: page, next_cursor: start + size < entries.length ? (page.at(-1)?.key ?? null) : null };
    },
  }),
];
