/** Describes how the import treats prospects, and existing clients whose status is different in the file, and lets the user change this. */
import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import type { StatusChoices as Choices } from '@portal/domain/client-imports/client-status-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './import-status.module.css';
import { Counts } from './counts.tsx';
import { listStatusChoices } from './import-labels.ts';

export function StatusChoices({ companyId, current }: { companyId: string; current: ClientImport }) {
  const queryClient = useQueryClient();
  const choose = useMutation({
    mutationFn: (choices: Choices) =>
      apiRequest(clientImportsApi.chooseStatuses, { company_id: companyId, import_id: current.import_id, ...choices }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  if (current.state !== 'ready') return null;
  return (
    <>
      {choose.error && (
        <Text role="alert" tone="error">
          {getErrorText(choose.error)}
        </Text>
      )}
      {listStatusChoices(current).map(({ sentence, button, choices }) => (
        <Row key={button} gap={8} className={styles.choice}>
          <Counts sentences={[sentence]} none="" />
          <Button size="small" variant="outlined" onClick={() => choose.mutate(choices)} disabled={choose.isPending}>
            {button}
          </Button>
        </Row>
      ))}
    </>
  );
}
