/**
 * VAT groups. A group has one registration and one number, in the name of its representative member, who files and pays for all. Every
 * member is liable for the group's VAT, jointly and severally (VATA 1994 s43(1); VAT Notice 700/2; docs/reference/uk-tax.md section 1.11).
 */

/** A client's part in a VAT group. A `member` isn't the representative member, so it has no VAT number, return or payment of its own. */
export const VAT_GROUP_ROLES = ['representative', 'member'] as const;
export type VatGroupRole = (typeof VAT_GROUP_ROLES)[number];

/**
 * What is known of a client's VAT registration. `vatGroupVrn` is the number of a member's group, which its representative member has as
 * `vrn`; null if it isn't known. The last two are what a member had before, and get back when it's no longer a member.
 */
export type VatRegistration = {
  readonly hasVat: boolean;
  readonly vrn: string | null;
  readonly vatGroupRole: VatGroupRole | null;
  readonly vatGroupVrn: string | null;
  readonly hasVatOutsideGroup: boolean;
  readonly vrnOutsideGroup: string | null;
};

/**
 * Returns false if a group's VAT would count twice or nowhere: a member has no VAT or number of its own, and the representative member has
 * both. The database has the same check (`clients_vat_group_once`).
 */
export function isVatRegistrationValid({
  hasVat,
  vrn,
  vatGroupRole: role,
  vatGroupVrn,
}: Pick<VatRegistration, 'hasVat' | 'vrn' | 'vatGroupRole' | 'vatGroupVrn'>): boolean {
  if (role === 'member') return !hasVat && vrn === null;
  return vatGroupVrn === null && (role === null || (hasVat && vrn !== null));
}

const NOTHING_OUTSIDE = { hasVatOutsideGroup: false, vrnOutsideGroup: null } as const;

/** Returns the registration of a client that is a member, but not the representative member, of the group with this number. */
export function toGroupMember(client: VatRegistration, groupVrn: string | null): VatRegistration {
  const detailsOutside =
    client.vatGroupRole === 'member'
      ? { hasVatOutsideGroup: client.hasVatOutsideGroup, vrnOutsideGroup: client.vrnOutsideGroup }
      : { hasVatOutsideGroup: client.hasVat, vrnOutsideGroup: client.vrn };
  return { hasVat: false, vrn: null, vatGroupRole: 'member', vatGroupVrn: groupVrn, ...detailsOutside };
}

/** Returns the registration of a member that represented the group until now: its number was the group's, so it has none of its own. */
export function toFormerRepresentative(groupVrn: string): VatRegistration {
  return { hasVat: false, vrn: null, vatGroupRole: 'member', vatGroupVrn: groupVrn, ...NOTHING_OUTSIDE };
}

/** Returns the registration of the representative member of the group with this number. */
export function toRepresentativeMember(groupVrn: string): VatRegistration {
  return { hasVat: true, vrn: groupVrn, vatGroupRole: 'representative', vatGroupVrn: null, ...NOTHING_OUTSIDE };
}

/**
 * Returns the registration of a client that isn't known to be in a group. A member gets back what it had, unless another client holds its
 * former number now (`isNumberTaken`): then that number was the group's, and the member isn't registered on its own.
 */
export function toUngroupedClient(client: VatRegistration, isNumberTaken: boolean): VatRegistration {
  const ungroupedClient = { vatGroupRole: null, vatGroupVrn: null, ...NOTHING_OUTSIDE };
  if (client.vatGroupRole !== 'member') return { ...ungroupedClient, hasVat: client.hasVat, vrn: client.vrn };
  if (isNumberTaken) return { ...ungroupedClient, hasVat: false, vrn: null };
  return { ...ungroupedClient, hasVat: client.hasVatOutsideGroup, vrn: client.vrnOutsideGroup };
}
