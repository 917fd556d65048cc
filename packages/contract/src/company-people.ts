/** The people of a trader's company: its owners, bookkeepers, accountant and viewers (docs/decisions/0066-people-of-a-company.md). */
import { COMPANY_PERMISSIONS } from '@portal/domain/company-people/company-access.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, emailScalar, idScalar, instantScalar } from './scalars.ts';

/** Role names in this API. */
export const COMPANY_WIRE_ROLES = ['owner', 'bookkeeper', 'accountant', 'viewer'] as const;
export type CompanyWireRole = (typeof COMPANY_WIRE_ROLES)[number];

const role = z.enum(COMPANY_WIRE_ROLES, 'Choose a role');
const permissions = z.array(z.enum(COMPANY_PERMISSIONS)).check(z.maxLength(COMPANY_PERMISSIONS.length));
const accessFields = { role, permissions: z.optional(permissions) };
const personInput = z.extend(companyInput, { user_id: idScalar });
const invitationInput = z.extend(companyInput, { invitation_id: idScalar });

const person = z.object({
  user_id: idScalar,
  full_name: z.string(),
  email: z.string(),
  role,
  permissions,
  is_you: z.boolean(),
  joined_at: instantScalar,
});
export type CompanyPerson = z.output<typeof person>;

const invitation = z.object({
  invitation_id: idScalar,
  email: z.string(),
  role,
  permissions,
  sent_at: instantScalar,
  /** When the link expires or expired. Sending the invitation again creates a new link. */
  expires_at: instantScalar,
});
export type CompanyInvitation = z.output<typeof invitation>;

export const companyPeopleApi = {
  list: endpoint({
    method: 'GET',
    path: '/instant-vat/people',
    access: 'company.read',
    summary: 'List the company’s users and its open invitations. Only owners see invitations.',
    input: companyInput,
    output: z.object({ people: z.array(person), invitations: z.array(invitation) }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/instant-vat/people/invite',
    access: 'company.people',
    summary: 'Invite someone by email',
    input: z.extend(companyInput, { email: emailScalar, ...accessFields }),
    output: z.object({ invitation_id: idScalar }),
    maxPerPerson: 20,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/instant-vat/people/invitation/resend',
    access: 'company.people',
    summary: 'Resend an open or expired invitation. The earlier link stops working.',
    input: invitationInput,
    output: doneOutput,
    maxPerPerson: 20,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/instant-vat/people/invitation/revoke',
    access: 'company.people',
    summary: 'Revoke an invitation that hasn’t been accepted',
    input: invitationInput,
    output: doneOutput,
  }),
  change: endpoint({
    method: 'POST',
    path: '/instant-vat/people/change',
    access: 'company.people',
    summary: 'Set a user’s role and permissions. The last owner must remain an owner.',
    input: z.extend(personInput, accessFields),
    output: doneOutput,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/instant-vat/people/remove',
    access: 'company.people',
    summary: 'End a user’s access to the company',
    input: personInput,
    output: doneOutput,
  }),
  leave: endpoint({
    method: 'POST',
    path: '/instant-vat/people/leave',
    access: 'company.leave',
    summary: 'End your own access to the company. The last owner can’t leave.',
    input: z.extend(companyInput, { confirmed: z.literal(true, 'Confirm that you want to leave') }),
    output: doneOutput,
  }),
};
