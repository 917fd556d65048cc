/**
 * The permission table shown in the settings (docs/product/decisions.md section 3). A practice's rows come from practice-rights.ts, which
 * the server enforces. A test compares all rows with the server's policies.
 */
import { PERMISSION_NAMES } from '@portal/domain/team/permissions.ts';
import type { Access } from './endpoint.ts';
import { hasPracticeRight, PRACTICE_RIGHTS, type PracticeAccess } from './practice-rights.ts';

export const MATRIX_ROLES = ['visitor', 'trader_owner', 'practice_admin', 'team_member', 'client', 'operator'] as const;
export type MatrixRole = (typeof MATRIX_ROLES)[number];

/** `assigned`: only assigned clients. `read`: can see but not change. `permission`: an admin can grant it to a team member. */
export type MatrixCell = 'yes' | 'no' | 'assigned' | 'read' | 'permission' | 'propose' | 'accept' | 'approve';

export type MatrixRow = {
  readonly what: string;
  readonly cells: Readonly<Record<MatrixRole, MatrixCell>>;
  /** Access rules of the endpoints behind the row; empty if no endpoints exist yet. */
  readonly access: readonly Access[];
};

const NO_ACCESS = { visitor: 'no', trader_owner: 'no', practice_admin: 'no', team_member: 'no', client: 'no', operator: 'no' } as const;

/** The rows, one per right, in the order of docs/product/decisions.md section 3. */
export const ROLES_MATRIX: readonly MatrixRow[] = [
  {
    what: 'Public pages, demo and sign-up',
    cells: { visitor: 'yes', trader_owner: 'yes', practice_admin: 'yes', team_member: 'yes', client: 'yes', operator: 'yes' },
    access: ['public'],
  },
  {
    what: 'Own company: view returns, advance, bank details and profile',
    cells: { ...NO_ACCESS, trader_owner: 'yes', operator: 'read' },
    access: ['company.read'],
  },
  {
    what: 'Own company: make changes, file returns, accept offers and invite people',
    cells: { ...NO_ACCESS, trader_owner: 'yes' },
    access: [
      'company.prepare',
      'company.manage',
      'company.file_return',
      'company.accept_advance',
      'company.people',
      'company.leave',
      'company.api',
    ],
  },
  createPracticeRow(
    'The practice’s clients: view and work on them, prepare their VAT returns',
    ['practice.read', 'practice.work', 'client.read', 'client.work'],
    'assigned',
  ),
  {
    what: 'A client’s profile, figures and HMRC authorisations: view',
    cells: { ...NO_ACCESS, practice_admin: 'yes', team_member: 'assigned', client: 'yes' },
    access: ['client.figures', 'client.companies'],
  },
  {
    what: 'A client’s files, requests and messages: read and send',
    cells: { ...NO_ACCESS, practice_admin: 'yes', team_member: 'assigned', client: 'yes' },
    access: ['client.papers'],
  },
  createPracticeRow(PERMISSION_NAMES.invite_clients, ['client.invite', 'practice.invitations']),
  createPracticeRow(PERMISSION_NAMES.export, ['practice.export']),
  createPracticeRow(PERMISSION_NAMES.message_clients, ['practice.messages']),
  createPracticeRow(PERMISSION_NAMES.manage_connections, ['practice.connections', 'client.connections']),
  createPracticeRow('The practice: details, adding, importing and assigning clients', ['practice.manage', 'practice.clients']),
  createPracticeRow('Team: invite, roles, permissions, deactivate', ['practice.team']),
  createPracticeRow('API keys and webhooks: create, change and remove', ['practice.api']),
  {
    what: 'Prepare a client’s VAT return',
    cells: { ...NO_ACCESS, practice_admin: 'yes', team_member: 'assigned' },
    access: [],
  },
  {
    what: 'File a client’s return',
    cells: { ...NO_ACCESS, practice_admin: 'permission', team_member: 'permission', client: 'approve' },
    access: [],
  },
  createPracticeRow(PERMISSION_NAMES.file_returns, ['client.file_return']),
  createPracticeRow('Record that a client approved a return outside the portal', ['client.manage']),
  {
    what: 'Advance on a client’s refund: propose (only the client’s own company accepts)',
    cells: { ...NO_ACCESS, practice_admin: 'propose', team_member: 'permission' },
    access: ['client.propose_advance'],
  },
  {
    what: 'Billing and the assistant’s mode',
    cells: { ...NO_ACCESS, practice_admin: 'yes' },
    access: [],
  },
  {
    what: 'Client portal: own taxes and payments, approving VAT returns, responding to proposed early refunds, notification preferences',
    cells: { ...NO_ACCESS, client: 'yes' },
    access: ['client.own'],
  },
  {
    what: 'Underwriting, releasing payouts (two people), ledger',
    cells: { ...NO_ACCESS, operator: 'yes' },
    access: ['operator', 'operator.underwrite', 'operator.release', 'operator.finance', 'operator.screen', 'operator.manage'],
  },
];

/** Creates a row for one of the practice's rights. `limited`: a team member's cell where access depends on the client. */
function createPracticeRow(
  ability: string,
  access: readonly [PracticeAccess, ...PracticeAccess[]],
  limited: MatrixCell = 'yes',
): MatrixRow {
  const [rule] = access;
  const member = hasPracticeRight(rule, 'team_member', []) ? limited : PRACTICE_RIGHTS[rule].permission === undefined ? 'no' : 'permission';
  return { what: ability, cells: { ...NO_ACCESS, practice_admin: 'yes', team_member: member }, access };
}
