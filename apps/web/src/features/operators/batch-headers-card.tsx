import { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import { BATCH_HEADERS, type BatchHeader } from '@portal/domain/sync/batch-headers.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './batch-headers-card.module.css';
import { MissingLine } from '../../ui/missing-line.tsx';

/** HMRC's response about automatic refreshes. Recording headers lets practices switch on the nightly refresh. */
export function BatchHeadersCard() {
  const queryClient = useQueryClient();
  const { data } = useQuery(apiQuery(nightlyRefreshApi.confirmation, {}));
  const [chosenHeaders, setChosen] = useState<readonly BatchHeader[]>([]);
  const [note, setNote] = useState('');
  const record = useMutation({
    mutationFn: (headers: readonly BatchHeader[]) => apiRequest(nightlyRefreshApi.confirm, { headers: [...headers], note }),
    onSuccess: () => {
      setNote('');
      return queryClient.invalidateQueries({ queryKey: [nightlyRefreshApi.confirmation.path] });
    },
  });
  const missingId = useId();
  const missing =
    note.trim() === ''
      ? 'Enter where HMRC’s response is stored.'
      : chosenHeaders.length === 0
        ? 'Choose the headers HMRC requires.'
        : undefined;
  const current = data?.confirmation;
  const isConfirmed = (current?.headers.length ?? 0) > 0;
  const toggle = (header: BatchHeader): void =>
    setChosen(chosenHeaders.includes(header) ? chosenHeaders.filter((item) => item !== header) : [...chosenHeaders, header]);
  return (
    <SectionCard title="Nightly refreshes from HMRC" source="Fraud prevention headers, connection method BATCH_PROCESS_DIRECT">
      <Stack align="start">
        <Text role="status">
          {isConfirmed
            ? `On, with these headers: ${current?.headers.join(', ')}.`
            : 'Off: HMRC hasn’t confirmed which headers it requires.'}
          {current && (
            <>
              {' '}
              {current.note} (recorded by {current.recorded_by}, <InstantText at={current.recorded_at} />)
            </>
          )}
        </Text>
        <fieldset className={styles.headers}>
          <legend>Headers HMRC requires</legend>
          {BATCH_HEADERS.map((header) => (
            <Checkbox key={header} label={header} checked={chosenHeaders.includes(header)} onChange={() => toggle(header)} />
          ))}
        </fieldset>
        <FieldFrame id="batch-note" label="HMRC’s answer" hint="Where it’s stored, for example the ticket number and date">
          <TextInput id="batch-note" value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
        </FieldFrame>
        {record.error !== null && (
          <Text role="alert" tone="error">
            {getErrorText(record.error)}
          </Text>
        )}
        <Row gap={8}>
          <Button
            size="small"
            aria-describedby={missingId}
            disabled={missing !== undefined || record.isPending}
            onClick={() => record.mutate(chosenHeaders)}
          >
            Confirm headers
          </Button>
          {isConfirmed && (
            <Button
              size="small"
              variant="outlined"
              aria-describedby={missingId}
              disabled={note.trim() === '' || record.isPending}
              onClick={() => record.mutate([])}
            >
              Withdraw
            </Button>
          )}
          <MissingLine id={missingId}>{missing}</MissingLine>
        </Row>
      </Stack>
    </SectionCard>
  );
}
