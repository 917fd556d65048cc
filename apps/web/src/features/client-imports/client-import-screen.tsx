/** Imports clients from a file: upload, dry run, progress, fixing rows and undo. The latest import is shown to people who come back. */
import { FILE_SOURCES } from '@portal/domain/client-imports/import-states.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { clientImportsApi, type ClientImport } from '@portal/contract/client-imports.ts';
import { idScalar } from '@portal/contract/scalars.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { useLiveSync } from '../../lib/use-live-sync.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../ui/no-practice-card.tsx';
import { Page } from '../../ui/page.tsx';
import { PracticeNav } from '../../ui/practice-nav.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
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
      lead="From a list you have: your practice software’s export, or our template. You see what it would do before it does it."
    >
      <PracticeNav companyId={companyId} />
      <LoadState query={query}>
        {(data) => (
          <Box sx={{ display: 'grid', gap: 3 }}>
            <Import companyId={companyId} current={data.import} />
            <OtherFiles companyId={companyId} files={data.earlier} />
          </Box>
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
    <>
      {product !== undefined && (
        <Typography sx={{ mb: 2 }}>
          A list exported from {product}: its columns may keep the names they have there. The dry run names every column that we do nothing
          with.
        </Typography>
      )}
      <ChooseFile state={state} upload={upload} cancel={cancel} isAnother={current !== null} />
      <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
        HMRC gives software no list of an agent’s clients, only an answer about one client at a time: so the list comes from you, and each
        client’s authority is checked at HMRC afterwards.
      </Typography>
    </>
  );
  if (current === null || isUnderWay)
    return <SectionCard title={current === null ? 'Choose the file' : 'Another file'}>{choose}</SectionCard>;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <SectionCard title={current.file_name} aside={<FileFacts current={current} />}>
        <ImportStatus companyId={companyId} current={current} />
        <Box sx={{ mt: 3 }}>
          <ImportRows companyId={companyId} current={current} />
        </Box>
      </SectionCard>
      {current.state !== 'importing' && <SectionCard title="Another file">{choose}</SectionCard>}
    </Box>
  );
}

function FileFacts({ current }: { current: ClientImport }) {
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
      {current.rows_total.toLocaleString('en-GB')} {current.rows_total === 1 ? 'row' : 'rows'}, sent by {current.started_by},{' '}
      <InstantText at={current.created_at} />
    </Typography>
  );
}
