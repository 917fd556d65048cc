import { describe, expect, it } from 'vitest';
import {
  isVatRegistrationValid,
  toFormerRepresentative,
  toGroupMember,
  toRepresentativeMember,
  toUngroupedClient,
  type VatRegistration,
} from './vat-group.ts';

const [GROUP, OWN] = ['193054661', '314159228'];
const ALONE: VatRegistration = {
  hasVat: true,
  vrn: OWN,
  vatGroupRole: null,
  vatGroupVrn: null,
  hasVatOutsideGroup: false,
  vrnOutsideGroup: null,
};
const UNREGISTERED: VatRegistration = { ...ALONE, hasVat: false, vrn: null };

describe('a member of a VAT group', () => {
  it.each([
    ['registered on its own', ALONE],
    ['not registered', UNREGISTERED],
    ['with VAT but without a known number', { ...ALONE, vrn: null }],
  ])('that was %s has no VAT and no number, and gets back what it had', (_case, before) => {
    const member = toGroupMember(before, GROUP);
    expect(member).toMatchObject({ hasVat: false, vrn: null, vatGroupRole: 'member', vatGroupVrn: GROUP });
    expect(toUngroupedClient(member, false)).toEqual(before);
  });

  it('keeps what it had when its group or the group’s number changes', () => {
    const movedMember = toGroupMember(toGroupMember(toGroupMember(ALONE, null), GROUP), null);
    expect(toUngroupedClient(movedMember, false)).toEqual(ALONE);
  });

  it('isn’t registered on its own after leaving if another client has its former number', () => {
    const formerHolder = toGroupMember(ALONE, GROUP);
    expect(toUngroupedClient(formerHolder, true)).toEqual(UNREGISTERED);
  });
});

it('a former representative member leaves without the group’s number, whether or not another client has it now', () => {
  for (const isNumberTaken of [true, false]) expect(toUngroupedClient(toFormerRepresentative(GROUP), isNumberTaken)).toEqual(UNREGISTERED);
});

it.each([
  [{ ...ALONE, vatGroupVrn: GROUP }, false],
  [ALONE, true],
  [UNREGISTERED, true],
  [toGroupMember(ALONE, null), true],
  [{ ...toGroupMember(ALONE, GROUP), vrn: OWN }, false],
  [{ ...toGroupMember(ALONE, GROUP), hasVat: true }, false],
  [toRepresentativeMember(GROUP), true],
  [{ ...toRepresentativeMember(GROUP), vrn: null }, false],
  [{ ...toRepresentativeMember(GROUP), vatGroupVrn: GROUP }, false],
])('a registration counts its group’s VAT once: %j', (registration, isValid) => {
  expect(isVatRegistrationValid(registration)).toBe(isValid);
});

it('the representative member has the group’s number and VAT, even when it is no longer recorded as one', () => {
  const representative = toRepresentativeMember(GROUP);
  expect(representative).toMatchObject({ hasVat: true, vrn: GROUP, vatGroupRole: 'representative', vatGroupVrn: null });
  expect(toUngroupedClient(representative, false)).toEqual({ ...ALONE, vrn: GROUP });
});
