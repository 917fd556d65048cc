/** Imports clients from a file: upload, columns, preview, corrections, progress and undo. Users who return see the latest import. */
import { FILE_SOURCES, isListSource } from '@portal/domain/client-imports/import-states.ts';
import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { practiceApi } from '@portal/contract/practice.ts';
import { idScalar } from '@portal/contract/scalars.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { focusResult } from '../../lib/focus-result.ts';
import { FROM_STEPS } from '../../lib/practice-home.ts';
import { getLinkAfterStep } from '../../lib/practice-steps.ts';
import { useLiveSync, type LiveSync } from '../../lib/use-live-sync.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { PracticeStepBar } from '../../components/practice/practice-step-bar.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ChooseFile } from './choose-file.tsx';
import { ImportForAdmins } from './import-for-admins.tsx';
import { ImportFromFreeAgent } from './import-from-freeagent.tsx';
import { ImportRows } from './import-rows.tsx';
import { ImportStatus } from './import-status.tsx';
import { getMappableTable, MapColumns } from './map-columns.tsx';
import { OtherFiles } from './other-files.tsx';
import styles from './import-status.module.css';
import { useClientsUpload } from './use-clients-upload.ts';

/** Poll interval while an import is running. Events arrive too, but up to five seconds after the end of a short import. */
const POLL_MS = 2_000;

export function ClientImportScreen() {
  const { companyId } = useCompanyId();
  const { refreshing } = useLiveSync(companyId);
  const [search] = useSearchParams();
  // The import in the URL, or else the newest.
  const parsedId = idScalar.safeParse(search.get('import_id')).data;
  const query = useQuery({
    ...apiQuery(clientImportsApi.info, { company_id: companyId, ...(parsedId === undefined ? {} : { import_id: parsedId }) }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (state.data?.import?.state === 'importing' ? POLL_MS : false),
  });
  const isOnboardingStep = search.get(FROM_STEPS) !== null;
  const progress = useQuery({
    ...apiQuery(practiceApi.progress, { company_id: companyId }),
    enabled: isOnboardingStep && companyId !== '',
  });
  if (query.error?.status === 404 && parsedId === undefined) return <ImportForAdmins companyId={companyId} />;
  return (
    <PracticePage
      title="Import clients"
      lead="Use an export from your practice software, or our template. You’ll see a preview before anything changes."
      hidesNavigation={isOnboardingStep}
    >
      {isOnboardingStep && <PracticeStepBar current="import" progress={progress.data} />}
      <LoadState query={query}>
        {(data) => (
          <Stack gap={24}>
            <CurrentImport
              companyId={companyId}
              current={data.import}
              refreshing={refreshing}
              nextStep={isOnboardingStep && progress.data ? getLinkAfterStep('import', progress.data) : undefined}
            />
            <OtherFiles companyId={companyId} files={data.earlier} />
          </Stack>
        )}
      </LoadState>
    </PracticePage>
  );
}

type ImportProps = {
  readonly companyId: string;
  readonly current: ClientImport | null;
  readonly refreshing: LiveSync['refreshing'];
  /** The page that follows this sign-up step. Undefined outside sign-up. */
  readonly nextStep: string | undefined;
};

function CurrentImport({ companyId, current, refreshing, nextStep }: ImportProps) {
  const [search, setSearch] = useSearchParams();
  const [mappingId, setMappingId] = useState('');
  const [mappedId, setMappedId] = useState('');
  const source = FILE_SOURCES.find((item) => item === search.get('source')) ?? 'file';
  const showAllRows = () =>
    setSearch(
      (previous) => {
        previous.delete('outcome');
        previous.delete('import_id');
        return previous;
      },
      { replace: true },
    );
  const result = useFocusedOnStart(current?.state);
  const anotherFile = useRef<HTMLDivElement>(null);
  const { state, upload, cancel } = useClientsUpload(companyId, source, showAllRows);
  const isUnderWay = state.status === 'sending' || state.status === 'checking';
  const product = source === 'freeagent' ? 'FreeAgent' : source === 'nomi' ? 'Nomi' : undefined;
  const choose = (
    <Stack>
      {product !== undefined && (
        <Text>
          Export your client list from {product} and upload it here. Leave the column names as they are. The preview lists any columns we’ll
          ignore.
        </Text>
      )}
      <ChooseFile state={state} upload={upload} cancel={cancel} isAnotherFile={current !== null} />
      <ImportFromFreeAgent companyId={companyId} onRead={showAllRows} />
      <Text size="small" tone="quiet">
        HMRC doesn’t give software a list of an agent’s clients, so you import your list and we check each client’s authorisation with HMRC.
      </Text>
    </Stack>
  );
  if (current === null || isUnderWay)
    return <SectionCard title={current === null ? 'Choose a file' : 'Import another file'}>{choose}</SectionCard>;
  const table = getMappableTable(current, mappingId === current.import_id);
  return (
    <Stack gap={24}>
      <SectionCard title={current.file_name} aside={<FileFacts current={current} />}>
        {table === null ? (
          <Stack gap={24}>
            {/* After a long list of columns, the preview would start out of view, so it gets the focus. */}
            <div ref={mappedId === current.import_id ? focusResult : result} tabIndex={-1} className={styles.result}>
              <ImportStatus
                companyId={companyId}
                current={current}
                refreshing={refreshing}
                nextStep={nextStep}
                chooseAnotherFile={() => anotherFile.current?.focus()}
                changeColumns={() => setMappingId(current.import_id)}
              />
            </div>
            {!current.rows_removed && <ImportRows companyId={companyId} current={current} />}
          </Stack>
        ) : (
          <MapColumns
            companyId={companyId}
            importId={current.import_id}
            table={table}
            cancel={current.state === 'mapping' ? undefined : () => setMappingId('')}
            onSave={() => setMappedId(current.import_id)}
            onMapped={() => setMappingId('')}
          />
        )}
      </SectionCard>
      {current.state !== 'importing' && (
        <div ref={anotherFile} tabIndex={-1} className={styles.result}>
          <SectionCard title="Import another file">{choose}</SectionCard>
        </div>
      )}
    </Stack>
  );
}

/** The button that starts the import disappears, so the focus moves to the result that takes its place. */
function useFocusedOnStart(state: ClientImport['state'] | undefined) {
  const result = useRef<HTMLDivElement>(null);
  const previousState = useRef(state);
  useEffect(() => {
    if (previousState.current === 'ready' && (state === 'importing' || state === 'completed'))
      result.current?.focus({ preventScroll: true });
    previousState.current = state;
  }, [state]);
  return result;
}

function FileFacts({ current }: { current: ClientImport }) {
  return (
    <Text size="small" tone="quiet">
      {current.state === 'mapping'
        ? 'Uploaded'
        : `${current.rows_total.toLocaleString('en-GB')} ${current.rows_total === 1 ? 'row' : 'rows'}, ${isListSource(current.source) ? 'read' : 'uploaded'}`}{' '}
      by {current.started_by}, <InstantText at={current.created_at} />
    </Text>
  );
}
