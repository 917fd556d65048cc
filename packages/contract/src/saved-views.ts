/** Views of the client list that people keep: their own, and those shared with the practice. */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar, nameScalar } from './scalars.ts';

/** `is_shared`: everybody in the practice sees it; what it finds is still each one's own clients. `may_remove`: its maker, and of a shared one an admin. */
const savedView = z.object({
  view_id: idScalar,
  name: z.string(),
  query: z.string(),
  is_shared: z.boolean(),
  is_yours: z.boolean(),
  made_by: z.string(),
  may_remove: z.boolean(),
});

/** The calls of saved views, among those of the client list. */
export const savedViewCalls = {
  savedViews: endpoint({
    method: 'GET',
    path: '/open-tax/saved-views',
    access: 'practice.read',
    summary: "The signed-in person's own views of the list and those shared with the practice, by name.",
    input: companyInput,
    output: z.object({ views: z.array(savedView) }),
  }),
  saveView: endpoint({
    method: 'POST',
    path: '/open-tax/saved-views',
    access: 'practice.read',
    summary: 'Keeps the filters, order and columns of the list under a name; the same name again is the same view.',
    input: companyInput.extend({
      name: nameScalar('a name for the view').max(60, 'Use at most 60 characters'),
      /** The query of the list's address, without company_id. */
      query: z.string().max(1000, 'This view is too long to be kept'),
      is_shared: z.boolean().default(false),
    }),
    output: savedView,
  }),
  changeView: endpoint({
    method: 'POST',
    path: '/open-tax/saved-views/change',
    access: 'practice.read',
    summary: "Gives one of the signed-in person's own views another name, shares it or ends its sharing. What it keeps of the list stays.",
    input: companyInput.extend({
      view_id: idScalar,
      name: nameScalar('a name for the view').max(60, 'Use at most 60 characters'),
      is_shared: z.boolean(),
    }),
    output: savedView,
  }),
  removeView: endpoint({
    method: 'POST',
    path: '/open-tax/saved-views/remove',
    access: 'practice.read',
    summary: "Forgets one of the signed-in person's own views; an admin any shared one.",
    input: companyInput.extend({ view_id: idScalar }),
    output: doneOutput,
  }),
};
