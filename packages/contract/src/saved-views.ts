/** Saved views of the client list or the operators' desk: a user's own and those shared with colleagues. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, createNameScalar, doneOutput, idScalar } from './scalars.ts';

export const savedView = z.object({
  view_id: idScalar,
  name: z.string(),
  query: z.string(),
  is_shared: z.boolean(),
  is_yours: z.boolean(),
  made_by: z.string(),
});

const viewName = createNameScalar('a name for the view').check(z.maxLength(60, 'Use at most 60 characters'));

export const savedViewInput = z.object({
  name: viewName,
  /** Query string of the list's URL, without company_id. */
  query: z.string().check(z.maxLength(1000, 'This view has too many filters and columns to save. Remove some of them.')),
  is_shared: z._default(z.boolean(), false),
});

/**
 * A view of the client list. Even when shared, it lists only the clients that each user may see. `may_remove`: true for its author and, if
 * it is shared, for an admin.
 */
const clientView = z.extend(savedView, { may_remove: z.boolean() });

/** Endpoints of the client list's saved views, added to those of the list. */
export const savedViewEndpoints = {
  savedViews: endpoint({
    method: 'GET',
    path: '/open-tax/saved-views',
    access: 'practice.read',
    summary: 'List the user’s own saved views and those shared with the practice, by name',
    input: companyInput,
    output: z.object({ views: z.array(clientView) }),
  }),
  saveView: endpoint({
    method: 'POST',
    path: '/open-tax/saved-views',
    access: 'practice.read',
    summary: 'Save the list’s filters, sort order and columns under a name. Replaces an existing view of the same name.',
    input: z.extend(companyInput, savedViewInput.shape),
    output: clientView,
  }),
  changeView: endpoint({
    method: 'POST',
    path: '/open-tax/saved-views/change',
    access: 'practice.read',
    summary: 'Rename, share or unshare one of the user’s own saved views. Its filters, sort order and columns don’t change.',
    input: z.extend(companyInput, { view_id: idScalar, name: viewName, is_shared: z.boolean() }),
    output: clientView,
  }),
  removeView: endpoint({
    method: 'POST',
    path: '/open-tax/saved-views/remove',
    access: 'practice.read',
    summary: 'Delete one of the user’s own saved views. An admin can delete any shared view.',
    input: z.extend(companyInput, { view_id: idScalar }),
    output: doneOutput,
  }),
};
