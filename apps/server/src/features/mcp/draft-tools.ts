/** Tools that prepare drafts for a user to review in the portal: they don't send, file, pay or change anything. */
import { randomUUID } from 'node:crypto';
import { agentModeApi } from '@portal/contract/agent.ts';
import { clientsApi, EXPORT_TABLE_PATH } from '@portal/contract/clients.ts';
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { messageContent } from '@portal/contract/messages.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { proposedAction } from '@portal/contract/proposed-action.ts';
import { idScalar } from '@portal/contract/scalars.ts';
import { z } from 'zod/mini';
import { findAccessError } from '../../http/policies.ts';
import { ToolError } from '../../http/call-portal.ts';
import { defineTool, DRAFT_ANNOTATIONS, READ_ANNOTATIONS, type Tool, type ToolContext } from './tool.ts';

const client = { client_id: idScalar.check(z.meta({ description: 'From search_clients' })) };
const proposalId = z.optional(
  idScalar.check(z.meta({ description: 'A UUID of your choice. Repeating a call with the same UUID doesn’t create a duplicate.' })),
);
const title = agentModeApi.propose.input.shape.title;
const handOffFields = {
  link: z.string().check(z.meta({ description: 'Give this to the user, who must be logged in to the portal to complete it' })),
  next_step: z.string(),
};

const getDraftsLink = ({ link }: ToolContext): string => link(PAGES.agenticMode.path, { view: 'drafts' });
const REVIEW_INSTRUCTION = 'Nothing has been sent or changed. Ask the user to open the link, read the draft and approve it.';

/** The practice has switched off its list of drafts or stopped the assistant. */
const NO_DRAFTS: readonly string[] = ['agent.off', 'agent.stopped'];

export const DRAFT_TOOLS: readonly Tool[] = [
  defineTool({
    name: 'list_proposals',
    title: 'List proposals',
    description:
      'What the portal’s rules and users have proposed: `drafts` are waiting for a user, `watch` items are for information only, and `done` items have been decided. Includes the facts behind each, with their source and age.',
    scopes: ['tasks.read'],
    annotations: READ_ANNOTATIONS,
    input: z.extend(z.pick(agentModeApi.proposals.input, { client_id: true, rule_id: true, cursor: true }), {
      column: z._default(agentModeApi.proposals.input.shape.column, 'drafts'),
      limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 25),
    }),
    data: z.extend(agentModeApi.proposals.output, handOffFields),
    run: async (context, input) => ({
      ...(await context.call(agentModeApi.proposals, input)),
      link: getDraftsLink(context),
      next_step: 'A user approves, edits or rejects drafts at the link.',
    }),
  }),
  defineTool({
    name: 'propose',
    title: 'Propose something for a client',
    description:
      'Adds a draft for a user to review: a task, a note, a tag, an assignment, an HMRC authorisation request, an early refund proposal to the client, or a refresh. For a message use draft_message.',
    scopes: ['tasks.write'],
    annotations: DRAFT_ANNOTATIONS,
    input: z.object({ ...client, title, act: proposedAction, proposal_id: proposalId }),
    data: z.object({ proposal_id: idScalar, ...handOffFields }),
    run: async (context, { proposal_id = randomUUID(), ...proposal }) => {
      await context.call(agentModeApi.propose, { ...proposal, proposal_id });
      return { proposal_id, link: getDraftsLink(context), next_step: REVIEW_INSTRUCTION };
    },
  }),
  defineTool({
    name: 'draft_message',
    title: 'Draft a message to a client',
    description:
      'Prepares an email to one client as a draft for a user to review and send. {client}, {practice} and {sender} are filled in. It never sends the email. If the practice doesn’t store drafts, the result contains the text to copy.',
    scopes: ['tasks.write', 'clients.read'],
    annotations: DRAFT_ANNOTATIONS,
    input: z.object({ ...client, ...messageContent, proposal_id: proposalId }),
    data: z.object({
      state: z.enum(['draft', 'text_only']),
      proposal_id: z.nullable(idScalar),
      subject: z.string(),
      body: z.string(),
      ...handOffFields,
    }),
    run: async (context, { client_id, subject, body, proposal_id = randomUUID() }) => {
      const action = { kind: 'message', subject, body } as const;
      try {
        await context.call(agentModeApi.propose, { client_id, title: `Message: ${subject}`, act: action, proposal_id });
        return { state: 'draft' as const, proposal_id, subject, body, link: getDraftsLink(context), next_step: REVIEW_INSTRUCTION };
      } catch (error) {
        if (!(error instanceof ToolError) || !NO_DRAFTS.includes(error.code)) throw error;
      }
      // Checks that the user may see the client.
      await context.call(clientsApi.find, { client_id });
      return {
        state: 'text_only' as const,
        proposal_id: null,
        subject,
        body,
        link: context.link(PAGES.clientDashboard.path, { client_id }),
        next_step: 'This practice has turned off drafts, so nothing was saved. Ask the user to open the link and send the text from there.',
      };
    },
  }),
  defineTool({
    name: 'export_clients',
    title: 'Export clients',
    description:
      'Prepares links for the user to download the filtered client list as CSV or XLSX. To read clients yourself, page through search_clients.',
    scopes: ['exports.read', 'clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.pick(clientsApi.count.input, { q: true, status: true, tax: true, attention: true, due_before: true, has: true, tag: true }),
    data: z.object({ clients: z.int(), csv_link: z.string(), xlsx_link: z.string(), next_step: z.string() }),
    run: async ({ call, link, actor }, filters) => {
      const accessProblem = findAccessError('practice.export', actor);
      if (accessProblem) throw new ToolError(accessProblem.code, accessProblem.message);
      const { count } = await call(clientsApi.count, filters);
      const query = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, value === undefined ? value : String(value)]));
      return {
        clients: count,
        csv_link: link(EXPORT_TABLE_PATH, { ...query, format: 'csv' }),
        xlsx_link: link(EXPORT_TABLE_PATH, { ...query, format: 'xlsx' }),
        next_step: 'Ask the user to open a link in the browser where they are logged in.',
      };
    },
  }),
  defineTool({
    name: 'open_in_portal',
    title: 'Get a link to approve, send, file or pay',
    description:
      'Only a logged-in user can approve proposals, send messages, file returns and pay; tools can’t. This returns the link to the right page, for one client if given.',
    scopes: ['clients.read'],
    annotations: READ_ANNOTATIONS,
    input: z.object({ action: z.enum(['approve', 'send', 'file', 'pay']), client_id: z.optional(idScalar) }),
    data: z.object(handOffFields),
    run: openInPortal,
  }),
];

type Action = { readonly action: 'approve' | 'send' | 'file' | 'pay'; readonly client_id?: string | undefined };

async function openInPortal(context: ToolContext, { action, client_id }: Action): Promise<{ link: string; next_step: string }> {
  // Checks that the user may see the client.
  if (client_id !== undefined) await context.call(clientsApi.find, { client_id });
  const clientPage = client_id === undefined ? undefined : context.link(PAGES.clientDashboard.path, { client_id });
  switch (action) {
    case 'approve':
      return { link: getDraftsLink(context), next_step: 'The user reads each draft and approves, edits or rejects it.' };
    case 'send':
      return {
        link: clientPage ?? context.link(PAGES.practiceMessages.path),
        next_step: 'The user checks the recipients and the text, then sends it.',
      };
    case 'file':
      return {
        link: client_id === undefined ? context.link(PAGES.practiceVatReturns.path) : await getReturnLink(context, client_id),
        next_step: 'The user checks the figures and the client’s approval, then files the return with HMRC.',
      };
    case 'pay':
      return {
        link: clientPage ?? context.link(PAGES.practiceClients.path, { has: 'owed' }),
        next_step: 'The page shows what is owed and when it’s due. The client pays HMRC; the portal doesn’t make the payment.',
      };
  }
}

/** Links to the client's earliest unfiled VAT return, or to the client's page if there is none. */
async function getReturnLink({ call, link }: ToolContext, client_id: string): Promise<string> {
  const { returns } = await call(clientReturnsApi.list, { client_id });
  const next = returns.filter(({ status }) => status === 'open').toSorted((a, b) => (a.due_on < b.due_on ? -1 : 1))[0];
  if (!next) return link(PAGES.clientDashboard.path, { client_id });
  return link(PAGES.clientVatReturn.path, { client_id, obligation_id: next.obligation_id });
}
