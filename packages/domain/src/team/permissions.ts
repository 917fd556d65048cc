/**
 * A team member's permissions beyond the role. An admin has all of them. Each permission guards endpoints (contract/practice-rights.ts).
 */
export const PERMISSIONS = [
  'export',
  'message_clients',
  'manage_connections',
  'invite_clients',
  'file_returns',
  'propose_advances',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A new team member's permissions, unless an admin changes them. */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['export'];

/** Permission names used on screens and in emails. */
export const PERMISSION_NAMES: Readonly<Record<Permission, string>> = {
  export: 'Export clients',
  message_clients: 'Message clients',
  manage_connections: 'Manage connections',
  invite_clients: 'Invite clients',
  file_returns: 'File clients’ returns',
  propose_advances: 'Propose early refunds',
};

/** A one-sentence hint for each permission, shown next to its name. */
export const PERMISSION_HINTS: Readonly<Record<Permission, string>> = {
  export: 'Download the clients they can view as a file.',
  message_clients:
    'Send messages from the practice to the clients they can view. Add a message when sending figures to a client for approval.',
  manage_connections: 'Connect the practice to HMRC, its mailbox and clients’ bookkeeping software, and reconnect them.',
  invite_clients: 'Give people at the clients they can view access to the client portal, and end that access.',
  file_returns: 'File VAT returns with HMRC for the clients they can view, once the client has approved the figures.',
  propose_advances: 'Propose an early VAT refund to clients they can view. Only the client can accept an offer.',
};
