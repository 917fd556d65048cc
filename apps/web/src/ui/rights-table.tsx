/** What each role may do: a column for each role, or on a phone a card for each right with the roles that have it. */
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { CARD_LAYOUT_QUERY, useMediaQuery } from '../lib/use-media-query.ts';
import { HiddenText } from './hidden-text.tsx';
import { Icon } from './icon.tsx';
import { Row, Stack } from './layout.tsx';
import { RecordCards } from './record-cards.tsx';
import styles from './rights-table.module.css';
import { Table } from './table.tsx';
import { Text } from './text.tsx';

type RightsTableProps = {
  label: string;
  roles: readonly {
    readonly key: string;
    readonly name: string;
    /** The user has this role. */
    readonly isOwn?: boolean;
    readonly action?: ReactNode;
  }[];
  rights: readonly {
    readonly name: string;
    /** For each role: true, false, or under which condition. */
    readonly cells: readonly ReactNode[];
  }[];
};

/** The most roles that fit beside their rights on a phone. */
const MAX_PHONE_ROLES = 2;

export function RightsTable({ label, roles, rights }: RightsTableProps) {
  const showsCards = useMediaQuery(roles.length > MAX_PHONE_ROLES ? CARD_LAYOUT_QUERY : 'not all');
  const getName = ({ name, isOwn = false }: RightsTableProps['roles'][number]): string => (isOwn ? `${name} (you)` : name);
  if (showsCards) {
    return (
      <Stack>
        {roles.map(
          ({ key, name, action }) =>
            action !== undefined && (
              <Row key={key} gap={8}>
                {name} {action}
              </Row>
            ),
        )}
        <RecordCards
          label={label}
          cards={rights.map(({ name, cells }) => ({
            key: name,
            title: name,
            facts: roles.flatMap((role, index) =>
              cells[index] === false ? [] : [{ label: getName(role), value: renderCell(cells[index]) }],
            ),
          }))}
        />
      </Stack>
    );
  }
  return (
    <Table label={label} flush dense className={styles.rights}>
      <thead>
        <tr>
          <th scope="col">Permission</th>
          {roles.map((role) => (
            <th scope="col" key={role.key} className={clsx(role.isOwn && styles.own)}>
              {getName(role)} {role.action}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rights.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {roles.map(({ key, isOwn }, index) => (
              <td key={key} className={clsx(isOwn && styles.own)}>
                {renderCell(cells[index])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function renderCell(cell: ReactNode): ReactNode {
  if (cell === true) {
    return (
      <>
        <Icon name="check" tone="success" size={18} />
        <HiddenText>Yes</HiddenText>
      </>
    );
  }
  if (cell !== false) return cell;
  return (
    <>
      <Text as="span" tone="quiet" aria-hidden="true">
        –
      </Text>
      <HiddenText>No</HiddenText>
    </>
  );
}
