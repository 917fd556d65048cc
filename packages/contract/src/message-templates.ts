/** A practice's own message templates. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { messageContent } from './messages.ts';
import { companyInput, createNameScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

const template = z.object({
  template_id: idScalar,
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  version: z.int(),
  updated_at: instantScalar,
  updated_by: z.string(),
});
export type OwnMessageTemplate = z.output<typeof template>;

export const messageTemplatesApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/message-templates',
    access: 'practice.messages',
    summary: 'List the practice’s own message templates, by name',
    input: companyInput,
    output: z.object({ templates: z.array(template) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/open-tax/message-templates/save',
    access: 'practice.messages',
    summary: 'Create a template with an ID that the caller chooses, or update the version that the caller last read',
    input: z.extend(companyInput, {
      template_id: idScalar,
      /** The version that the user last saw; 0 for a new template. */
      version: z.int().check(z.minimum(0)),
      name: createNameScalar('a name'),
      ...messageContent,
    }),
    output: doneOutput,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/open-tax/message-templates/remove',
    access: 'practice.messages',
    summary: 'Delete a template. Messages created from it aren’t affected.',
    input: z.extend(companyInput, { template_id: idScalar }),
    output: doneOutput,
  }),
};
