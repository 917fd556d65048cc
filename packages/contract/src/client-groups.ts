/**
 * Groups of a practice's clients, such as families or companies under one owner, with their combined totals. A client belongs to at most
 * one group.
 */
import { MAX_CLIENT_GROUP_NAME_LENGTH } from '@portal/domain/clients/client-group.ts';
import { z } from 'zod/mini';
import { clientSelection, isSingleSelection, SINGLE_SELECTION_ERROR } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { clientAmounts } from './figures.ts';
import { companyInput, createNameScalar, dateScalar, doneOutput, idScalar } from './scalars.ts';

/**
 * A group as the user sees it: a team member's totals cover only the clients assigned to them. Amounts and the next due item cover the
 * active clients and are summed from the rows of the client list, so that they match the list's sums.
 */
const clientGroup = z.object({
  group_id: idScalar,
  name: z.string(),
  /** The number of clients of any status and, below, of those that are neither inactive nor closed. */
  clients: z.int(),
  active_clients: z.int(),
  ...clientAmounts,
  /** Active clients with a tax that has never been read. If there are any, the amounts are "at least". */
  incomplete_clients: z.int(),
  /** The client that the next due item belongs to. */
  next_due_client: z.nullable(z.object({ client_id: idScalar, name: z.string() })),
});
export type ClientGroup = z.output<typeof clientGroup>;

const name = createNameScalar('a name for the group').check(
  z.maxLength(MAX_CLIENT_GROUP_NAME_LENGTH, `Enter a name of at most ${MAX_CLIENT_GROUP_NAME_LENGTH} characters`),
);
const groupInput = z.extend(companyInput, { group_id: idScalar });
const selectedClients = z.extend(groupInput, clientSelection);

/** Whether clients may leave their current group. If not, nothing changes, and the error names one client that already has a group. */
const movesClients = z._default(z.boolean(), false);

const changedCounts = z.object({ changed: z.int(), unchanged: z.int(), not_found: z.int() });

export const clientGroupsApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/client-groups',
    access: 'practice.read',
    summary: 'List client groups by name, with totals. A team member sees only groups that contain a client assigned to them.',
    input: companyInput,
    output: z.object({ groups: z.array(clientGroup), today: dateScalar }),
  }),
  find: endpoint({
    method: 'GET',
    path: '/open-tax/client-group',
    access: 'practice.read',
    summary: 'Get a client group with its totals. To list its clients, filter the client list by group.',
    input: groupInput,
    output: z.object({ group: clientGroup, today: dateScalar }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/open-tax/client-groups',
    access: 'practice.manage',
    summary: 'Create a group, empty or with clients',
    input: z
      .extend(companyInput, { name, ...clientSelection, move: movesClients })
      .check(z.refine((input) => isSingleSelection(input) || (!input.client_ids && !input.matching), SINGLE_SELECTION_ERROR)),
    output: z.object({ group_id: idScalar, counts: changedCounts }),
  }),
  rename: endpoint({
    method: 'POST',
    path: '/open-tax/client-groups/rename',
    access: 'practice.manage',
    summary: 'Rename a client group',
    input: z.extend(groupInput, { name }),
    output: doneOutput,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/open-tax/client-groups/delete',
    access: 'practice.manage',
    summary: 'Delete a group. Its clients are kept and become ungrouped.',
    input: groupInput,
    output: doneOutput,
  }),
  addClients: endpoint({
    method: 'POST',
    path: '/open-tax/client-groups/add-clients',
    access: 'practice.manage',
    summary:
      'Add selected clients, or all that match a filter, to a group. Without `move`, returns 409 client_group.in_another for clients that are already in a group.',
    input: z.extend(selectedClients, { move: movesClients }).check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({ counts: changedCounts }),
  }),
  removeClients: endpoint({
    method: 'POST',
    path: '/open-tax/client-groups/remove-clients',
    access: 'practice.manage',
    summary: 'Remove selected clients, or all that match a filter, from a group',
    input: selectedClients.check(z.refine(isSingleSelection, SINGLE_SELECTION_ERROR)),
    output: z.object({ counts: changedCounts }),
  }),
};
