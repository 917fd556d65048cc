/** Earlier imports, each linked to its page. */
import type { ImportState } from '@portal/domain/client-imports/import-states.ts';
import type { clientImportsApi } from '@portal/contract/client-imports.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './other-files.module.css';

const STATE_LABELS: Readonly<Record<ImportState, string>> = {
  checking: 'being checked',
  mapping: 'columns not chosen',
  ready: 'checked, not imported',
  importing: 'being imported',
  completed: 'imported',
  cancelled: 'cancelled',
  failed: 'stopped',
  undone: 'undone',
};

type OtherFilesProps = { companyId: string; files: EndpointOutput<typeof clientImportsApi.info>['earlier'] };

export function OtherFiles({ companyId, files }: OtherFilesProps) {
  if (files.length === 0) return null;
  return (
    <SectionCard title="Other uploads">
      <Stack as="ul" gap={0}>
        {files.map(({ import_id: id, file_name: name, state, created_at: at }) => (
          <li key={id} className={styles.file}>
            <TextLink to={getPageLink('clientImport', { company_id: companyId, import_id: id })}>{name}</TextLink>
            <Text size="small" tone="quiet">
              <InstantText at={at} />, {STATE_LABELS[state]}
            </Text>
          </li>
        ))}
      </Stack>
    </SectionCard>
  );
}
