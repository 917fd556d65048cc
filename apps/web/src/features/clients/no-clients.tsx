import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './no-clients.module.css';

/** Shown to a practice without clients, or a team member without assigned clients: explains what to do next. */
export function NoClients({ importLink, isAdmin }: { importLink: string | undefined; isAdmin: boolean }) {
  return isAdmin ? (
    <Empty
      icon="upload"
      title="No clients yet"
      text="Import your clients from a spreadsheet or another product. You’ll see a preview first, and you can undo the import for 24 hours."
    >
      {importLink !== undefined && <Button to={importLink}>Import clients</Button>}
    </Empty>
  ) : (
    <Empty
      icon="info"
      title="No clients assigned to you yet"
      text="When an admin of your practice assigns clients to you, they appear here."
    />
  );
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Empty icon="info" title="No clients match" text="Try a different search, or clear the filters.">
      <Button variant="outlined" onClick={onClear}>
        Clear search and filters
      </Button>
    </Empty>
  );
}

function Empty({ icon, title, text, children }: { icon: IconName; title: string; text: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} tone="primary" size={48} />
      <Heading level={2}>{title}</Heading>
      <Text tone="quiet" className={styles.text}>
        {text}
      </Text>
      {children}
    </div>
  );
}
