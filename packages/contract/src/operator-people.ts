/** Our own staff: who may use the operators' pages, and in which roles. */
import { OPERATOR_ROLES } from '@portal/domain/identity/operator-roles.ts';
import { z } from 'zod/mini';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { accountNumberScalar, createNameScalar, doneOutput, emailScalar, idScalar, instantScalar, sortCodeScalar } from './scalars.ts';

const rolesScalar = z.array(z.enum(OPERATOR_ROLES)).check(z.minLength(1, 'Choose at least one role'), z.maxLength(OPERATOR_ROLES.length));
const personInput = z.object({ user_id: idScalar });
const reasonScalar = z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters'));

export const operatorPeopleApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/people',
    access: 'operator',
    summary: 'List operators with their roles, status and sessions',
    input: z.object({}),
    output: z.object({
      people: z.array(
        z.object({
          user_id: idScalar,
          full_name: z.string(),
          email: z.string(),
          roles: z.array(z.enum(OPERATOR_ROLES)),
          /** `invited`: hasn't yet used the enrolment link and set up a second factor. */
          status: z.enum(['invited', 'active', 'disabled']),
          /** Null if the person was added with `npm run operator`. */
          invited_by: z.nullable(z.string()),
          invited_at: instantScalar,
          enrolled_at: z.nullable(instantScalar),
          disabled_at: z.nullable(instantScalar),
          sessions: z.int(),
          last_seen_at: z.nullable(instantScalar),
        }),
      ),
    }),
  }),
  invite: endpoint({
    method: 'POST',
    path: '/operator/people/invite',
    access: 'operator.manage',
    summary:
      'Ask to invite an operator. Once another administrator approves, the enrolment link is emailed; it works once and lasts a day.',
    input: z.object({
      email: emailScalar,
      full_name: createNameScalar('their full name'),
      roles: rolesScalar,
      /** The operator also has no access to companies whose people have this address. */
      private_email: z.optional(emailScalar),
      reason: reasonScalar,
    }),
    output: requestedOutput,
  }),
  changeRoles: endpoint({
    method: 'POST',
    path: '/operator/people/roles',
    access: 'operator.manage',
    summary:
      'Ask to change an operator’s roles, which another administrator approves. No one asks for or approves their own, and one administrator stays.',
    input: z.extend(personInput, { roles: rolesScalar, reason: reasonScalar }),
    output: requestedOutput,
  }),
  disable: endpoint({
    method: 'POST',
    path: '/operator/people/disable',
    access: 'operator.manage',
    summary: 'Disable an operator and end their sessions. No one disables themselves, and one administrator stays.',
    input: personInput,
    output: doneOutput,
  }),
  renewLink: endpoint({
    method: 'POST',
    path: '/operator/people/link',
    access: 'operator.manage',
    summary:
      'Ask to email a new enrolment link. Once another administrator approves, it removes the operator’s second factors, ends their sessions and enables a disabled one.',
    input: z.extend(personInput, { reason: reasonScalar }),
    output: requestedOutput,
  }),
  listOwnAccounts: endpoint({
    method: 'GET',
    path: '/operator/people/own-accounts',
    access: 'operator',
    needsFreshFactor: true,
    summary: 'List the private bank accounts that the signed-in operator has recorded',
    input: z.object({}),
    output: z.object({ accounts: z.array(z.object({ account_id: idScalar, account_end: z.string(), recorded_at: instantScalar })) }),
  }),
  recordOwnAccount: endpoint({
    method: 'POST',
    path: '/operator/people/own-accounts',
    access: 'operator',
    summary:
      'Record a private bank account of the signed-in operator. Companies that have it are closed to them. Repeating it changes nothing, and it stays.',
    input: z.object({ sort_code: sortCodeScalar, account_number: accountNumberScalar }),
    output: doneOutput,
  }),
  endSessions: endpoint({
    method: 'POST',
    path: '/operator/people/end-sessions',
    access: 'operator.manage',
    summary: 'End all sessions of an operator',
    input: personInput,
    output: doneOutput,
  }),
};
