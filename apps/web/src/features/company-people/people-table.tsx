/** A company's users or invitations, as a table, or as cards where a table doesn't fit. */
import type { CompanyInvitation, CompanyPerson } from '@portal/contract/company-people.ts';
import { COMPANY_PERMISSION_NAMES, type CompanyPermission } from '@portal/domain/company-people/company-access.ts';
import type { ReactNode } from 'react';
import { COMPANY_ROLE_NAMES } from '../../components/companies/company-role-names.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { TOO_NARROW_FOR_ACTIONS } from '../../lib/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { Text } from '../../ui/text.tsx';

type PeopleTableProps =
  | {
      people: readonly CompanyPerson[];
      /** Undefined for users with read-only access. */
      onManage: ((person: CompanyPerson) => void) | undefined;
      /** Undefined for the last owner, who can’t leave. */
      leave: (() => void) | undefined;
    }
  | {
      invitations: readonly CompanyInvitation[];
      isBusy: boolean;
      resend: (invitation: CompanyInvitation) => void;
      revoke: (invitation: CompanyInvitation) => void;
    };

type Line = { key: string; name: ReactNode; role: string; since: ReactNode; action: ReactNode };

export function PeopleTable(props: PeopleTableProps) {
  const showsPeople = 'people' in props;
  const lines = showsPeople
    ? props.people.map((person) => toPersonLine(person, props.onManage, props.leave))
    : props.invitations.map((invitation) => toInvitationLine(invitation, props));
  return (
    <RecordTable
      label={showsPeople ? 'People with access' : 'Invitations'}
      rows={lines}
      getKey={({ key }) => key}
      cardsAt={TOO_NARROW_FOR_ACTIONS}
      columns={[
        { title: showsPeople ? 'Name' : 'Email', cell: ({ name }) => name },
        { title: 'Role', cell: ({ role }) => role },
        { title: showsPeople ? 'Since' : 'Sent', layout: 'nowrap', cell: ({ since }) => since },
        { title: 'Action', layout: 'action', cell: ({ action }) => action },
      ]}
    />
  );
}

function toPersonLine(
  person: CompanyPerson,
  onManage: ((person: CompanyPerson) => void) | undefined,
  leave: (() => void) | undefined,
): Line {
  const { user_id: key, full_name: name, email, is_you: isYou, joined_at: joinedAt } = person;
  return {
    key,
    name: (
      <>
        {name}
        {isYou && ' (you)'}
        <Text size="small" tone="quiet">
          {email}
        </Text>
      </>
    ),
    role: describeAccess(person),
    since: <InstantText at={joinedAt} />,
    action: (
      <Row gap={16}>
        {onManage && (
          <Button variant="text" size="small" fit="flush" onClick={() => onManage(person)}>
            Manage<HiddenText> {name}</HiddenText>
          </Button>
        )}
        {isYou && leave && (
          <Button variant="text" size="small" fit="flush" onClick={leave}>
            Leave
          </Button>
        )}
      </Row>
    ),
  };
}

function toInvitationLine(invitation: CompanyInvitation, props: Extract<PeopleTableProps, { isBusy: boolean }>): Line {
  const { invitation_id: key, email, sent_at: sentAt } = invitation;
  return {
    key,
    name: email,
    role: describeAccess(invitation),
    since: <InstantText at={sentAt} />,
    action: (
      <Row gap={16}>
        <Button variant="text" size="small" fit="flush" disabled={props.isBusy} onClick={() => props.resend(invitation)}>
          Send again<HiddenText> to {email}</HiddenText>
        </Button>
        <Button variant="text" size="small" fit="flush" disabled={props.isBusy} onClick={() => props.revoke(invitation)}>
          Revoke<HiddenText> the invitation of {email}</HiddenText>
        </Button>
      </Row>
    ),
  };
}

function describeAccess({ role, permissions }: { role: CompanyPerson['role']; permissions: readonly CompanyPermission[] }): string {
  const name = COMPANY_ROLE_NAMES[role];
  if (role === 'owner' || permissions.length === 0) return name;
  return `${name}: ${permissions.map((permission) => COMPANY_PERMISSION_NAMES[permission]).join(', ')}`;
}
