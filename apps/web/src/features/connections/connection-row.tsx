/** One connection: its name, status, details and action. */
import type { CompanyAccess } from '@portal/contract/company-rights.ts';
import { useId, type ReactNode } from 'react';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading } from '../../ui/text.tsx';
import type { Tone } from '../../ui/tone.ts';
import styles from './connection-row.module.css';

type ConnectionRowProps = {
  icon: IconName;
  title: string;
  state: { readonly label: string; readonly icon: IconName; readonly tone: Tone };
  children: ReactNode;
  /** `access`: the right over the company that the action requires. */
  action: { readonly label: string; readonly to: string; readonly companyId: string; readonly access: CompanyAccess };
  /** Whether this is the first connection to fix. */
  isPrimary?: boolean;
};

export function ConnectionRow({ icon, title, state, children, action, isPrimary = false }: ConnectionRowProps) {
  const id = useId();
  return (
    <div className={styles.connection}>
      <Icon name={icon} className={styles.icon} />
      <div className={styles.content}>
        <Row gap={12}>
          <Heading level={3} id={id}>
            {title}
          </Heading>
          <StateChip {...state} />
        </Row>
        <div className={styles.details}>{children}</div>
      </div>
      <NeedsRight companyId={action.companyId} access={action.access}>
        <Button to={action.to} variant={isPrimary ? 'filled' : 'outlined'} size="small" aria-describedby={id} className={styles.action}>
          {action.label}
        </Button>
      </NeedsRight>
    </div>
  );
}
