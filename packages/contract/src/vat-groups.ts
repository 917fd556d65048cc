/** VAT groups of a practice's clients (domain/clients/vat-group.ts). */
import { VAT_GROUP_ROLES } from '@portal/domain/clients/vat-group.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, idScalar } from './scalars.ts';

const groupClient = z.object({ client_id: idScalar, name: z.string() });

/** A client's VAT group. The representative member is who has the group's number; it files and pays for all. */
export const vatGroup = z.object({
  role: z.enum(VAT_GROUP_ROLES),
  /** The group's VAT number; null if it isn't known. */
  vrn: z.nullable(z.string()),
  /** The representative member, for a member. Null if it isn't a client of the practice, or not one that this user can see. */
  representative: z.nullable(groupClient),
  /** The other members, for the representative member, by name. Only those that this user can see. */
  members: z.array(groupClient),
});
export type VatGroup = z.output<typeof vatGroup>;

export const vatGroupsApi = {
  set: endpoint({
    method: 'POST',
    path: '/open-tax/client-companies/vat-group',
    access: 'practice.manage',
    summary:
      'Record that a client is the representative member of a VAT group, another member of one, or in none. A member has no VAT and no VAT number of its own, and gets them back when it’s in none. If a member becomes the representative member, the group’s number moves to it.',
    input: z.extend(companyInput, {
      client_id: idScalar,
      role: z.enum([...VAT_GROUP_ROLES, 'none']),
      /** For a member, the client that is the representative member. */
      representative_id: z.optional(idScalar),
      /** For a member whose representative member isn't a client, the group's VAT number. Empty if it isn't known. */
      group_vrn: z._default(z.string().check(z.trim(), z.maxLength(40, 'Use at most 40 characters')), ''),
    }),
    output: doneOutput,
  }),
};
