/** The group that the client belongs to. Only admins can change it. */
import { useState } from 'react';
import { GroupClientsDialog } from '../../components/practice/group-clients-dialog.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { useIsAdmin } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { ClientIds, ClientProfile } from './client-page.ts';
import styles from './tags-row.module.css';

export function GroupRow({ ids: { companyId, clientId }, client: { group } }: { ids: ClientIds; client: ClientProfile }) {
  const isAdmin = useIsAdmin(companyId);
  const [isOpen, setIsOpen] = useState(false);
  if (group === null && !isAdmin) return null;
  return (
    <div className={styles.row}>
      <span className={styles.label}>Group</span>
      {group && <TextLink to={getPageLink('clientGroup', { company_id: companyId, group_id: group.group_id })}>{group.name}</TextLink>}
      {isAdmin && (
        <Button size="small" variant="text" fit="flush" onClick={() => setIsOpen(true)}>
          {group === null ? 'Add to a group' : 'Change group'}
        </Button>
      )}
      {isOpen && (
        <GroupClientsDialog
          companyId={companyId}
          selection={{ client_ids: [clientId] }}
          count={1}
          current={group}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}
