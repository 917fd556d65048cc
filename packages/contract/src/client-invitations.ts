/**
 * Invitations of a client's users to the client portal (docs/product/specification.md section 7.3, docs/decisions/0051-clients-portal.md),
 * for the practice and for the person with the link.
 */
import { INVITATION_STATES } from '@portal/domain/clients/invitation-state.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { brand } from './practice-brand.ts';
import { taxScalar } from './practice.ts';
import { companyInput, createNameScalar, doneOutput, emailScalar, idScalar, instantScalar } from './scalars.ts';
import { loginOutput, newPassword } from './sign-in-schemas.ts';

const clientInput = z.extend(companyInput, { client_id: idScalar });
const invitationInput = z.extend(clientInput, { invitation_id: idScalar });
const tokenInput = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

const invitationState = z.enum(INVITATION_STATES);

const invitation = z.object({
  invitation_id: idScalar,
  email: z.string(),
  state: invitationState,
  invited_by: z.string(),
  /** When the latest email was queued; null for a draft. */
  sent_at: z.nullable(instantScalar),
  opened_at: z.nullable(instantScalar),
  /** When the link expires. */
  expires_at: z.nullable(instantScalar),
  /** The number of reminders since someone last sent the invitation. */
  reminders: z.int(),
  reminders_ended: z.boolean(),
});
export type ClientInvitation = z.output<typeof invitation>;

const person = z.object({ user_id: idScalar, full_name: z.string(), email: z.string(), joined_at: instantScalar });
export type ClientPerson = z.output<typeof person>;

/** The maximum number of emails that one colleague may send in 15 minutes. */
const MAX_INVITED_EMAILS = 120;

export const clientInvitationsApi = {
  read: endpoint({
    method: 'GET',
    path: '/client-onboarding/invite',
    access: 'client.read',
    summary: 'List who has access to the client portal for a client, and its invitations, newest first',
    input: clientInput,
    output: z.object({
      client_id: idScalar,
      /** The state of the latest invitation; null if no one has been invited. */
      status: z.nullable(invitationState),
      people: z.array(person),
      invitations: z.array(invitation),
      /** Email addresses of the client and its contacts that haven't been invited yet. */
      suggestions: z.array(z.object({ email: z.string(), name: z.string() })),
      /** Whether the user may invite people. */
      may_invite: z.boolean(),
    }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/client-onboarding/invite',
    access: 'client.invite',
    summary:
      'Invite someone at a client to the client portal by email. If this email address already has an open invitation, no new one is sent.',
    input: z.extend(clientInput, {
      email: emailScalar,
      /** Also sends the letter of engagement, for the person to sign. */
      with_letter: z._default(z.boolean(), false),
    }),
    output: z.object({ outcome: z.enum(['invited', 'already_invited', 'has_access']) }),
    maxPerPerson: MAX_INVITED_EMAILS,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/client-onboarding/invite/resend',
    access: 'client.invite',
    summary: 'Resend an invitation, to the same or another email address. The earlier link stops working.',
    input: z.extend(invitationInput, { email: z.optional(emailScalar) }),
    output: doneOutput,
    maxPerPerson: MAX_INVITED_EMAILS,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/client-onboarding/invite/revoke',
    access: 'client.invite',
    summary: 'Revoke an invitation. Its link stops working.',
    input: invitationInput,
    output: doneOutput,
  }),
  removePerson: endpoint({
    method: 'POST',
    path: '/client-onboarding/people/remove',
    access: 'client.invite',
    summary: 'End someone’s access to a client, and revoke their open invitations to it',
    input: z.extend(clientInput, { user_id: idScalar }),
    output: doneOutput,
  }),
  preview: endpoint({
    method: 'GET',
    path: '/client-invitation',
    access: 'public',
    hasEffect: true,
    summary: 'Get an invitation by its link. Records that it was opened, but doesn’t use it up.',
    input: tokenInput,
    output: z.object({
      practice: z.string(),
      /** The practice’s logo and colour. */
      brand,
      client: z.string(),
      email: z.string(),
      invited_by: z.string(),
      has_account: z.boolean(),
      expires_at: instantScalar,
      reminders_ended: z.boolean(),
      /** What the person must provide after joining, besides their contact details and consent. */
      asks: z.object({ letter: z.boolean(), authority: z.array(taxScalar) }),
    }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/client-invitation/accept',
    access: 'public',
    summary:
      'Accept an invitation while logged in with the invited email address. If that email address has no account, create one and log in.',
    input: z.extend(tokenInput, {
      /** Required for a new account. */
      full_name: z.optional(createNameScalar('your full name')),
      password: z.optional(newPassword),
    }),
    output: loginOutput,
  }),
  stopReminders: endpoint({
    method: 'POST',
    path: '/client-invitation/stop-reminders',
    access: 'public',
    summary: 'Stop reminders about an invitation. Its link keeps working.',
    input: tokenInput,
    output: doneOutput,
  }),
};
