/** A practice's team: members, invitations and roles (docs/product/specification.md section 7.4, docs/decisions/0049-team.md). */
import { MAX_INVITATIONS } from '@portal/domain/team/invited-addresses.ts';
import { MAX_GROUP_LENGTH, MAX_GROUPS } from '@portal/domain/team/labels.ts';
import { PERMISSIONS } from '@portal/domain/team/permissions.ts';
import { z } from 'zod/mini';
import { clientStatus, duty } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { permissionScalar, practiceRoleScalar, taxScalar } from './practice.ts';
import { companyInput, createNameScalar, dateScalar, doneOutput, emailScalar, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** `closed`: the user closed their own account, so they can return only by accepting an invitation with a new account. */
export const MEMBER_STATUSES = ['active', 'invited', 'deactivated', 'closed'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

const permissions = z.array(permissionScalar).check(z.maxLength(PERMISSIONS.length));
const groups = z
  .array(z.string().check(z.maxLength(MAX_GROUP_LENGTH, `Use at most ${MAX_GROUP_LENGTH} characters for a group name`)))
  .check(z.maxLength(MAX_GROUPS, `Add at most ${MAX_GROUPS} groups`));

/** The access that an invitation or a member has. An admin has every permission; a custom role's permissions replace `permissions`. */
const accessFields = {
  role: practiceRoleScalar,
  team_role_id: z.optional(z.nullable(idScalar)),
  permissions: z.optional(permissions),
  groups: z.optional(groups),
};

const memberInput = z.extend(companyInput, { user_id: idScalar });
const invitationInput = z.extend(companyInput, { invitation_id: idScalar });

const member = z.object({
  /** Null for an invitation. */
  user_id: z.nullable(idScalar),
  /** Null unless invited. */
  invitation_id: z.nullable(idScalar),
  /** Empty for an invitation. */
  full_name: z.string(),
  email: z.string(),
  status: z.enum(MEMBER_STATUSES),
  role: practiceRoleScalar,
  /** The custom role of a team member. */
  team_role: z.nullable(z.object({ team_role_id: idScalar, name: z.string() })),
  permissions,
  groups: z.array(z.string()),
  is_owner: z.boolean(),
  is_you: z.boolean(),
  /** The number of assigned clients that the user may see. */
  clients: z.int(),
  /** When the member joined, was invited or left, depending on their status. */
  since: instantScalar,
  /** When the invitation's link expires. */
  expires_at: z.nullable(instantScalar),
  /** Null if the member has never been seen, or if the user isn't an admin. */
  last_seen_at: z.nullable(instantScalar),
});
export type TeamMember = z.output<typeof member>;

const teamRole = z.object({ team_role_id: idScalar, name: z.string(), permissions, members: z.int() });
export type TeamRole = z.output<typeof teamRole>;

/** `null`: no successor for now. */
const successor = z.optional(z.nullable(idScalar));
const sharers = z.optional(
  z.array(idScalar).check(z.minLength(2, 'Choose at least two people'), z.maxLength(50, 'Choose at most 50 people')),
);
const MAX_EXCEPTIONS = 1000;

/** Who takes over from a leaver: one or more successors for each duty with clients, with exceptions for individual clients. */
const handOverFields = {
  successors: z.object({ manager: successor, vat: successor, payroll: successor, deputy: successor }),
  shared: z.optional(z.object({ manager: sharers, vat: sharers, payroll: sharers, deputy: sharers })),
  exceptions: z.optional(
    z
      .array(z.object({ client_id: idScalar, duty, user_id: z.nullable(idScalar) }))
      .check(z.maxLength(MAX_EXCEPTIONS, `Choose someone else for at most ${MAX_EXCEPTIONS.toLocaleString('en-GB')} clients`)),
  ),
};

const inviteOutcome = z.enum(['invited', 'already_invited', 'member', 'deactivated']);

export const teamApi = {
  list: endpoint({
    method: 'GET',
    path: '/open-tax/team-members',
    access: 'practice.read',
    summary: 'List a practice’s team members. Only admins see invitations and people who have left.',
    input: z.extend(companyInput, {
      /** Matches part of the name or email address. */
      full_name: z.optional(z.string().check(z.maxLength(160))),
      /** `true`: members with access now. `false`: invited or deactivated members. Defaults to all. */
      is_active: z.optional(z.enum(['true', 'false'])),
      group: z.optional(z.string().check(z.maxLength(MAX_GROUP_LENGTH))),
    }),
    output: z.object({
      team_members: z.array(member),
      /** All groups of the practice, sorted by name. */
      groups: z.array(z.string()),
    }),
  }),
  clients: endpoint({
    method: 'GET',
    path: '/open-tax/team-member-clients',
    access: 'practice.read',
    summary: 'List the clients assigned to a team member, by default the user, with their duties, one page at a time by name',
    input: z.extend(companyInput, {
      user_id: z.optional(idScalar),
      cursor: z.optional(z.string().check(z.maxLength(500))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200, 'Request at most 200 clients')), 50),
    }),
    output: z.object({
      clients: z.array(
        z.object({
          client_id: idScalar,
          name: z.string(),
          status: clientStatus,
          duties: z.array(duty),
          next_due_on: z.nullable(dateScalar),
          next_due_tax: z.nullable(taxScalar),
          overdue_pence: penceScalar,
        }),
      ),
      count: z.int(),
      next_cursor: z.nullable(z.string()),
    }),
  }),
  ofClient: endpoint({
    method: 'GET',
    path: '/open-tax/selected-client-team-members',
    access: 'client.read',
    summary: 'List the team members assigned to a client, with their duties',
    input: z.extend(companyInput, { client_id: idScalar }),
    output: z.object({
      team_members: z.array(
        z.object({ user_id: idScalar, full_name: z.string(), email: z.string(), role: practiceRoleScalar, duties: z.array(duty) }),
      ),
    }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/invite',
    access: 'practice.team',
    summary: 'Invite people by email. Email addresses that belong to team members or have open invitations are ignored.',
    input: z.extend(companyInput, {
      emails: z
        .array(emailScalar)
        .check(z.minLength(1, 'Enter an email address'), z.maxLength(MAX_INVITATIONS, `Invite at most ${MAX_INVITATIONS} people at once`)),
      ...accessFields,
    }),
    output: z.object({ results: z.array(z.object({ email: z.string(), outcome: inviteOutcome })) }),
    maxPerPerson: 20,
  }),
  resend: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/invitation/resend',
    access: 'practice.team',
    summary: 'Resend an open or expired invitation. The earlier link stops working.',
    input: invitationInput,
    output: doneOutput,
    maxPerPerson: 60,
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/invitation/revoke',
    access: 'practice.team',
    summary: 'Revoke an invitation that hasn’t been accepted',
    input: invitationInput,
    output: doneOutput,
  }),
  change: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/change',
    access: 'practice.team',
    summary: 'Set a team member’s role, permissions and groups. The owner must remain an admin.',
    input: z.extend(memberInput, accessFields),
    output: doneOutput,
  }),
  duties: endpoint({
    method: 'GET',
    path: '/open-tax/team-members/duties',
    access: 'practice.team',
    summary: 'Count a team member’s clients for each duty, before reassigning them',
    input: memberInput,
    output: z.object({ clients: z.int(), duties: z.array(z.object({ duty, clients: z.int() })), sessions: z.int() }),
  }),
  previewHandOver: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/deactivate/preview',
    access: 'practice.team',
    summary: 'Show who would take over each client of a leaver. Changes nothing.',
    input: z.extend(memberInput, { ...handOverFields, q: z.optional(z.string().check(z.trim(), z.maxLength(100))) }),
    output: z.object({
      /** The number of clients for each duty and person. */
      counts: z.array(z.object({ duty, user_id: z.nullable(idScalar), clients: z.int() })),
      /** Sorted by client name: the first 100 whose name contains `q`. */
      rows: z.array(z.object({ client_id: idScalar, name: z.string(), duty, user_id: z.nullable(idScalar) })),
      rows_total: z.int(),
      /** Identifies the plan that says who takes over what. */
      plan: z.string(),
    }),
    runsOneAtATime: true,
  }),
  deactivate: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/deactivate',
    access: 'practice.team',
    summary: 'End a team member’s access and sessions. Each client and duty is reassigned to the given member, or unassigned if null.',
    input: z.extend(memberInput, {
      ...handOverFields,
      /**
       * The plan from the preview, required with `shared` or `exceptions`. If the plan is different now, nothing changes (409
       * `team.hand_over_changed`).
       */
      plan: z.optional(z.string().check(z.maxLength(64))),
    }),
    /** Clients whose duties moved, and clients left without a responsible member. */
    output: z.object({ handed_over: z.int(), left_open: z.int() }),
    runsOneAtATime: true,
  }),
  reactivate: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/reactivate',
    access: 'practice.team',
    summary: 'Restore a former team member’s access and role. Their clients stay with the team members who took over.',
    input: memberInput,
    output: doneOutput,
  }),
  endSessions: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/end-sessions',
    access: 'practice.team',
    summary: 'Log a member out everywhere',
    input: memberInput,
    output: doneOutput,
    maxPerPerson: 20,
  }),
  transferOwnership: endpoint({
    method: 'POST',
    path: '/open-tax/team-members/transfer-ownership',
    access: 'practice.team',
    summary: 'Make another admin the owner. Only the owner can do this.',
    input: memberInput,
    output: doneOutput,
  }),
  accessReport: endpoint({
    method: 'GET',
    path: '/open-tax/team-members/access-report',
    access: 'practice.team',
    summary: 'Report what a current or former team member could see and has done, from the audit trail',
    input: memberInput,
    output: z.object({
      full_name: z.string(),
      email: z.string(),
      status: z.enum(['active', 'deactivated']),
      role: practiceRoleScalar,
      permissions,
      joined_at: instantScalar,
      left_at: z.nullable(instantScalar),
      /** True for a current or former admin, who saw every client. Otherwise, `clients` lists the clients ever assigned to the member. */
      saw_all_clients: z.boolean(),
      clients: z.array(
        z.object({ client_id: idScalar, name: z.nullable(z.string()), from: instantScalar, until: z.nullable(instantScalar) }),
      ),
      clients_total: z.int(),
      actions: z.array(z.object({ action: z.string(), count: z.int(), last_at: instantScalar })),
      /**
       * The newest entries, at most 200. `client`: the client that the entry was about; null if it wasn't about a client, or if the client
       * was removed.
       */
      entries: z.array(
        z.object({ at: instantScalar, action: z.string(), subject: z.string(), client: z.nullable(z.string()), ip: z.string() }),
      ),
      entries_total: z.int(),
    }),
  }),
  roles: endpoint({
    method: 'GET',
    path: '/open-tax/team-roles',
    access: 'practice.read',
    summary: 'List the practice’s custom roles',
    input: companyInput,
    output: z.object({ roles: z.array(teamRole) }),
  }),
  saveRole: endpoint({
    method: 'POST',
    path: '/open-tax/team-roles',
    access: 'practice.team',
    summary: 'Create or change a custom role. Its members get the new permissions immediately.',
    input: z.extend(companyInput, { team_role_id: z.optional(idScalar), name: createNameScalar('a name for the role'), permissions }),
    output: z.object({ team_role_id: idScalar }),
  }),
  removeRole: endpoint({
    method: 'POST',
    path: '/open-tax/team-roles/remove',
    access: 'practice.team',
    summary: 'Remove a custom role that isn’t assigned to anyone',
    input: z.extend(companyInput, { team_role_id: idScalar }),
    output: doneOutput,
  }),
};
