/** Imports clients from a file: upload, dry run, progress, fixing rows and undo. The latest import is shown to people who come back. */
import { FILE_SOURCES } from '@portal/domain/client-imports/import-states.ts';
import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { idScalar } from '@portal/contract/scalars.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { useLiveSync } from '../../lib/use-live-sync.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../components/practice/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../components/practice/practice-nav.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ChooseFile } from './choose-file.tsx';
import { ImportRows } from './import-rows.tsx';
import { ImportStatus } from './import-status.tsx';
import { OtherFiles } from './other-files.tsx';
import { useClientsUpload } from './use-clients-upload.ts';

/** Poll interval while an import runs and no event stream is connected. */
const POLL_MS = 2_000;

export function ClientImportScreen() {
  const { companyId, settled } = useCompanyId();
  const { isLive } = useLiveSync(companyId);
  const [search] = useSearchParams();
  // The import named in the URL, otherwise the newest.
  const named = idScalar.safeParse(search.get('import_id')).data;
  const query = useQuery({
    ...apiQuery(clientImportsApi.info, { company_id: companyId, ...(named === undefined ? {} : { import_id: named }) }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (state.data?.import?.state === 'importing' && !isLive ? POLL_MS : false),
  });
  if ((settled && companyId === '') || (query.error?.status === 404 && named === undefined))
    return <NoPracticeCard title="Import clients" />;
  return (
    <Page
      title="Import clients"
      lead="Use an export from your practice software, or our template. You’ll see a preview before anything changes."
    >
      <PracticeNav companyId={companyId} />
      <LoadState query={query}>
        {(data) => (
          <Stack gap={24}>
            <Import companyId={companyId} current={data.import} />
            <OtherFiles companyId={companyId} files={data.earlier} />
          </Stack>
        )}
      </LoadState>
    </Page>
  );
}

function Import({ companyId, current }: { companyId: string; current: ClientImport | null }) {
  const [search, setSearch] = useSearchParams();
  const source = FILE_SOURCES.find((one) => one === search.get('source')) ?? 'file';
  const showAllRows = () =>
    setSearch(
      (before) => {
        before.delete('outcome');
        before.delete('import_id');
        return before;
      },
      { replace: true },
    );
  const { state, upload, cancel } = useClientsUpload(companyId, source, showAllRows);
  const isUnderWay = state.status === 'sending' || state.status === 'checking';
  const product = source === 'freeagent' ? 'FreeAgent' : source === 'nomi' ? 'Nomi' : undefined;
  const choose = (
    <Stack>
      {product !== undefined && (
        <Text>
          Export your client list from {product} and upload it here. Leave the column names as they are. The preview lists any columns we
          ignore.
        </Text>
      )}
      <ChooseFile state={state} upload={upload} cancel={cancel} isAnother={current !== null} />
      <Text size="small" tone="quiet">
        HMRC doesn’t give software a list of an agent’s clients. So you import your list, and we then check each client’s authorisation with
        HMRC.
      </Text>
    </Stack>
  );
  if (current === null || isUnderWay)
    return <SectionCard title={current === null ? 'Choose a file' : 'Import another file'}>{choose}</SectionCard>;
  return (
    <Stack gap={24}>
      <SectionCard title={current.file_name} aside={<FileFacts current={current} />}>
        <Stack gap={24}>
          <ImportStatus companyId={companyId} current={current} />
          <ImportRows companyId={companyId} current={current} />
        </Stack>
      </SectionCard>
      {current.state !== 'importing' && <SectionCard title="Import another file">{choose}</SectionCard>}
    </Stack>
  );
}

function FileFacts({ current }: { current: ClientImport }) {
  return (
    <Text size="small" tone="quiet">
      {current.rows_total.toLocaleString('en-GB')} {current.rows_total === 1 ? 'row' : 'rows'}, uploaded by {current.started_by},{' '}
      <InstantText at={current.created_at} />
    </Text>
  );
}
