/** Imports PAYE and corporation tax statements: upload, dry run, progress and the outcome of each row. HMRC has no API for these taxes. */
import { STATEMENT_TAXES } from '@portal/domain/tax-statements/statement-columns.ts';
import { MAX_STATEMENT_ROWS, STATEMENT_TEMPLATE_PATH, taxStatementsApi, type TaxStatement } from '@portal/contract/tax-statements.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import type { FileUpload } from '../../lib/use-file-upload.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { NoPracticeCard } from '../../ui/no-practice-card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { PracticeNav } from '../../ui/practice-nav.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { StatementCard } from './statement-card.tsx';
import { STATE_LABELS } from './statement-labels.ts';
import { useStatementUpload } from './use-statement-upload.ts';

/** Poll interval while a statement is read or applied (contract: tax-statements.ts). */
const POLL_MS = 1_000;

const isMoving = ({ state }: TaxStatement): boolean => state === 'reading' || state === 'importing';

export function TaxStatementsScreen() {
  const { companyId, settled } = useCompanyId();
  const [search] = useSearchParams();
  const tax = STATEMENT_TAXES.find((one) => one === search.get('tax_type')) ?? 'paye';
  const query = useQuery({
    ...apiQuery(taxStatementsApi.list, { company_id: companyId, tax_type: tax }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (state.data?.statements.some(isMoving) ? POLL_MS : false),
  });
  if ((settled && companyId === '') || query.error?.status === 404) return <NoPracticeCard title="Statements" />;
  return (
    <Page
      title="PAYE and corporation tax statements"
      lead="HMRC lets no software read these two taxes. Take the statements from HMRC’s online services and bring them here as a file."
    >
      <PracticeNav companyId={companyId} />
      <PillTabs
        label="Taxes"
        current={tax}
        tabs={STATEMENT_TAXES.map((key) => ({
          key,
          label: TAX_NAMES[key],
          to: pageLink('taxStatements', { company_id: companyId, tax_type: key }),
        }))}
      />
      <LoadState query={query}>
        {({ statements }) => <Statements key={tax} companyId={companyId} tax={tax} statements={statements} />}
      </LoadState>
    </Page>
  );
}

type TaxProps = { companyId: string; tax: TaxStatement['tax_type'] };

function Statements({ companyId, tax, statements }: TaxProps & { statements: readonly TaxStatement[] }) {
  const { state, upload, cancel } = useStatementUpload(companyId, tax);
  const [newest, ...earlier] = statements;
  const isUnderWay = state.status === 'sending' || state.status === 'checking';
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {newest && !isUnderWay && <StatementCard key={newest.statement_id} companyId={companyId} statement={newest} />}
      <SectionCard title={newest ? 'Another statement' : 'Choose the statement'}>
        {isUnderWay ? (
          <UploadProgress state={state} cancel={cancel} />
        ) : (
          <Choose state={state} tax={tax} upload={upload} isAnother={newest !== undefined} />
        )}
      </SectionCard>
      {earlier.length > 0 && (
        <SectionCard title="Earlier statements">
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {earlier.map((one) => (
              <Box component="li" key={one.statement_id} sx={{ py: 1, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
                <Box sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>{one.file_name}</Box>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {STATE_LABELS[one.state].title}; {one.clients_taken.toLocaleString('en-GB')} clients,{' '}
                  {one.refused.toLocaleString('en-GB')} rows refused. {one.imported_by}, <InstantText at={one.imported_at} />
                </Typography>
              </Box>
            ))}
          </Box>
        </SectionCard>
      )}
    </Box>
  );
}

type ChooseProps = { state: FileUpload<unknown>; tax: TaxStatement['tax_type']; upload: (file: File) => void; isAnother: boolean };

function Choose({ state, tax, upload, isAnother }: ChooseProps) {
  return (
    <>
      {state.status === 'refused' && (
        <Box sx={{ mb: 3 }}>
          <Notice tone="error" title={`We did not take ${state.fileName}`} role="alert">
            {state.reason}
          </Notice>
        </Box>
      )}
      <DropZone
        label={`${TAX_NAMES[tax]} statement`}
        promptText="Drop the statement here"
        upload={upload}
        hasFile={isAnother || state.status === 'refused'}
      />
      <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
        CSV or XLSX, at most {MAX_STATEMENT_ROWS.toLocaleString('en-GB')} rows, for one client or for all. You see what it would do before
        it does it. A statement is the whole picture of a client: it takes the place of the one before.{' '}
        <Link href={`${PORTAL_BASE}${STATEMENT_TEMPLATE_PATH}?tax_type=${tax}`} download>
          Download the template
        </Link>
      </Typography>
    </>
  );
}
