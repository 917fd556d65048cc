/**
 * Imports PAYE and corporation tax statements: upload, dry run, progress and the outcome of each row. HMRC has no API for these figures.
 */
import { STATEMENT_TAXES } from '@portal/domain/tax-statements/statement-columns.ts';
import { MAX_STATEMENT_ROWS, STATEMENT_TEMPLATE_PATH, taxStatementsApi, type TaxStatement } from '@portal/contract/tax-statements.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../lib/search-params.ts';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import type { FileUpload } from '../../lib/use-file-upload.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PillTabs } from '../../ui/pill-tabs.tsx';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { RejectedRows, STATEMENT_PARAM, StatementCard, UpdatedClients } from './statement-card.tsx';
import { STATE_LABELS } from './statement-labels.ts';
import styles from './tax-statements-screen.module.css';
import { useStatementUpload } from './use-statement-upload.ts';

/** Poll interval while a statement is being read or applied (contract: tax-statements.ts). */
const POLL_MS = 1_000;

const isMoving = ({ state }: TaxStatement): boolean => state === 'reading' || state === 'importing';

export function TaxStatementsScreen() {
  const { companyId } = useCompanyId();
  const [search] = useSearchParams();
  const tax = STATEMENT_TAXES.find((item) => item === search.get('tax_type')) ?? 'paye';
  const query = useQuery({
    ...apiQuery(taxStatementsApi.list, { company_id: companyId, tax_type: tax }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (state.data?.statements.some(isMoving) ? POLL_MS : false),
  });
  return (
    <PracticePage
      title="PAYE and corporation tax statements"
      lead="HMRC doesn’t share these taxes with software. Download the statements from HMRC’s online services, then import them here."
    >
      <PillTabs
        label="Taxes"
        current={tax}
        tabs={STATEMENT_TAXES.map((key) => ({
          key,
          label: TAX_NAMES[key],
          to: getPageLink('taxStatements', { company_id: companyId, tax_type: key }),
        }))}
      />
      <LoadState query={query}>
        {({ statements }) => <Statements key={tax} companyId={companyId} tax={tax} statements={statements} />}
      </LoadState>
    </PracticePage>
  );
}

type TaxProps = { companyId: string; tax: TaxStatement['tax_type'] };

function Statements({ companyId, tax, statements }: TaxProps & { statements: readonly TaxStatement[] }) {
  const { state, upload, cancel } = useStatementUpload(companyId, tax);
  const [search] = useSearchParams();
  const [newestStatement] = statements;
  const chosenStatement = statements.find((statement) => statement.statement_id === search.get(STATEMENT_PARAM)) ?? newestStatement;
  // A statement that needs a decision stays visible while the user looks at an earlier one.
  const shownStatements = statements.filter(
    (statement) => statement === chosenStatement || (statement === newestStatement && (isMoving(statement) || statement.state === 'ready')),
  );
  const earlierStatements = statements.filter((statement) => !shownStatements.includes(statement));
  const isUnderWay = state.status === 'sending' || state.status === 'checking';
  return (
    <Stack gap={24}>
      {!isUnderWay && shownStatements.map((item) => <StatementCard key={item.statement_id} companyId={companyId} statement={item} />)}
      <SectionCard title={newestStatement ? 'Import another statement' : 'Choose a statement'}>
        {isUnderWay ? (
          <UploadProgress state={state} cancel={cancel} />
        ) : (
          <ChooseStatement state={state} tax={tax} upload={upload} isAnotherFile={newestStatement !== undefined} />
        )}
      </SectionCard>
      {earlierStatements.length > 0 && (
        <SectionCard title="Earlier statements">
          <Stack as="ul" gap={0}>
            {earlierStatements.map((item) => (
              <li key={item.statement_id} className={styles.statement}>
                <Text weight="medium">{item.file_name}</Text>
                <Text size="small" tone="quiet">
                  {STATE_LABELS[item.state].title}. <UpdatedClients companyId={companyId} statement={item} />{' '}
                  {item.refused > 0 && <RejectedRows statement={item} />} {item.imported_by}, <InstantText at={item.imported_at} />
                </Text>
              </li>
            ))}
          </Stack>
        </SectionCard>
      )}
    </Stack>
  );
}

type ChooseProps = { state: FileUpload<unknown>; tax: TaxStatement['tax_type']; upload: (file: File) => void; isAnotherFile: boolean };

function ChooseStatement({ state, tax, upload, isAnotherFile }: ChooseProps) {
  return (
    <Stack>
      {state.status === 'refused' && (
        <Notice tone="error" title={`We couldn’t read ${state.fileName}`} role="alert">
          {state.reason}
        </Notice>
      )}
      <DropZone
        label={`${TAX_NAMES[tax]} statement`}
        promptText="Drop the statement here"
        upload={upload}
        hasFile={isAnotherFile || state.status === 'refused'}
      />
      <Text size="small" tone="quiet">
        CSV or XLSX, up to {MAX_STATEMENT_ROWS.toLocaleString('en-GB')} rows, for one client or all clients. You’ll see a preview before
        anything changes. A new statement replaces all of a client’s earlier figures for this tax.{' '}
        <TextLink href={`${PORTAL_BASE}${STATEMENT_TEMPLATE_PATH}?tax_type=${tax}`} download>
          Download template
        </TextLink>
      </Text>
    </Stack>
  );
}
